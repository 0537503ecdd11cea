/** A query as operators over numbered variables. Compiled from the tree once; ordered by cost; run over batches of rows. */
import type { Expression, Json } from "@mainspring/kip";

/** A value that is not an element: a literal, an object, or a virtual thing (edge, belief) with fields. */
export interface Held {
  readonly json: Json;
  /** What makes two of them the same. */
  readonly identity: string;
}
/** A bound value: an element's internal id, or something held. Undefined: unbound. */
export type Value = number | Held;
export type Row = readonly (Value | undefined)[];

export type Arg = { readonly k: "const"; readonly value: Value } | { readonly k: "slot"; readonly slot: number };

/** A field of an element that has to equal a value, or that binds one. */
export interface Check {
  readonly path: readonly string[];
  readonly arg: Arg | { readonly k: "list"; readonly items: readonly Arg[] };
}

export interface ConceptOp {
  readonly op: "concept";
  readonly slot: number;
  readonly id: Arg | undefined;
  readonly types: readonly number[] | undefined;
  readonly key: Arg | undefined;
  readonly name: Arg | undefined;
  readonly checks: readonly Check[];
}
export interface RecordOp {
  readonly op: "record";
  readonly kind: 2 | 3 | 4;
  readonly slot: number;
  readonly id: Arg | undefined;
  readonly types: readonly number[] | undefined;
  readonly proposition: Arg | undefined;
  readonly actor: Arg | undefined;
  readonly checks: readonly Check[];
}
export interface PropositionOp {
  readonly op: "proposition";
  readonly slot: number | undefined;
  readonly subject: Arg;
  readonly object: Arg;
  readonly types: readonly number[] | undefined;
  readonly predicateSlot: number | undefined;
}
export interface IdOp {
  readonly op: "id";
  readonly slot: number;
  readonly eid: number;
}
export interface PathOp {
  readonly op: "path";
  readonly subject: Arg;
  readonly object: Arg;
  readonly types: readonly number[];
  readonly min: number;
  readonly max: number | undefined;
}
export interface EdgeOp {
  readonly op: "edge";
  readonly slot: number | undefined;
  readonly source: Arg;
  readonly fields: readonly number[];
  readonly fieldName: string;
  readonly target: Arg;
}
export interface BeliefOp {
  readonly op: "belief";
  readonly slot: number;
  /** A slot whose value is asked about, or one proposition. */
  readonly target:
    | { readonly k: "tuple"; readonly subject: Arg; readonly predicate: string; readonly object: Arg }
    | { readonly k: "proposition"; readonly proposition: Arg };
}
export interface SlotOp {
  readonly op: "slot";
  readonly slot: number;
  readonly subject: Arg;
  readonly predicate: string;
}
/** By the words of a text, by what is near to it, or by both. */
export const SEARCH_MODES = ["keyword", "semantic", "hybrid"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchOp {
  readonly op: "search";
  readonly slot: number;
  readonly kind: 0 | 1 | 2 | 3 | 4;
  readonly text: string;
  readonly mode: SearchMode;
  readonly types: readonly number[] | undefined;
  readonly threshold: number;
  readonly limit: number;
}
export type PatternOp = ConceptOp | RecordOp | PropositionOp | IdOp | PathOp | EdgeOp | BeliefOp | SlotOp | SearchOp;

export interface FilterOp {
  readonly op: "filter";
  readonly expression: Expression;
  readonly slots: readonly number[];
}
export interface BlockOp {
  readonly op: "not" | "optional";
  readonly block: Block;
  readonly slots: readonly number[];
}
/** What stands between two UNIONs. Order inside does not matter: patterns, then OPTIONAL, then what remains of NOT and FILTER. */
export interface Segment {
  readonly patterns: readonly PatternOp[];
  readonly optionals: readonly BlockOp[];
  readonly filters: readonly FilterOp[];
  readonly nots: readonly BlockOp[];
}
export interface Block {
  /** Segment, then alternately a UNION's branch and the segment after it. */
  readonly first: Segment;
  readonly rest: readonly { readonly branch: Block; readonly after: Segment }[];
  /** The variables that the block can bind. */
  readonly binds: readonly number[];
}

const argSlots = (...args: (Arg | undefined)[]): number[] =>
  args.flatMap((arg) => (arg?.k === "slot" ? [arg.slot] : []));
const checkSlots = (checks: readonly Check[]): number[] =>
  checks.flatMap(({ arg }) => (arg.k === "list" ? argSlots(...arg.items) : argSlots(arg)));

/** The variables that an operator binds or unifies. */
export function slotsOf(op: PatternOp): number[] {
  const own = op.op !== "path" && op.slot !== undefined ? [op.slot] : [];
  switch (op.op) {
    case "concept":
      return [...own, ...argSlots(op.id, op.key, op.name), ...checkSlots(op.checks)];
    case "record":
      return [...own, ...argSlots(op.id, op.proposition, op.actor), ...checkSlots(op.checks)];
    case "proposition":
      return [
        ...own,
        ...argSlots(op.subject, op.object),
        ...(op.predicateSlot === undefined ? [] : [op.predicateSlot]),
      ];
    case "path":
      return argSlots(op.subject, op.object);
    case "edge":
      return [...own, ...argSlots(op.source, op.target)];
    case "belief":
      return [
        ...own,
        ...(op.target.k === "tuple" ? argSlots(op.target.subject, op.target.object) : argSlots(op.target.proposition)),
      ];
    case "slot":
      return [...own, ...argSlots(op.subject)];
    case "id":
    case "search":
      return own;
  }
}
