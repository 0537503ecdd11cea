import { describe, expect, test } from "vitest";

import type { Verify } from "./experiment.ts";
import { passes } from "./verify.ts";

const verify = (more: Partial<Verify>): Verify => ({ type: "exact", trim: true, ignoreCase: false, ...more });
const matches = async (pattern: string, text: string, ignoreCase: boolean) =>
  new RegExp(pattern, ignoreCase ? "iu" : "u").test(text);

describe("an answer", () => {
  test.each([
    ["exact", {}, "42", " 42\n", true],
    ["exact", {}, "42", "4 2", false],
    ["exact", { trim: false }, "42", "42\n", false],
    ["exact", {}, "Paris", "paris", false],
    ["exact", { ignoreCase: true }, "É", "e\u0301", true],
    ["regex", {}, "^\\d+$", " 42 ", true],
    ["regex", { trim: false }, "^\\d+$", " 42 ", false],
    ["regex", {}, "paris", "PARIS", false],
    ["regex", { ignoreCase: true }, "paris", "PARIS", true],
  ] as const)("%s %o: %j against %j is %s", async (type, more, expected, text, passed) => {
    expect(await passes({ verify: verify({ type, ...more }), expected }, text, matches)).toBe(passed);
  });
});
