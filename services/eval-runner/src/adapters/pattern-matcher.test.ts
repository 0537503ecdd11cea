import { afterEach, expect, test } from "vitest";

import { PatternMatcher } from "./pattern-matcher.ts";

const matcher = new PatternMatcher();
afterEach(() => matcher.close());
const FOREVER = ["(a+)+$", `${"a".repeat(60)}b`, false] as const;

test("patterns match as patterns do, many at once", async () => {
  const asked = [
    matcher.matches("^4\\d$", "42", false),
    matcher.matches("ß", "ẞ", true),
    matcher.matches("a", "A", false),
  ];
  expect(await Promise.all(asked)).toEqual([true, true, false]);
});

test("one that takes forever is given up, this thread goes on meanwhile, and the next ones work", async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  const forever = matcher.matches(...FOREVER);
  const next = matcher.matches("b$", "ab", false);
  await expect(forever).rejects.toMatchObject({ code: "deadline_exceeded", reason: "pattern_too_slow" });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
  expect(await next).toBe(true);
});

test("what is no pattern is said so", async () => {
  await expect(matcher.matches("(", "", false)).rejects.toMatchObject({ reason: "invalid_pattern" });
  expect(await matcher.matches("^$", "", false)).toBe(true);
});
