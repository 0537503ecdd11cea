import { expect, test } from "vitest";

import { brief, harmless, table } from "./output.ts";

test("brief is one line without control characters, cut to its length", () => {
  expect(brief("a\n\tb \u001b[31mred\u001b[0m", 20)).toBe("a b red");
  expect(brief("abcdef", 4)).toBe("abc…");
  expect(brief("abcdef", 0)).toBe("…");
});

test("a table has columns as wide as their widest cell, and no space at the ends of lines", () => {
  expect(
    table(
      ["ID", "NAME"],
      [
        ["1", "one"],
        ["100", ""],
      ],
    ),
  ).toBe("ID   NAME\n1    one\n100\n");
});

test("what would drive a terminal is taken out, text and its lines stay", () => {
  expect(harmless("\u001b[31mred\u001b]0;title\u0007 a\tb\nc\u009b2J\u0008")).toBe("red a\tb\nc");
  expect(harmless("Ana\u202elive\u2066 \u200fx\u061c")).toBe("Analive x");
  expect(brief("a\u009b2J\u202eb", 20)).toBe("ab");
});
