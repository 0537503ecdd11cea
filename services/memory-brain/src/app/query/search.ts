/** Finding elements by the words of a text, by what they are near to, or by both. */
import { KipError } from "@mainspring/kip";
import { STATE } from "../../domain/element.ts";
import { KIND, type KindCode } from "../../domain/element-id.ts";
import type { SearchMode } from "../../domain/query/algebra.ts";
import { fuseRanks } from "../../domain/rank-fusion.ts";
import { indexedText, matchQuality, searchWords } from "../../domain/search-text.ts";
import type { SearchFound } from "../../ports/space-graph.ts";
import type { QueryContext } from "./context.ts";

/** Matches a search asks for beyond its limit, so that types can be filtered and inactive elements left out. */
const SEARCH_WIDENING = 8;
const SEARCH_FETCH_MAX = 2000;
/** Concepts whose propositions a search of propositions and claims looks at. */
const ENDS_MAX = 20;
/** Least of each ranking that is joined with the other. */
const FUSED_MIN = 50;

export interface Hit {
  readonly eid: number;
  /** 0 to 1, comparable within one search. */
  readonly score: number;
}

export interface Sought {
  readonly kind: KindCode;
  readonly text: string;
  readonly types: readonly number[] | undefined;
  readonly threshold: number;
  readonly limit: number;
  readonly mode: SearchMode;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** How it was searched in the end: a hybrid search is one by words where there is nothing to compare. */
  readonly mode: SearchMode;
}

/** Best first. Claims are found by what their proposition says, propositions also by their ends. */
export function searchElements(context: QueryContext, sought: Sought): SearchResult {
  const { view } = context;
  const { mode, types, threshold, limit } = sought;
  if (!view.current) throw new KipError("HistoricalSearchUnavailable", "an earlier state is not indexed");
  if (mode !== "keyword" && !view.semantic)
    throw new KipError(
      "SearchModeUnsupported",
      `search mode ${JSON.stringify(mode)} needs an embedder, and none is on`,
    );
  if (types?.length === 0 || limit === 0) return { hits: [], mode };
  const enough = (hits: readonly Hit[]): Hit[] => hits.filter(({ score }) => score >= threshold).slice(0, limit);
  if (mode === "keyword") return { hits: enough(rankByWords(context, sought, limit)), mode };
  if (mode === "semantic") {
    const near = rankByNearness(context, sought, limit);
    if (near !== undefined) return { hits: enough(near), mode };
    throw new KipError("ResourceExhausted", "this Space has more vectors than are compared; search by keyword", {
      details: { limit: "vectors" },
    });
  }
  const pool = Math.max(FUSED_MIN, limit);
  const near = rankByNearness(context, sought, pool);
  const words = rankByWords(context, sought, pool);
  return near === undefined ? { hits: enough(words), mode: "keyword" } : { hits: enough(fuse([words, near])), mode };
}

/** One ranking of several; the score says where they stand in those. */
export function fuse(rankings: readonly (readonly Hit[])[]): Hit[] {
  const scores = fuseRanks(rankings.map((hits) => hits.map(({ eid }) => eid)));
  return [...scores].map(([eid, score]) => ({ eid, score })).sort((left, right) => right.score - left.score);
}

type Asked = Pick<Sought, "kind" | "text" | "types">;
type Source = (kind: KindCode, wanted: number) => readonly SearchFound[];

export function rankByWords(context: QueryContext, asked: Asked, wanted: number): Hit[] {
  const words = searchWords(asked.text);
  return ranked(context, asked, wanted, (kind, count) => {
    const found = context.view.search(kind, words, count);
    context.load(found.map(({ eid }) => eid));
    return found.map(({ eid, rank }) => ({
      eid,
      rank: rank * (0.5 + 0.5 * matchQuality(words, textOfElement(context, eid))),
    }));
  });
}

/** Undefined where there is nothing to compare. */
export function rankByNearness(context: QueryContext, asked: Asked, wanted: number): Hit[] | undefined {
  const { view } = context;
  if (view.nearest(asked.kind, asked.text, 0) === undefined) return undefined;
  return ranked(context, asked, wanted, (kind, count) => {
    const found = view.nearest(kind, asked.text, count) ?? [];
    context.load(found.map(({ eid }) => eid));
    return found.filter(({ eid }) => view.confirmsNear(asked.text, textOfElement(context, eid)));
  });
}

function ranked(context: QueryContext, { kind, types }: Asked, wanted: number, source: Source): Hit[] {
  const { view } = context;
  const fetched = Math.min(SEARCH_FETCH_MAX, types === undefined ? wanted : wanted * SEARCH_WIDENING);
  const own = source(kind === KIND.assertion ? KIND.proposition : kind, fetched);
  let ranks = new Map(own.map(({ eid, rank }) => [eid, rank]));
  if (kind === KIND.proposition || kind === KIND.assertion) addByEnds(context, ranks, fetched, source);
  if (kind === KIND.assertion) {
    const claims = view.find({ kind, a: [...ranks.keys()] });
    context.load(claims);
    ranks = new Map(claims.map((eid) => [eid, ranks.get(context.element(eid)!.a!) ?? 0]));
  }
  context.load(ranks.keys());
  const fits = (eid: number): boolean => {
    const row = context.element(eid);
    return row !== undefined && row.state === STATE.active && (types === undefined || types.includes(row.type));
  };
  return [...ranks]
    .filter(([eid]) => fits(eid))
    .map(([eid, score]) => ({ eid, score }))
    .sort((left, right) => right.score - left.score || left.eid - right.eid)
    .slice(0, wanted);
}

function textOfElement(context: QueryContext, eid: number): string {
  const row = context.element(eid);
  return row === undefined ? "" : indexedText(row);
}

function addByEnds(context: QueryContext, ranks: Map<number, number>, wanted: number, source: Source): void {
  const { view } = context;
  const ends = source(KIND.concept, Math.min(ENDS_MAX, wanted))
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, ENDS_MAX);
  if (ends.length === 0) return;
  const rankOf = new Map(ends.map(({ eid, rank }) => [view.canonical(eid), rank]));
  const ids = [...rankOf.keys()];
  for (const row of [...view.propositions({ subjects: ids }), ...view.propositions({ objects: ids })]) {
    if (ranks.size >= SEARCH_FETCH_MAX) return;
    const rank = Math.max(rankOf.get(row.subject) ?? 0, rankOf.get(row.object ?? -1) ?? 0) / 2;
    if ((ranks.get(row.eid) ?? 0) < rank) ranks.set(row.eid, rank);
  }
}
