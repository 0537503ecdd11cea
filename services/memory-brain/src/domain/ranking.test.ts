import { Seeded } from "@mainspring/testkit";
import { describe, expect, it } from "vitest";
import { fuseRanks } from "./rank-fusion.ts";
import { indexForm, searchWords } from "./search-text.ts";
import { TopK } from "./top-k.ts";

const SEED = Number(process.env["KIP_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

describe("words", () => {
  it("are without case and marks, in the index and in a query alike", () => {
    expect(indexForm("Ámber RIVER, naïve—Ёлка")).toBe("amber river naive елка");
    expect(searchWords("the ámber of RIVERS")).toEqual(["amber", "rivers"]);
  });

  it("of letters without spaces are pairs of neighbours; a single letter stays one", () => {
    expect(indexForm("安娜搬到了")).toBe("安娜 娜搬 搬到 到了");
    expect(indexForm("Tokyo東京2026")).toBe("tokyo 2026 東京");
    expect(indexForm("猫 が")).toBe("猫 が");
    expect(indexForm("서울에서")).toBe("서울 울에 에서");
  });

  it("keep what makes another sound of a Kana", () => {
    expect(indexForm("カキ")).not.toBe(indexForm("ガギ"));
  });
});

describe("rank fusion", () => {
  it("is 1 for what is first everywhere, and half of that for what is first in one of two", () => {
    const scores = fuseRanks([
      [1, 2, 3],
      [1, 4],
    ]);
    expect(scores.get(1)).toBe(1);
    expect(scores.get(2)).toBeCloseTo(61 / 62 / 2);
    expect(scores.get(4)).toBe(scores.get(2));
  });

  it("prefers what stands in both rankings to what is first in one", () => {
    const scores = fuseRanks([
      [1, 2, 3],
      [4, 3],
    ]);
    expect(Math.max(...scores.values())).toBe(scores.get(3));
  });
});

describe(`the best of many, KIP_SEED=${SEED}`, () => {
  it("are what sorting gives, ties by id", () => {
    const rng = new Seeded(SEED);
    for (let round = 0; round < 300; round += 1) {
      const max = rng.int(12);
      const items = Array.from({ length: rng.int(60) }, (_, eid) => ({ eid, score: rng.int(10) }));
      const shuffled = items.toSorted(() => rng.int(3) - 1);
      const best = new TopK(max);
      for (const { eid, score } of shuffled) best.add(eid, score);
      const expected = items.toSorted((left, right) => right.score - left.score || left.eid - right.eid).slice(0, max);
      expect(best.sorted(), `round ${round}`).toEqual(expected);
    }
  });
});
