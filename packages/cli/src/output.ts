/** Where the command writes: results to standard output, everything about them to standard error. */
import { stripVTControlCharacters, styleText } from "node:util";

export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** For what surrounds a result; plain where nobody sees colours. */
  dim(text: string): string;
  /** Characters of a line on standard error. */
  readonly columns: number;
}

const COLUMNS_DEFAULT = 120;

export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has enough (`| head`) is no failure.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
  return {
    out: (text) => void process.stdout.write(process.stdout.isTTY ? harmless(text) : text),
    err: (text) => void process.stderr.write(text),
    dim: (text) => styleText("dim", harmless(text), { stream: process.stderr }),
    columns: process.stderr.columns ?? COLUMNS_DEFAULT,
  };
}

// eslint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Without what would drive the reader's terminal or turn the text around it: what models, tools and memories say is not to be trusted. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replaceAll(CONTROLS, "").replaceAll(DIRECTIONS, "");
}

/** One line without control characters, cut to `max`. */
export function brief(text: string, max: number): string {
  const line = harmless(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, Math.max(0, max - 1))}…`;
}

/** Rows in columns; the last column is as wide as it likes. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === heads.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}
