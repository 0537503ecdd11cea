import { KipError } from "./kip-error.ts";

export type JsonScalar = string | number | boolean | null;
export type Json = JsonScalar | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deepest value that canonical text is made of. */
export const JSON_DEPTH_MAX = 64;

const byCodeUnit = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * Canonical JSON text: keys in code-unit order, no space, `-0` as `0`, strings as they are. Two values are the same
 * exactly when their canonical texts are; digests are taken over its UTF-8 bytes.
 */
export function canonicalJson(value: Json, depth = 0): string {
  if (depth > JSON_DEPTH_MAX) {
    throw new KipError("ResourceExhausted", `a value is nested more than ${JSON_DEPTH_MAX} deep`);
  }
  if (typeof value === "number") return JSON.stringify(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item, depth + 1)).join(",")}]`;
  const object = value as JsonObject;
  const members: string[] = [];
  for (const key of Object.keys(object).sort(byCodeUnit)) {
    const member = object[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

/** The identity of a literal: NFC strings, `1 = 1.0 = 1e0`, `-0 = 0`. */
export function literalIdentity(value: JsonScalar): string {
  return canonicalJson(typeof value === "string" ? value.normalize("NFC") : value);
}

export const sameJson = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right);
