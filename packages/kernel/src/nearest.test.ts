import { expect, test } from "vitest";

import { NAMES_SHOWN_MAX, nearest, noSuch } from "./nearest.ts";

test.each([
  ["atuh", "AUTH"],
  ["Presom", "Person"],
  ["ASSERTON", "ASSERTION"],
  ["wrong", undefined],
  ["", undefined],
  ["x".repeat(65), undefined],
])("%s is nearest to %s", (word, expected) => {
  expect(nearest(word, ["AUTH", "Person", "ASSERTION"])).toBe(expected);
});

test("the nearest wins, and of two the first", () => {
  expect(nearest("cart", ["chart", "care", "cart"])).toBe("cart");
  expect(nearest("cart", ["care", "card"])).toBe("care");
});

test("an error names what was meant and what there is, within bounds", () => {
  expect(noSuch("model", "scrpt", ["default", "script"])).toBe(
    'there is no model "scrpt": is "script" meant? There are default, script',
  );
  expect(noSuch("agent", "x", ["script"])).toBe('there is no agent "x"; there is script');
  expect(noSuch("agent", "x", [])).toBe('there is no agent "x"');
  expect(noSuch("model", "assistant", ["agent/assistant"], "agent/assistant")).toContain('is "agent/assistant" meant?');
  const many = Array.from({ length: NAMES_SHOWN_MAX + 5 }, (_, index) => `model-${index}`);
  const long = noSuch("model", "y".repeat(10_000), many);
  expect(long).toMatch(/model-19 and 5 more$/);
  expect(long.length).toBeLessThan(400);
});
