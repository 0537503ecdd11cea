/** What the engine needs of a Space's store. All calls are synchronous: they run on the thread that owns the connection. */
import type { KipReceipt, JsonObject } from "@mainspring/kip";
import type { ElementRow, LinkRow, StateCode } from "../domain/element.ts";
import type { DraftSymbol, SchemaPackage } from "../domain/schema-package.ts";
import type { KindCode } from "../domain/element-id.ts";

/** A proposition as patterns see it: merges followed. */
export interface PropositionRow {
  readonly eid: number;
  readonly type: number;
  readonly subject: number;
  readonly object: number | null;
  readonly literal: string | null;
}

/** Undefined members do not restrict; lists restrict to any of their entries. */
export interface PropositionFilter {
  readonly types?: readonly number[];
  readonly subjects?: readonly number[];
  readonly objects?: readonly number[];
  readonly literals?: readonly string[];
  /** Archived and tombstoned ones too: what identity is decided by. */
  readonly anyState?: boolean;
}

export interface ElementFilter {
  readonly kind: KindCode;
  readonly types?: readonly number[];
  readonly key?: string;
  readonly name?: string;
  /** Archived and tombstoned ones too: what identity is decided by. */
  readonly anyState?: boolean;
  /** Column a: an assertion's proposition. */
  readonly a?: readonly number[];
  /** Column b: an assertion's actor. */
  readonly b?: readonly number[];
}

export interface ElementHead {
  readonly state: StateCode;
  readonly type: number;
}

export interface Edge extends LinkRow {
  readonly source: number;
}

export interface SearchFound {
  readonly eid: number;
  /** 0 to 1. By words how good the step was that found it, 1 where all match; by nearness the cosine. */
  readonly rank: number;
}

export interface TransactionRow {
  readonly seq: number;
  readonly at: number;
  readonly receipt: KipReceipt;
  readonly changes: readonly JsonObject[];
  readonly environment: string;
}

export interface OutcomeRow {
  readonly digest: string;
  readonly seq: number | null;
  readonly response: string;
  readonly at: number;
}

/** One consistent view of a Space: its present, or what it held at an earlier sequence number. */
export interface GraphView {
  readonly seq: number;
  /** True when the view is the present. */
  readonly current: boolean;
  element(eid: number): ElementRow | undefined;
  elements(eids: readonly number[]): Map<number, ElementRow>;
  /** The part of an element that references are checked against. */
  head(eid: number): ElementHead | undefined;
  /** Ids of active elements, unordered. */
  find(filter: ElementFilter): number[];
  propositions(filter: PropositionFilter): PropositionRow[];
  countPropositions(types: readonly number[] | undefined): number;
  /** Live links of the field; undefined members do not restrict. */
  edges(filter: {
    readonly fields?: readonly number[];
    readonly sources?: readonly number[];
    readonly targets?: readonly number[];
  }): Edge[];
  /** The concept that an id stands for, merges followed. */
  canonical(eid: number): number;
  /** True when any concept was merged into another. */
  readonly merges: boolean;
  /** True when no element is archived, tombstoned, purged or merged. */
  readonly allActive: boolean;
  /** Those of the elements that ordinary patterns leave out: archived, tombstoned, purged. */
  inactive(eids: readonly number[]): ReadonlySet<number>;
  symbol(lineage: string): number | undefined;
  lineage(symbol: number): string;
  /** About how many rows a lookup gives; never more than it costs to find out cheaply. */
  estimate(kind: KindCode, types: readonly number[] | undefined): number;
  /** Elements that hold the words; at least `wanted` of them where there are as many. */
  search(kind: KindCode, words: readonly string[], wanted: number): SearchFound[];
  /** Whether elements are found by what they are near to. */
  readonly semantic: boolean;
  /** Elements nearest to the text, best first, with their cosine; undefined where there is nothing to compare. */
  nearest(kind: KindCode, text: string, wanted: number): SearchFound[] | undefined;
  /** Whether the text of an element that is near has really something in common with what it is near to. */
  confirmsNear(query: string, text: string): boolean;
  /** The transactions up to this number are in the search index. */
  readonly indexSeq: number;
  clientKey(key: string): { readonly eid: number; readonly digest: string } | undefined;
  transaction(seq: number): TransactionRow | undefined;
  transactions(after: number, upTo: number, limit: number): TransactionRow[];
  seqAt(time: number): number;
  versionsOf(eid: number): ElementRow[];
  outcome(key: string): OutcomeRow | undefined;
  packages(): readonly SchemaPackage[];
  drafts(): readonly DraftSymbol[];
}

/** The writer's view: the present, with what the open transaction wrote. */
export interface GraphWriter extends GraphView {
  allocate(kind: KindCode): number;
  symbolOrNew(lineage: string): number;
  insert(row: ElementRow): void;
  /** Writes the row; the row as it was stays readable at earlier sequence numbers. */
  update(row: ElementRow): void;
  addLink(source: number, link: LinkRow): void;
  removeLinks(source: number, field: number): void;
  /** Follows a merge in every proposition, assertion and link that names the source. */
  repoint(source: number, target: number): void;
  /** Makes the element found by the text. `fresh`: it has no entry yet. */
  index(eid: number, text: string, fresh: boolean): void;
  /** Removes every earlier version, link and index entry of the element and leaves its row as given. */
  erase(row: ElementRow, keepLinks: boolean): void;
  /** Removes one member of an element's body from every earlier version of it. */
  scrub(eid: number, member: string): void;
  setClientKey(key: string, eid: number, digest: string): void;
  addDraft(draft: DraftSymbol): void;
  promoteDraft(kind: string, name: string, target: string): void;
  /** The number of the transaction that is open. */
  readonly nextSeq: number;
  /** The concepts that were merged directly into this one. */
  mergedInto(eid: number): number[];
  /** Propositions and claims that would be left without what they are about, and concepts that were merged into it. */
  dependents(eid: number): number[];
  commit(row: TransactionRow): void;
  setOutcome(key: string, outcome: OutcomeRow): void;
  references(eid: number): number;
}
