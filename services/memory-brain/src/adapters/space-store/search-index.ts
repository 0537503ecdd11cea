/**
 * Keyword search. FTS5's OR over common words visits every row that holds one of them, and its ranking counts every row
 * of each word. So: stop words are dropped, all words together are tried first, single words only while too few were
 * found, each step takes a bounded number of the newest matches, and the caller ranks those by their text.
 */
import type { KindCode } from "../../domain/element-id.ts";
import type { SearchFound } from "../../ports/space-graph.ts";
import type { SpaceDatabase } from "./space-database.ts";

/** Most matches that one step gives. */
const STEP_MAX = 200;

export const INDEX_OF: Readonly<Record<KindCode, string>> = {
  0: "fts_concept",
  1: "fts_proposition",
  2: "fts_proposition",
  3: "fts_record",
  4: "fts_record",
};

const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`;

export function searchIndex(
  db: SpaceDatabase,
  kind: KindCode,
  words: readonly string[],
  wanted: number,
): SearchFound[] {
  if (words.length === 0) return [];
  const table = INDEX_OF[kind];
  // One index holds Evidence and Activities; the kind is in the row id.
  const own = kind > 2 ? ` and rowid % 8 = ${kind}` : "";
  const sql = `select rowid from ${table} where ${table} match ?${own} order by rowid desc limit ${Math.max(STEP_MAX, wanted)}`;
  const found = new Map<number, number>();
  const step = (match: string, weight: number): void => {
    for (const [eid] of db.all(sql, match) as [number][]) if (!found.has(eid)) found.set(eid, weight);
  };
  step(words.map(quote).join(" AND "), 1);
  if (found.size < wanted) step(words.map((word) => `${quote(word)}*`).join(" AND "), 0.8);
  if (found.size < wanted && words.length > 1) for (const word of words) step(quote(word), 0.6);
  return [...found].map(([eid, rank]) => ({ eid, rank }));
}
