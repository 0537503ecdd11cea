/**
 * Keyword search. FTS5's OR over common words visits every row that holds one of them, so: stop words are dropped, all
 * words together are tried first, single words only while too few were found, and each step ranks a bounded number of
 * the newest matches.
 */
import type { KindCode } from "../../domain/element-id.ts";
import { searchWords } from "../../domain/search-text.ts";
import type { SearchFound } from "../../ports/space-graph.ts";
import type { SpaceDatabase } from "./space-database.ts";

/** Most matches that one step ranks. */
const RANKED_MAX = 600;

export const INDEX_OF: Readonly<Record<KindCode, string>> = {
  0: "fts_concept",
  1: "fts_proposition",
  2: "fts_proposition",
  3: "fts_record",
  4: "fts_record",
};

const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`;

export function searchIndex(db: SpaceDatabase, kind: KindCode, query: string, limit: number): SearchFound[] {
  const words = searchWords(query);
  if (words.length === 0) return [];
  const table = INDEX_OF[kind];
  // One index holds Evidence and Activities; the kind is in the row id.
  const own = kind > 2 ? ` and rowid % 8 = ${kind}` : "";
  const sql = `select rowid, rank from (select rowid, rank from ${table} where ${table} match ?${own} order by rowid desc limit ${RANKED_MAX}) order by rank limit ?`;
  const found = new Map<number, number>();
  /** Scores fall from `weight` for the best match of a step to half of it. */
  const step = (match: string, weight: number): void => {
    const rows = db.all(sql, match, limit) as [number, number][];
    const best = rows[0]?.[1] ?? 0;
    for (const [eid, rank] of rows) {
      if (!found.has(eid)) found.set(eid, weight * (0.5 + 0.5 * (best === 0 ? 1 : rank / best)));
    }
  };
  step(words.map(quote).join(" AND "), 1);
  if (found.size < limit) step(words.map((word) => `${quote(word)}*`).join(" AND "), 0.9);
  if (found.size < limit && words.length > 1) {
    for (const word of words) step(quote(word), 1 / words.length);
  }
  return [...found]
    .map(([eid, rank]) => ({ eid, rank }))
    .sort((left, right) => right.rank - left.rank || right.eid - left.eid)
    .slice(0, limit);
}
