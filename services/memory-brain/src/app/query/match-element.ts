/** Concepts, records and searches as patterns. */
import type { Json } from "@mainspring/kip";
import type { ElementRow } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { kindOf, parseId } from "../../domain/element-id.ts";
import type { Check, ConceptOp, RecordOp, Row, SearchOp, Value } from "../../domain/query/algebra.ts";
import type { QueryContext } from "./context.ts";
import { searchElements } from "./search.ts";

const textIn = (value: Value | undefined): string | undefined =>
  value !== undefined && typeof value !== "number" && typeof value.json === "string" ? value.json : undefined;

export class ElementMatcher {
  readonly #context: QueryContext;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  /** The element where the pattern names it by id; merged concepts are addressed as themselves. */
  #named(op: ConceptOp | RecordOp, row: Row): number | undefined {
    const bound = row[op.slot];
    if (bound !== undefined) return typeof bound === "number" ? bound : Number.NaN;
    if (op.id === undefined) return undefined;
    const id = this.#context.valueOf(op.id, row);
    if (typeof id === "number") return id;
    const text = textIn(id);
    return text === undefined ? undefined : (parseId(text) ?? Number.NaN);
  }

  #emit(op: ConceptOp | RecordOp, row: Row, eid: number, result: Row[], byKey = false): void {
    const element = this.#context.element(eid);
    if (element === undefined || !this.#fits(op, element)) return;
    let next = this.#context.unify(row, { k: "slot", slot: op.slot }, eid);
    if (next !== undefined && op.id?.k === "slot" && next[op.id.slot] === undefined) {
      next = this.#check(next, element, { path: ["id"], arg: op.id });
    }
    for (const check of this.#checksOf(op, byKey)) {
      if (next === undefined) return;
      next = this.#check(next, element, check);
    }
    if (next !== undefined) this.#context.push(result, next);
  }

  /** A concept found by its key needs no check of it: it may be what the holder of the key was merged into. */
  #checksOf(op: ConceptOp | RecordOp, byKey: boolean): readonly Check[] {
    const extra: Check[] = [];
    if (op.op === "concept") {
      if (op.key !== undefined && !byKey) extra.push({ path: ["key"], arg: op.key });
      if (op.name !== undefined) extra.push({ path: ["name"], arg: op.name });
    } else {
      if (op.proposition !== undefined) extra.push({ path: ["proposition"], arg: op.proposition });
      if (op.actor !== undefined) extra.push({ path: ["asserted_by"], arg: op.actor });
    }
    return extra.length === 0 ? op.checks : [...extra, ...op.checks];
  }

  #fits(op: ConceptOp | RecordOp, element: ElementRow): boolean {
    const kind = op.op === "concept" ? 0 : op.kind;
    if (kindOf(element.eid) !== kind) return false;
    if (element.state !== STATE.active && element.state !== STATE.merged) return false;
    return op.types === undefined || op.types.includes(element.type);
  }

  #check(row: Row, element: ElementRow, check: Check): Row | undefined {
    const [first, ...rest] = check.path as [string, ...string[]];
    if (first === "facets" && rest.length > 0) rest[0] = this.#context.renderer.facetName(rest[0]!);
    let json: Json | undefined = this.#context.renderer.field(element, first);
    for (const step of rest) {
      if (json === null || typeof json !== "object" || json === undefined) return undefined;
      json = Object.hasOwn(json, step) ? (json as Record<string, Json>)[step] : undefined;
    }
    if (json === undefined) return undefined;
    if (check.arg.k !== "list") return this.#context.unify(row, check.arg, this.#context.bindable(json, parseId));
    if (!Array.isArray(json) || json.length !== check.arg.items.length) return undefined;
    let next: Row | undefined = row;
    for (const [index, item] of check.arg.items.entries()) {
      if (next === undefined) return undefined;
      next = this.#context.unify(next, item, this.#context.bindable((json as Json[])[index]!, parseId));
    }
    return next;
  }

  /** Rows whose element is named by id take it; the others share the lookups that `find` makes for them. */
  #match(
    op: ConceptOp | RecordOp,
    rows: readonly Row[],
    find: (row: Row) => { readonly key: string; readonly ids: () => number[]; readonly byKey?: boolean },
  ): Row[] {
    const result: Row[] = [];
    if (op.types?.length === 0) return result;
    const cached = new Map<string, number[]>();
    const named = rows.map((row) => this.#named(op, row));
    this.#context.load(named.filter((eid) => eid !== undefined && !Number.isNaN(eid)) as number[]);
    rows.forEach((row, index) => {
      const eid = named[index];
      if (eid !== undefined) {
        if (!Number.isNaN(eid)) this.#emit(op, row, eid, result);
        return;
      }
      const { key, ids, byKey } = find(row);
      let found = cached.get(key);
      if (found === undefined) {
        found = ids();
        this.#context.load(found);
        cached.set(key, found);
      }
      for (const candidate of found) this.#emit(op, row, candidate, result, byKey);
    });
    return result;
  }

  concept(op: ConceptOp, rows: readonly Row[]): Row[] {
    const { view } = this.#context;
    const types = op.types === undefined ? {} : { types: op.types };
    return this.#match(op, rows, (row) => {
      const key = op.key === undefined ? undefined : textIn(this.#context.valueOf(op.key, row));
      const name = op.name === undefined ? undefined : textIn(this.#context.valueOf(op.name, row));
      const by = key !== undefined ? { key } : name !== undefined ? { name } : {};
      return {
        key: JSON.stringify([key, key === undefined ? name : undefined]),
        ids: () => view.find({ kind: 0, ...types, ...by }),
        byKey: key !== undefined,
      };
    });
  }

  record(op: RecordOp, rows: readonly Row[]): Row[] {
    const { view } = this.#context;
    const columnOf = (row: Row): { readonly a?: number[]; readonly b?: number[] } | undefined => {
      const proposition = op.proposition === undefined ? undefined : this.#context.valueOf(op.proposition, row);
      const actor = op.actor === undefined ? undefined : this.#context.valueOf(op.actor, row);
      if (proposition !== undefined) return typeof proposition === "number" ? { a: [proposition] } : undefined;
      if (actor !== undefined) return typeof actor === "number" ? { b: [view.canonical(actor)] } : undefined;
      return {};
    };
    if (op.proposition?.k === "slot") this.#preloadAssertions(op, op.proposition.slot, rows);
    const types = op.types === undefined ? {} : { types: op.types };
    return this.#match(op, rows, (row) => {
      const column = columnOf(row);
      return {
        key: JSON.stringify(column ?? "none"),
        ids: () => {
          if (column === undefined) return [];
          const ready = column.a === undefined ? undefined : this.#assertionsOf.get(column.a[0]!);
          return ready ?? view.find({ kind: op.kind, ...types, ...column });
        },
      };
    });
  }

  readonly #assertionsOf = new Map<number, number[]>();

  /** The assertions of all bound propositions in one lookup. */
  #preloadAssertions(op: RecordOp, slot: number, rows: readonly Row[]): void {
    const bound = new Set<number>();
    for (const row of rows) {
      const value = row[slot];
      if (typeof value === "number" && row[op.slot] === undefined && !this.#assertionsOf.has(value)) bound.add(value);
    }
    if (bound.size < 2) return;
    const ids = this.#context.view.find({ kind: 2, a: [...bound] });
    this.#context.load(ids);
    for (const eid of bound) this.#assertionsOf.set(eid, []);
    for (const eid of ids) this.#assertionsOf.get(this.#context.element(eid)!.a!)!.push(eid);
  }

  search(op: SearchOp, rows: readonly Row[]): Row[] {
    const { hits, mode } = searchElements(this.#context, op);
    const scores = new Map<number, { readonly score: number; readonly mode: string }>();
    for (const hit of hits) scores.set(hit.eid, { score: hit.score, mode });
    this.#context.retrieval.set(op.slot, scores);
    const result: Row[] = [];
    for (const row of rows) {
      for (const hit of hits) {
        const next = this.#context.unify(row, { k: "slot", slot: op.slot }, hit.eid);
        if (next !== undefined) this.#context.push(result, next);
      }
    }
    return result;
  }
}
