/** Medians and spreads. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export interface Row {
  readonly what: string;
  /** One value a repetition. */
  readonly values: readonly number[];
  readonly unit: string;
  /** What must be reached, as text. */
  readonly target: string;
  /** Whether the median reaches it; null where there is no target. */
  readonly met: boolean | null;
  readonly note?: string;
}

export function printRows(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}\n`);
  console.log("| what | median | spread | target | met |");
  console.log("|---|---|---|---|---|");
  for (const { what, values, unit, target, met, note } of rows) {
    const shown = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));
    const spread = values.length > 1 ? `${shown(Math.min(...values))} – ${shown(Math.max(...values))}` : "";
    const verdict = met === null ? "" : met ? "yes" : "NO";
    console.log(
      `| ${what}${note === undefined ? "" : ` (${note})`} | ${shown(median(values))} ${unit} | ${spread} | ${target} | ${verdict} |`,
    );
  }
}
