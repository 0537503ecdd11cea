import { expect, test } from "vitest";

import type { MainspringError } from "./errors.ts";
import { checkJson } from "./json-check.ts";

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

function problemOf(value: unknown): Pick<MainspringError, "reason" | "param" | "message"> | null {
  try {
    expect(checkJson(value, "the body")).toBe(value);
    return null;
  } catch (error) {
    return error as MainspringError;
  }
}

test.each([
  ["as deep as allowed", nested(100), null],
  ["one deeper", nested(101), "too_deep"],
  ["far deeper", nested(100_000), "too_deep"],
  ["deep in one of many places", { a: [1, null], b: { c: [nested(98)] } }, "too_deep"],
  ["not so deep in any", { a: [1, null], b: { c: [nested(97)] } }, null],
  ["a text", "x", null],
  ["whole pairs, and what is beside them", ["\ud83d\ude00", { "\ud83d\ude00": "\ud83d\ude00" }, 1, null, true], null],
])("%s", (_name, value, reason) => {
  expect(problemOf(value)?.reason ?? null).toBe(reason);
});

test.each([
  ['"\\ud800"', undefined],
  ['{"input":[{"content":"a"},{"content":"\\udc00b"}]}', "input[1].content"],
  ['{"a":{"b":[["\\ude00\\ud83d"]]}}', "a.b[0][0]"],
  ['{"metadata":{"x\\ud800":1}}', "metadata"],
  ['{"\\ud800":1}', undefined],
])("half of a character in %s is refused, and its place named", (json, place) => {
  expect(problemOf(JSON.parse(json))).toMatchObject({ reason: "lone_surrogate", param: place });
});

test("the place is shown within bounds, and is Unicode itself", () => {
  const value: unknown = JSON.parse(`{"${"a".repeat(10_000)}":"\\ud800"}`);
  const { message } = problemOf(value)!;
  expect(message.length).toBeLessThan(300);
  expect(message.isWellFormed()).toBe(true);
});
