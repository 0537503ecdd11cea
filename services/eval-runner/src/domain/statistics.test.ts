import { describe, expect, test } from "vitest";

import { exactPairedP, wilson } from "./statistics.ts";

describe("Wilson's interval", () => {
  // Roots of (p − rate)² = z² p (1 − p) / n, from the definition.
  test.each([
    [5, 10],
    [1, 10],
    [81, 263],
  ])("%i of %i: its ends solve the equation that defines it", (successes, total) => {
    const { low, high } = wilson(successes, total);
    const rate = successes / total;
    for (const p of [low, high]) {
      expect((p - rate) ** 2).toBeCloseTo((1.959963984540054 ** 2 * p * (1 - p)) / total, 12);
    }
    expect(low).toBeLessThan(rate);
    expect(high).toBeGreaterThan(rate);
  });

  test("is known for 0 and all of ten, and stays within 0 and 1", () => {
    const none = wilson(0, 10);
    expect(none.low).toBe(0);
    expect(none.high).toBeCloseTo(0.2775, 4);
    expect(wilson(10, 10).high).toBe(1);
    expect(wilson(10, 10).low).toBeCloseTo(0.7225, 4);
  });
});

describe("the exact paired test", () => {
  /** McNemar's exact p from the binomial distribution, as it stands in textbooks. */
  function mcNemar(b: number, c: number): number {
    const n = b + c;
    let tail = 0;
    let term = 0.5 ** n;
    for (let k = 0; k <= Math.min(b, c); k += 1) {
      tail += term;
      term = (term * (n - k)) / (k + 1);
    }
    return Math.min(1, 2 * tail);
  }
  const ones = (plus: number, minus: number) => [
    ...Array.from({ length: plus }, () => 1),
    ...Array.from({ length: minus }, () => -1),
  ];

  test.each([
    [8, 2],
    [0, 6],
    [5, 5],
    [30, 12],
    [1, 0],
  ])("is McNemar's with one repetition: %i against %i", (b, c) => {
    expect(exactPairedP([...ones(b, c), 0, 0, 0])).toBeCloseTo(mcNemar(b, c), 12);
  });

  test("does not take the repetitions of one task for independent", () => {
    expect(exactPairedP([10])).toBe(1);
    expect(exactPairedP(ones(10, 0))).toBeCloseTo(2 / 1024, 12);
  });

  test("agrees with counting every assignment of signs", () => {
    const differences = [3, -1, 2, 2, 1, -2];
    const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
    let extreme = 0;
    for (let signs = 0; signs < 2 ** differences.length; signs += 1) {
      const sum = differences.reduce((total, each, bit) => total + (((signs >> bit) & 1) === 1 ? each : -each), 0);
      if (Math.abs(sum) >= observed) extreme += 1;
    }
    expect(exactPairedP(differences)).toBeCloseTo(extreme / 2 ** differences.length, 12);
  });

  test("says nothing where nothing differs", () => {
    expect(exactPairedP([])).toBe(1);
    expect(exactPairedP([0, 0])).toBe(1);
  });
});
