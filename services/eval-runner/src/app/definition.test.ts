import { describe, expect, test } from "vitest";

import { CELLS_MAX, DEFINITION_BYTES_MAX, parseDefinition } from "./definition.ts";

const parse = (value: unknown) => parseDefinition(JSON.stringify(value));
const task = { id: "t", input: "i", expected: "e" };
const whole = { name: "n", subjects: [{ model: "a" }, { model: "b", name: "second" }], tasks: [task] };

test("what is left out gets its default", () => {
  const verify = { type: "exact", trim: true, ignoreCase: false };
  expect(parse(whole)).toEqual({
    name: "n",
    subjects: [
      { name: "a", model: "a", instructions: "", params: {} },
      { name: "second", model: "b", instructions: "", params: {} },
    ],
    tasks: [{ ...task, verify }],
    repetitions: 1,
    timeoutSeconds: 600,
  });
  expect(parse({ ...whole, tasks: [{ ...task, verify: "regex" }] }).tasks[0]!.verify.type).toBe("regex");
  const options = { type: "exact", trim: false, ignore_case: true };
  expect(parse({ ...whole, tasks: [{ ...task, verify: options }] }).tasks[0]!.verify).toEqual({
    type: "exact",
    trim: false,
    ignoreCase: true,
  });
});

describe("what is wrong is named", () => {
  test.each([
    [[], /the experiment: /],
    [{ ...whole, name: "" }, /^name: must not be empty/],
    [{ ...whole, name: "n".repeat(101) }, /^name: must have at most 100/],
    [{ ...whole, name: "a\nb" }, /^name: must be one line/],
    [{ ...whole, colour: 1 }, /colour/],
    [{ ...whole, subjects: [{ model: "a" }] }, /^subjects: must be two or more/],
    [{ ...whole, subjects: [{ model: "a" }, { model: "a" }] }, /^subjects\.1\.name: "a" is there twice/],
    [{ ...whole, subjects: [{ model: "a" }, {}] }, /^subjects\.1\.model: is required/],
    [{ ...whole, subjects: [{ model: "a" }, { model: "b", params: { stream: true } }] }, /^subjects\.1\.params/],
    [{ ...whole, tasks: [] }, /^tasks: must not be empty/],
    [{ ...whole, tasks: [task, task] }, /^tasks\.1\.id: "t" is there twice/],
    [{ ...whole, tasks: [{ id: "t", input: "i" }] }, /^tasks\.0\.expected: is required/],
    [{ ...whole, tasks: [{ ...task, verify: "like" }] }, /^tasks\.0\.verify: must be exact, regex/],
    [{ ...whole, tasks: [{ ...task, verify: "regex", expected: "(" }] }, /^tasks\.0\.expected: Invalid regular/],
    [{ ...whole, tasks: [{ ...task, verify: "regex", expected: "a".repeat(1_001) }] }, /at most 1000 characters/],
    [{ ...whole, repetitions: 0 }, /^repetitions: /],
  ])("%j", (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  test("too many cells", () => {
    const tasks = Array.from({ length: CELLS_MAX / 2 }, (_, index) => ({ ...task, id: `${index}` }));
    expect(parse({ ...whole, tasks }).tasks).toHaveLength(CELLS_MAX / 2);
    expect(() => parse({ ...whole, tasks, repetitions: 2 })).toThrow(/are 4000 cells; the limit is 2000/);
  });

  test("too many bytes, and no JSON", () => {
    expect(() => parseDefinition(`{"name": "${"x".repeat(DEFINITION_BYTES_MAX)}"}`)).toThrow(/1048576 bytes/);
    expect(() => parseDefinition("{")).toThrow(/not JSON/);
  });

  test("what is nested too deep to be read", () => {
    const params = `{"reasoning": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const json = `{"name": "n", "subjects": [{"model": "a", "params": ${params}}], "tasks": []}`;
    expect(() => parseDefinition(json)).toThrow(/nested deeper than 100 levels/);
  });
});
