import { expect, test } from "vitest";

import { ArgumentChecker } from "./arguments.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer", minimum: 0, default: 7 },
    kind: { enum: ["a", "b"] },
  },
  required: ["path"],
  additionalProperties: false,
};
const checker = new ArgumentChecker();

test("defaults are filled in", () => {
  expect(checker.check(SCHEMA, '{"path":"x"}')).toEqual({ ok: true, value: { path: "x", limit: 7 } });
});

test("no text stands for no arguments", () => {
  expect(checker.check({ type: "object" }, "")).toEqual({ ok: true, value: {} });
});

test.each([
  ["{", "not valid JSON"],
  ["[1]", "must be a JSON object"],
  ["null", "must be a JSON object"],
  ["", "required property 'path'"],
  ['{"path":1}', "path must be string"],
  ['{"path":"x","limit":-1}', "limit must be >= 0"],
  ['{"path":"x","other":1}', "other"],
  ['{"path":"x","kind":"c"}', '["a","b"]'],
])("%s is refused in words", (json, words) => {
  const checked = checker.check(SCHEMA, json);
  expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
});

test("a schema that is none is refused", () => {
  expect(() => checker.compile({ type: "nonsense" })).toThrow(/schema/i);
});
