/** The statistics of a report. Which and why: docs/decisions/eval-runner.md. */

/** 97.5 % quantile of the normal distribution. */
const Z_95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's 95 % interval of a proportion. `total` is at least 1. */
export function wilson(successes: number, total: number): Interval {
  const rate = successes / total;
  const square = Z_95 ** 2 / total;
  const centre = rate + square / 2;
  const spread = Z_95 * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total));
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - spread) / (1 + square)),
    high: successes === total ? 1 : Math.min(1, (centre + spread) / (1 + square)),
  };
}

/**
 * Two-sided p-value of the exact sign-flip test. `differences`: one whole number a task, the pairs that only the one
 * subject passed less those that only the other did. Under the hypothesis that subjects do not differ, each sign is a
 * fair coin. With one repetition this is McNemar's exact test; with more, the pairs of a task are not taken for
 * independent.
 */
export function exactPairedP(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Probability of each sum, at the place sum + reach.
  let chances = new Float64Array(2 * reach + 1);
  chances[reach] = 1;
  for (const size of sizes) {
    const next = new Float64Array(chances.length);
    for (const [place, chance] of chances.entries()) {
      if (chance === 0) continue;
      next[place - size]! += chance / 2;
      next[place + size]! += chance / 2;
    }
    chances = next;
  }
  let p = 0;
  for (const [place, chance] of chances.entries()) if (Math.abs(place - reach) >= observed) p += chance;
  return Math.min(1, p);
}

/** Null of none. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
