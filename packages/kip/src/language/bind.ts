/** Parameters take their values structurally: a bound value becomes a node of the tree, never a piece of text. */
import { isObject, JSON_DEPTH_MAX, type Json } from "../json.ts";
import { KipError } from "../kip-error.ts";
import { nearest } from "@mainspring/kernel";
import type { Data, Parameter, Scalar, Statement } from "./ast.ts";

export type Parameters = Readonly<Record<string, Json>>;

/** Where an object of a parameter says that it stands: nowhere in the command. */
export const BOUND_AT = -1;

/** `{id: "C-1"}` and nothing else is an element; other values stand for themselves. */
export function nodeOf(value: Json, depth = 0): Exclude<Scalar, Parameter> {
  if (depth > JSON_DEPTH_MAX)
    throw new KipError("ResourceExhausted", `a parameter is nested more than ${JSON_DEPTH_MAX} deep`);
  if (typeof value === "number") {
    const sound = Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    if (!sound) throw new KipError("ConstraintViolation", "a number parameter lies outside ±9007199254740991");
    return { k: "literal", value: value === 0 ? 0 : value };
  }
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new KipError("ConstraintViolation", "a string parameter holds a lone surrogate");
    return { k: "literal", value };
  }
  if (Array.isArray(value)) return { k: "array", items: value.map((item: Json): Data => nodeOf(item, depth + 1)) };
  if (!isObject(value)) return { k: "literal", value: value as boolean | null };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "id" && typeof value["id"] === "string")
    return { k: "element", id: value["id"] };
  return { k: "object", members: keys.map((key) => ({ key, value: nodeOf(value[key]!, depth + 1) })), at: BOUND_AT };
}

function bindNode(node: unknown, values: Parameters): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    let same = true;
    const items = node.map((item: unknown) => {
      const bound = bindNode(item, values);
      if (bound !== item) same = false;
      return bound;
    });
    return same ? node : items;
  }
  const record = node as Record<string, unknown>;
  if (record["k"] === "parameter") {
    const name = record["name"] as string;
    if (!Object.hasOwn(values, name)) {
      const near = nearest(name, Object.keys(values));
      throw new KipError(
        "ReferenceError",
        `parameter :${name} is not bound${near === undefined ? "" : `; did you mean :${near}?`}`,
        {
          offset: record["at"] as number,
          details: { parameter: name },
        },
      );
    }
    return nodeOf(values[name]!);
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in record) {
    const value = record[key];
    if (typeof value !== "object" || value === null) continue;
    const bound = bindNode(value, values);
    if (bound === value) continue;
    copy ??= { ...record };
    copy[key] = bound;
  }
  return copy ?? node;
}

/** The statement with every parameter replaced by its value; an unbound name is a `ReferenceError`. */
export function bindParameters<T extends Statement>(statement: T, values: Parameters): T {
  return bindNode(statement, values) as T;
}
