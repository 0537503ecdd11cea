import { describe, expect, test } from "vitest";

import { cellsOf, experimentIdOf } from "./experiment.ts";
import type { Definition } from "./experiment.ts";

const verify = { type: "exact", trim: true, ignoreCase: false } as const;
const definition: Definition = {
  name: "n",
  subjects: [
    { name: "a", model: "m", instructions: "", params: { temperature: 0, top_p: 1 } },
    { name: "b", model: "m", instructions: "", params: {} },
  ],
  tasks: [{ id: "t", input: "i", verify, expected: "e" }],
  repetitions: 2,
  timeoutSeconds: 600,
};
const owner = { tenant: "acme", admin: false };
const ids = (given: Definition, whose = owner) => cellsOf(whose, given).map(({ id }) => id);

test("subjects change fastest, repetitions slowest, and every cell is there once", () => {
  const cells = cellsOf(owner, definition);
  expect(cells.map(({ index, subject, task, repetition }) => [index, subject.name, task.id, repetition])).toEqual([
    [0, "a", "t", 1],
    [1, "b", "t", 1],
    [2, "a", "t", 2],
    [3, "b", "t", 2],
  ]);
  expect(new Set(cells.map(({ id }) => id)).size).toBe(4);
});

describe("ids", () => {
  test("are the same for the same content, in whatever order its fields stand", () => {
    const [first, ...others] = definition.subjects;
    const turned = { ...definition, subjects: [{ ...first!, params: { top_p: 1, temperature: 0 } }, ...others] };
    expect(ids(turned)).toEqual(ids(definition));
    expect(experimentIdOf(owner, turned)).toBe(experimentIdOf(owner, definition));
  });

  test("stay when the experiment grows under its name, which is another experiment then", () => {
    const more = { ...definition, subjects: [...definition.subjects, { ...definition.subjects[1]!, name: "c" }] };
    const grown = { ...more, repetitions: 3 };
    expect(ids(grown)).toEqual(expect.arrayContaining(ids(definition)));
    expect(experimentIdOf(owner, grown)).not.toBe(experimentIdOf(owner, definition));
  });

  test.each([
    ["another name", { ...definition, name: "x" }, owner],
    ["another answer expected", { ...definition, tasks: [{ ...definition.tasks[0]!, expected: "x" }] }, owner],
    ["another time limit", { ...definition, timeoutSeconds: 1 }, owner],
    ["another tenant", definition, { tenant: "other", admin: false }],
    ["the rights of an admin", definition, { tenant: "acme", admin: true }],
  ])("are others for %s", (_what, given, whose) => {
    expect(ids(definition).filter((id) => ids(given, whose).includes(id))).toEqual([]);
    expect(experimentIdOf(whose, given)).not.toBe(experimentIdOf(owner, definition));
  });
});
