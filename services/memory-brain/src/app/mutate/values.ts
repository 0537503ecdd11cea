/** Assigned values: bound data, handles as references, and the update expressions over the target's own state. */
import {
  checkTimestamp,
  isObject,
  KipError,
  type Data,
  type DataObject,
  type Expression,
  type Json,
  type JsonObject,
  type Ref,
  type TimePoint,
} from "@mainspring/kip";
import { formatId, requireId } from "../../domain/element-id.ts";
import type { Transaction } from "./transaction.ts";

/** The target whose state update expressions read. */
export interface OwnState {
  readonly variable: string | undefined;
  readonly read: (steps: readonly string[]) => Json | undefined;
}

const UPDATE_FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ADD: [2, 16],
  MUL: [2, 16],
  CLAMP: [3, 3],
  COALESCE: [2, 16],
};

function update(transaction: Transaction, node: Extract<Data, { k: "call" }>, own: OwnState | undefined): Json {
  const arity = Object.hasOwn(UPDATE_FUNCTIONS, node.name) ? UPDATE_FUNCTIONS[node.name] : undefined;
  if (arity === undefined || own === undefined) {
    throw new KipError("InvalidSyntax", `${node.name} cannot be assigned here`, {
      offset: node.at,
      hint: "Update expressions are ADD, MUL, CLAMP and COALESCE, in UPDATE.",
    });
  }
  if (node.args.length < arity[0] || node.args.length > arity[1])
    throw new KipError("InvalidSyntax", `${node.name} takes ${arity[0]} arguments`, { offset: node.at });
  const values = node.args.map((arg) => operand(transaction, arg, own));
  if (node.name === "COALESCE") return values.find((value) => value !== null) ?? null;
  if (!values.every((value) => typeof value === "number")) return null;
  const result =
    node.name === "ADD"
      ? values.reduce((sum, value) => sum + value, 0)
      : node.name === "MUL"
        ? values.reduce((product, value) => product * value, 1)
        : Math.min(Math.max(values[0]!, values[1]!), values[2]!);
  return Number.isFinite(result) ? result : null;
}

function operand(transaction: Transaction, node: Expression, own: OwnState): Json {
  if (node.k === "unary" || node.k === "binary")
    throw new KipError("InvalidSyntax", "an update expression takes values, paths and update functions");
  if (node.k === "call") return update(transaction, node, own);
  return valueOf(transaction, node, own) ?? null;
}

/** The JSON of an assigned value; undefined where an update expression gave nothing and the key is skipped. */
export function valueOf(transaction: Transaction, node: Data, own?: OwnState): Json | undefined {
  switch (node.k) {
    case "literal":
      return node.value;
    case "element":
      return { id: node.id };
    case "array":
      return node.items.map((item) => valueOf(transaction, item, own) ?? null);
    case "object":
      return objectOf(transaction, node, own);
    case "call":
      return update(transaction, node, own) ?? undefined;
    case "variable": {
      const handle = transaction.handleOf(node.name);
      if (handle === undefined)
        throw new KipError("ReferenceError", `?${node.name} is not a handle of this transaction`, { offset: node.at });
      return { id: formatId(handle) };
    }
    case "path":
      if (own?.variable !== node.name)
        throw new KipError("InvalidSyntax", "an update expression reads only the target's own paths", {
          offset: node.at,
        });
      return own.read(node.steps);
    case "parameter":
      throw new KipError("ReferenceError", `parameter :${node.name} is not bound`, { offset: node.at });
  }
}

export function objectOf(transaction: Transaction, node: DataObject | undefined, own?: OwnState): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const { key, value } of node?.members ?? []) {
    const json = valueOf(transaction, value, own);
    // An update expression without a result leaves its key as it is.
    if (json === undefined || (json === null && value.k === "call")) continue;
    values[key] = json;
  }
  return values;
}

/** The element that a reference names; merged concepts stand for what they were merged into. */
export function refOf(transaction: Transaction, ref: Ref | Data, what = "a reference"): number {
  if (ref.k === "variable") {
    const handle = transaction.handleOf(ref.name);
    if (handle === undefined) throw new KipError("ReferenceError", `?${ref.name} is not bound`, { offset: ref.at });
    return handle;
  }
  const json = valueOf(transaction, ref);
  return idOfJson(json, what);
}

export function idOfJson(json: Json | undefined, what: string): number {
  const id =
    typeof json === "string" ? json : isObject(json) && Object.keys(json).length === 1 ? json["id"] : undefined;
  if (typeof id !== "string") throw new KipError("TypeMismatch", `${what} must be an element`);
  return requireId(id);
}

export function idsOfJson(json: Json, what: string): number[] {
  return (Array.isArray(json) ? (json as Json[]) : [json]).map((item) => idOfJson(item, what));
}

export function textOf(values: JsonObject, key: string): string | undefined {
  const value = values[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new KipError("TypeMismatch", `${key} must be a string`);
  return value;
}

function timePoint(value: Json | undefined, field: string): TimePoint | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return checkTimestamp(value, field);
  const unknown = Object.keys(value).find((key) => key !== "earliest" && key !== "latest");
  if (unknown !== undefined || Object.keys(value).length === 0)
    throw new KipError("ConstraintViolation", `${field} is a timestamp or {earliest, latest}`);
  const earliest = value["earliest"] === undefined ? undefined : checkTimestamp(value["earliest"], `${field}.earliest`);
  const latest = value["latest"] === undefined ? undefined : checkTimestamp(value["latest"], `${field}.latest`);
  if (earliest !== undefined && latest !== undefined && latest < earliest)
    throw new KipError("ConstraintViolation", `${field} ends before it begins`);
  return { ...(earliest === undefined ? {} : { earliest }), ...(latest === undefined ? {} : { latest }) };
}

const VALID_HINT =
  'Write {from: "2026-05-03T00:00:00.000Z", until: "…"}: each may be left out, or be bounds {earliest, latest}.';

export function validTime(value: Json | undefined): { readonly from?: TimePoint; readonly until?: TimePoint } {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new KipError("TypeMismatch", "valid time must be {from, until}", { hint: VALID_HINT });
  const unknown = Object.keys(value).filter((key) => key !== "from" && key !== "until");
  if (unknown.length > 0) {
    const names = unknown.map((key) => JSON.stringify(key)).join(" or ");
    const message = `valid time has no member ${names}; its members are from and until`;
    throw new KipError("SchemaFieldNotFound", message, { hint: VALID_HINT });
  }
  const from = timePoint(value["from"], "valid.from");
  const until = timePoint(value["until"], "valid.until");
  if (typeof from === "string" && typeof until === "string" && until <= from) {
    throw new KipError("ConstraintViolation", "valid time ends before it begins");
  }
  return { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) };
}
