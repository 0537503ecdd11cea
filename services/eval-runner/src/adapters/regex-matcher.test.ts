import { expect, test } from "vitest";

import { matchPattern } from "./regex-matcher.ts";

test("patterns match as patterns do", () => {
  expect(matchPattern("^4\\d$", "42", false)).toBe(true);
  expect(matchPattern("ß", "ẞ", true)).toBe(true);
  expect(matchPattern("a", "A", false)).toBe(false);
});

test("one that takes forever is broken off, and the next works", () => {
  expect(() => matchPattern("(a+)+$", `${"a".repeat(60)}b`, false)).toThrow(/longer than 50 ms/);
  expect(matchPattern("b$", "ab", false)).toBe(true);
});

test("what is no pattern is said so", () => {
  expect(() => matchPattern("(", "", false)).toThrow(/Invalid regular expression/);
});

test("nothing of a match is left for the next", () => {
  matchPattern("secret", "secret", false);
  expect(() => matchPattern("(?<text>x)(?<text>y)", "xy", false)).toThrow();
  expect(matchPattern("^$", "", false)).toBe(true);
});
