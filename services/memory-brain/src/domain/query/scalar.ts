/** Bound nodes of the tree as plain values. */
import { KipError, literalIdentity, type Data, type Json, type PatternValue, type Scalar } from "@mainspring/kip";
import type { Held } from "./algebra.ts";

export function held(json: Json): Held {
  const scalar = json === null || typeof json !== "object";
  return { json, identity: scalar ? literalIdentity(json) : JSON.stringify(json) };
}

/** The JSON of a bound data node: no variables, no calls. */
export function dataOf(node: Data | PatternValue): Json {
  switch (node.k) {
    case "literal":
      return node.value;
    case "element":
      return { id: node.id };
    case "array":
      return node.items.map((item: Data | PatternValue) => dataOf(item));
    case "object":
      return Object.fromEntries(
        node.members.map((member: { key: string; value: Data | PatternValue }) => [member.key, dataOf(member.value)]),
      );
    case "parameter":
      throw new KipError("ReferenceError", `parameter :${node.name} is not bound`, { offset: node.at });
    default:
      throw new KipError("InvalidSyntax", "a fixed value is needed here");
  }
}

/** A name or id given as a string. */
export function textOfScalar(node: Scalar, what: string): string {
  const value = dataOf(node);
  if (typeof value !== "string") throw new KipError("TypeMismatch", `${what} must be a string`);
  return value;
}

export function wholeOfScalar(node: Scalar, what: string): number {
  const value = dataOf(node);
  if (typeof value !== "number") throw new KipError("TypeMismatch", `${what} must be a number`);
  if (!Number.isInteger(value) || value < 0)
    throw new KipError("ConstraintViolation", `${what} must be a whole number from 0`);
  return value;
}
