import { describe, expect, it } from "vitest";

import { attentionCursor, attentionPosition, comparePositions } from "./attention.ts";
import { NEGATIVE_TTL_MS, NegativeCache } from "./negative-cache.ts";
import { excerptOf, PIECE_CHARACTERS_MAX, piecesOf } from "./passages.ts";
import { leastLoaded } from "./shards.ts";
import { capacityOf } from "./tier.ts";

describe("pieces of a text", () => {
  it.each([
    ["short", "abc"],
    ["paragraphs", `${"p ".repeat(3_000)}\n\n${"q ".repeat(3_000)}\n\n${"r".repeat(20_000)}`],
    ["pairs", "🌷".repeat(9_000)],
  ])("joined are the text, and none is too long: %s", (_, text) => {
    const pieces = piecesOf(text);
    expect(pieces.join("")).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(PIECE_CHARACTERS_MAX);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  });

  it("an excerpt begins shortly before the first word that was looked for", () => {
    const text = `${"x ".repeat(500)}needle ${"y ".repeat(500)}`;
    const excerpt = excerptOf(text, ["needle", "absent"], 100);
    expect(excerpt).toContain("needle");
    expect(excerpt.length).toBeLessThanOrEqual(100);
    expect(excerptOf("short", ["x"], 100)).toBe("short");
  });
});

describe("positions of attention", () => {
  it.each(["attention:start", "attention:7", "attention:7:C-12"])("%s is read and written", (cursor) => {
    expect(attentionCursor(attentionPosition(cursor))).toBe(cursor);
  });

  it("a cursor without a ref is after everything of its number", () => {
    expect(comparePositions({ seq: 7, ref: "C-12" }, attentionPosition("attention:7"))).toBeLessThan(0);
    expect(comparePositions({ seq: 7, ref: "C-2" }, attentionPosition("attention:7:C-12"))).toBeGreaterThan(0);
    expect(comparePositions({ seq: 8, ref: "C-1" }, attentionPosition("attention:7"))).toBeGreaterThan(0);
  });

  it.each(["attention", "attention:", "attention:-1", "attention:x", "attention:1:", "attention:1:C-1:2"])(
    "%s is refused",
    (cursor) => {
      expect(() => attentionPosition(cursor)).toThrow("attention cursor");
    },
  );
});

describe("what was not found", () => {
  it("is forgotten at a write and after its time, and not remembered when a write came between", () => {
    const cache = new NegativeCache();
    cache.add("a", cache.generation, 0);
    expect(cache.has("a", NEGATIVE_TTL_MS - 1)).toBe(true);
    expect(cache.has("a", NEGATIVE_TTL_MS)).toBe(false);
    const before = cache.generation;
    cache.forget();
    expect(cache.has("a", 1)).toBe(false);
    cache.add("a", before, 1);
    expect(cache.has("a", 1)).toBe(false);
  });
});

it("a new Space goes to the live shard with the fewest, and among equals to the lowest", () => {
  expect(leastLoaded([2, 1], new Map([[0, 0]]))).toBe(1);
  expect(
    leastLoaded(
      [1, 2],
      new Map([
        [1, 3],
        [2, 2],
      ]),
    ),
  ).toBe(2);
});

it("each tier holds ten times what the one below holds", () => {
  expect([0, 1, 3].map(capacityOf)).toEqual([100, 1_000, 100_000]);
});
