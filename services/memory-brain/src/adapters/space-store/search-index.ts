/**
 * Keyword search. FTS5's OR over common words visits every row that holds one of them, its ranking counts every row of each
 * word, and a prefix merges the rows of all words that begin with it. So: stop words are dropped, all words together are
 * tried first, single words only while too few were found, and beginnings only of words that hardly occur themselves. Each
 * step takes a bounded number of the newest matches, those with the most words go on, and the caller ranks them by their text.
 */
import type { KindCode } from "../../domain/element-id.ts";
import { isHalfPair } from "../../domain/search-text.ts";
import type { SearchFound } from "../../ports/space-graph.ts";
import type { SpaceDatabase } from "./space-database.ts";

/** Most matches that one step gives, and most of all steps that are ranked by their text. */
const STEP_MAX = 200;
/** Shortest beginning of a word that is searched for. */
const BEGINNING_MIN = 3;
/** What a word counts that is only the beginning of one in the text. */
const BEGINNING_WEIGHT = 0.8;

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
  const most = Math.max(STEP_MAX, wanted);
  const sql = `select rowid from ${table} where ${table} match ?${own} order by rowid desc limit ${most}`;
  const matching = (match: string): number[] => db.all(sql, match).map(([eid]) => eid as number);
  const whole = matching(words.map(quote).join(" AND "));
  if (whole.length >= wanted) return whole.map((eid) => ({ eid, rank: 1 }));
  const partly = wordByWord(words, wanted, matching);
  for (const eid of whole) partly.delete(eid);
  const best = [...partly].sort(([a, left], [b, right]) => right - left || b - a).slice(0, most - whole.length);
  return [
    ...whole.map((eid) => ({ eid, rank: 1 })),
    ...best.map(([eid, share]) => ({ eid, rank: 0.6 + (0.2 * share) / words.length })),
  ];
}

/** How many of the words each element has; a beginning counts less. */
function wordByWord(
  words: readonly string[],
  wanted: number,
  matching: (match: string) => readonly number[],
): Map<number, number> {
  const shares = new Map<number, number>();
  const add = (eid: number, weight: number): unknown => shares.set(eid, (shares.get(eid) ?? 0) + weight);
  for (const word of words) {
    const exact = new Set(matching(quote(word)));
    for (const eid of exact) add(eid, 1);
    if (exact.size >= wanted || (word.length < BEGINNING_MIN && !isHalfPair(word))) continue;
    for (const eid of matching(`${quote(word)}*`)) if (!exact.has(eid)) add(eid, BEGINNING_WEIGHT);
  }
  return shares;
}
