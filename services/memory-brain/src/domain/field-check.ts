/** Values against the rules of their fields. */
import { nearest } from "@mainspring/kernel";
import { checkTimestamp, KipError, sameJson, type Json, type JsonObject } from "@mainspring/kip";
import type { FieldRule, ValueType } from "./schema-package.ts";

export function typeOf(value: Json): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "object";
  return typeof value as "string" | "number" | "boolean";
}

function matches(value: Json, type: ValueType): boolean {
  if (type === "timestamp") return typeof value === "string";
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeOf(value) === type;
}

function checkField(value: Json, rule: FieldRule, field: string): void {
  const types = typeof rule.type === "string" ? [rule.type] : rule.type;
  const fitting = types.filter((type) => matches(value, type));
  if (fitting.length === 0) {
    throw new KipError("TypeMismatch", `${field} must be ${types.join(" or ")}, not ${typeOf(value)}`, {
      details: { field },
    });
  }
  if (fitting.length === 1 && fitting[0] === "timestamp") checkTimestamp(value, field);
  if (rule.enum !== undefined && !rule.enum.some((allowed) => sameJson(allowed, value))) {
    throw new KipError("ConstraintViolation", `${field} must be one of ${rule.enum.map(String).join(", ")}`, {
      details: { field },
    });
  }
  if (typeof value !== "number") return;
  const below = rule.minimum !== undefined && value < rule.minimum;
  const above = rule.maximum !== undefined && value > rule.maximum;
  if (below || above) {
    throw new KipError(
      "ConstraintViolation",
      `${field} must lie between ${rule.minimum ?? "-∞"} and ${rule.maximum ?? "∞"}`,
      {
        details: { field },
      },
    );
  }
}

export interface FieldSet {
  /** How the set is named in messages. */
  readonly name: string;
  readonly open: boolean;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

/** The names that a change sets or unsets: known where the set is closed, and not fixed by an earlier value. */
export function checkNames(names: readonly string[], set: FieldSet, before: JsonObject | undefined): void {
  for (const name of names) {
    const rule = Object.hasOwn(set.fields, name) ? set.fields[name] : undefined;
    if (rule === undefined) {
      if (set.open) continue;
      const near = nearest(name, Object.keys(set.fields));
      throw new KipError(
        "SchemaFieldNotFound",
        `${set.name} has no field ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
      );
    }
    if (rule.mutable === false && before !== undefined && before[name] !== undefined) {
      throw new KipError("ImmutableField", `${set.name}.${name} is fixed once it is set`);
    }
  }
}

/** The whole set as it will be stored. */
export function checkValues(values: JsonObject, set: FieldSet): void {
  for (const [name, rule] of Object.entries(set.fields)) {
    const value = values[name];
    if (value !== undefined) checkField(value, rule, `${set.name}.${name}`);
    else if (rule.required === true)
      throw new KipError("ConstraintViolation", `${set.name} needs the field ${name}`, { details: { field: name } });
  }
}
