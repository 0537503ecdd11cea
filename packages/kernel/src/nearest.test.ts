import { expect, test } from "vitest";

import { nearest } from "./nearest.ts";

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
