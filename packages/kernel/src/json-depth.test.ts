import { expect, test } from "vitest";

import { isDeeper } from "./json-depth.ts";

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  ["a text", "x", 0, false],
  ["an empty list", [], 0, true],
  ["as deep as allowed", nested(100), 100, false],
  ["one deeper", nested(101), 100, true],
  ["far deeper", nested(100_000), 100, true],
  ["deep in one of many places", { a: [1, null], b: { c: [{ d: [] }] } }, 4, true],
  ["not so deep in any", { a: [1, null], b: { c: [{ d: [] }] } }, 5, false],
])("%s", (_name, value, depth, expected) => {
  expect(isDeeper(value, depth)).toBe(expected);
});
