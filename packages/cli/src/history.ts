/** What was typed before, in a file of the data directory that only its owner reads. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface History {
  /** Latest first. */
  readonly lines: readonly string[];
  save(lines: readonly string[]): void;
}

export const HISTORY_LINES_MAX = 1_000;

/** Nothing is kept where the directory does not exist. */
export function fileHistory(file: string): History {
  const known = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
  return {
    lines: known.slice(-HISTORY_LINES_MAX).toReversed(),
    save(lines) {
      if (!existsSync(dirname(file))) return;
      const text = lines.slice(0, HISTORY_LINES_MAX).toReversed().join("\n");
      writeFileSync(file, `${text}\n`, { mode: 0o600 });
    },
  };
}
