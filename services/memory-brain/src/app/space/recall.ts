/** Finding what a Space holds: for a probe where its words are, for a recall what it says about them. */
import { KipError, type Json } from "@mainspring/kip";
import type { AssertionBody, ConceptBody, ElementRow, EvidenceBody, PropositionBody } from "../../domain/element.ts";
import { formatId, KIND, kindName, kindOf, type KindCode } from "../../domain/element-id.ts";
import { searchWords, textOf } from "../../domain/search-text.ts";
import { excerptOf } from "../../domain/passages.ts";
import { contextOf } from "../meta/run-meta.ts";
import type { QueryContext } from "../query/context.ts";
import { fuse, rankByNearness, rankByWords, type Hit } from "../query/search.ts";
import { isoTime } from "../render.ts";
import { DEADLINE_MS_DEFAULT, deadlineAt } from "../session.ts";
import type { SpaceScope } from "./scope.ts";

export const HITS_MAX = 50;
const QUERY_CHARACTERS_MAX = 4_096;
/** Longest passage, in characters. */
const PASSAGE_CHARACTERS_MAX = 2_000;
/** The kinds that are looked through; among equals the earlier comes first. */
const KINDS: readonly KindCode[] = [KIND.evidence, KIND.proposition, KIND.concept];

export interface CitationRow {
  readonly entity: string;
  readonly type: string;
  readonly name: string;
  readonly confidence: number | undefined;
  readonly source: string;
  readonly createdAt: string;
  readonly text: string;
}

export interface Asked {
  readonly query: string;
  readonly limit: number;
}

export interface Found {
  readonly hits: readonly CitationRow[];
  /** Nothing more would be found. */
  readonly exhaustive: boolean;
}

function checked({ query, limit }: Asked, fallback: number): number {
  if (query.trim() === "") throw new KipError("ConstraintViolation", "the query is empty");
  if (query.length > QUERY_CHARACTERS_MAX)
    throw new KipError("ResultLimitExceeded", `a query has at most ${QUERY_CHARACTERS_MAX} characters`);
  if (limit > HITS_MAX) throw new KipError("ResultLimitExceeded", `limit is from 1 to ${HITS_MAX}`);
  return limit === 0 ? fallback : limit;
}

interface Looked {
  readonly context: QueryContext;
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/** By words alone, or by nearness too where the Space has vectors. */
function look(scope: SpaceScope, query: string, wanted: number, mode: "keyword" | "hybrid"): Looked {
  const { engine, context: caller, now } = scope;
  const { clock } = engine;
  const session = { now, caller: caller.caller, checkDeadline: deadlineAt(clock, clock() + DEADLINE_MS_DEFAULT) };
  const context = contextOf(engine, session);
  let more = false;
  const overKinds = (rank: (kind: KindCode) => Hit[]): Hit[] =>
    KINDS.flatMap((kind) => {
      const found = rank(kind);
      more ||= found.length >= wanted;
      return found;
    }).sort((left, right) => right.score - left.score);
  const asked = (kind: KindCode) => ({ kind, text: query, types: undefined });
  const near = mode === "keyword" ? [] : overKinds((kind) => rankByNearness(context, asked(kind), wanted) ?? []);
  const words = overKinds((kind) => rankByWords(context, asked(kind), wanted));
  return { context, hits: near.length === 0 ? words : fuse([words, near]), more };
}

/** Where the words are found. */
export function probe(scope: SpaceScope, asked: Asked): Found {
  const limit = checked(asked, 10);
  const { context, hits, more } = look(scope, asked.query, limit, "keyword");
  return { hits: hits.slice(0, limit).map(({ eid }) => citation(context, eid, [], false)), exhaustive: !more };
}

/** The best passages. What is rejected, or what nobody claims, is left out; what is disputed says so. */
export function recall(scope: SpaceScope, asked: Asked): Found {
  const limit = checked(asked, 8);
  const words = searchWords(asked.query);
  const { context, hits, more } = look(scope, asked.query, HITS_MAX, "hybrid");
  const shown: CitationRow[] = [];
  for (const { eid } of hits) {
    if (shown.length >= limit) break;
    const status = kindOf(eid) === KIND.proposition ? statusOf(context, eid) : "";
    if (status === "rejected" || status === "insufficient") continue;
    const row = citation(context, eid, words, true);
    if (row.text === "") continue;
    shown.push(status === "" || status === "accepted" ? row : { ...row, text: `${row.text} (${status})` });
  }
  return { hits: shown, exhaustive: !more };
}

function statusOf(context: QueryContext, eid: number): string {
  const row = context.element(eid) as ElementRow<PropositionBody>;
  const slot = context.beliefs.slots([row.a!], row.body.predicate_ref).get(context.view.canonical(row.a!))!;
  const value = slot.values.find((entry) => entry.all.some((proposition) => proposition.eid === eid));
  const belief = context.beliefs.belief(slot, value) as { readonly status: string };
  return belief.status;
}

const localName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

function nameOf(context: QueryContext, eid: number | undefined): string {
  const row = eid === undefined ? undefined : context.element(eid);
  return row === undefined ? "" : (row.name ?? row.key ?? formatId(row.eid));
}

function citation(context: QueryContext, eid: number, words: readonly string[], withText: boolean): CitationRow {
  const row = context.element(eid)!;
  const base = { entity: formatId(eid), createdAt: isoTime(row.createdAt) };
  const text = (given: () => string): string => (withText ? excerptOf(given(), words, PASSAGE_CHARACTERS_MAX) : "");
  switch (kindOf(eid)) {
    case KIND.concept: {
      const { schema_ref: ref, attributes } = row.body as ConceptBody;
      const [type, name] = [localName(ref), row.name ?? row.key ?? ""];
      const said = (): string => [`${name} (${type})`, textOf(attributes)].filter((part) => part !== "").join(": ");
      return { ...base, type, name, confidence: undefined, source: "", text: text(said) };
    }
    case KIND.proposition: {
      const { predicate_ref: ref, object, literal } = row.body as PropositionBody;
      const name = localName(ref);
      const ends = [
        nameOf(context, row.a ?? undefined),
        object === undefined ? String(literal) : nameOf(context, object),
      ];
      const { confidence, source } = claimOf(context, eid);
      return {
        ...base,
        type: "Proposition",
        name,
        confidence,
        source,
        text: text(() => `${ends[0]} ${name} ${ends[1]}`),
      };
    }
    default: {
      const { evidence_class: name, payload, source } = row.body as EvidenceBody;
      const said = (): string => textOf((payload as Readonly<Record<string, Json>> | undefined)?.["inline"]);
      const by = nameOf(context, source);
      return { ...base, type: kindName(eid), name, confidence: undefined, source: by, text: text(said) };
    }
  }
}

/** The strongest claim that supports a proposition: how sure it is, and whose it is. */
function claimOf(
  context: QueryContext,
  eid: number,
): { readonly confidence: number | undefined; readonly source: string } {
  const claims = context.view.find({ kind: KIND.assertion, a: [eid] });
  context.load(claims);
  let best: { readonly confidence: number; readonly by: number } | undefined;
  for (const claim of claims) {
    const { body } = context.element(claim) as ElementRow<AssertionBody>;
    if (body.status !== undefined || body.stance !== "support") continue;
    const confidence = body.confidence ?? 1;
    if (best === undefined || confidence > best.confidence) best = { confidence, by: body.by };
  }
  return { confidence: best?.confidence, source: nameOf(context, best?.by) };
}
