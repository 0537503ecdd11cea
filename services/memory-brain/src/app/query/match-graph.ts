/** Propositions, paths and structural links. Rows are taken in batches: one lookup serves all rows of a batch. */
import { KipError, PATH_HOPS_MAX, type Json } from "@mainspring/kip";
import type { PropositionBody } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { formatId, kindOf } from "../../domain/element-id.ts";
import type { Arg, EdgeOp, Held, IdOp, PathOp, PropositionOp, Row, Value } from "../../domain/query/algebra.ts";
import type { Edge, PropositionRow } from "../../ports/space-graph.ts";
import type { QueryContext } from "./context.ts";

const literalOf = (identity: string): Held => ({ json: JSON.parse(identity) as Json, identity });
const objectOf = (row: PropositionRow): Value => row.object ?? literalOf(row.literal!);

/** What a row already knows of a proposition; a lookup is chosen by it. */
interface Known {
  readonly row: Row;
  readonly proposition: number | undefined;
  readonly subject: number | undefined;
  readonly object: Value | undefined;
}

function groupKey(known: Known): string {
  if (known.proposition !== undefined) return "proposition";
  const object = known.object === undefined ? "" : typeof known.object === "number" ? "element" : "literal";
  return `${known.subject === undefined ? "" : "subject"} ${object}`;
}

function push<K>(index: Map<K, PropositionRow[]>, key: K, row: PropositionRow): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [row]);
  else list.push(row);
}

export class GraphMatcher {
  readonly #context: QueryContext;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  #know(op: PropositionOp, row: Row): Known | undefined {
    const { view } = this.#context;
    const proposition = op.slot === undefined ? undefined : row[op.slot];
    const subject = this.#context.valueOf(op.subject, row);
    const object = this.#context.valueOf(op.object, row);
    if (
      (proposition !== undefined && typeof proposition !== "number") ||
      (subject !== undefined && typeof subject !== "number")
    )
      return undefined;
    return {
      row,
      proposition,
      subject: subject === undefined ? undefined : view.canonical(subject),
      object: typeof object === "number" ? view.canonical(object) : object,
    };
  }

  /** The propositions that a group of rows may match, reached by what the rows know. */
  #fetch(op: PropositionOp, group: readonly Known[]): (known: Known) => readonly PropositionRow[] {
    const { view } = this.#context;
    const first = group[0]!;
    const types = op.types === undefined ? {} : { types: op.types };
    if (first.proposition !== undefined) return this.#byId(op, group);
    if (first.subject !== undefined) {
      const subjects = [...new Set(group.map((known) => known.subject!))];
      const objects = first.object === undefined ? undefined : [...new Set(group.map((known) => known.object!))];
      const narrow =
        objects === undefined
          ? {}
          : typeof objects[0] === "number"
            ? { objects: objects as number[] }
            : { literals: (objects as Held[]).map((object) => object.identity) };
      const index = new Map<number, PropositionRow[]>();
      for (const row of view.propositions({ ...types, subjects, ...narrow })) push(index, row.subject, row);
      return (known) => index.get(known.subject!) ?? [];
    }
    if (first.object !== undefined) {
      const objects = [
        ...new Set(
          group.map((known) => (typeof known.object === "number" ? known.object : (known.object as Held).identity)),
        ),
      ];
      const filter =
        typeof objects[0] === "number" ? { objects: objects as number[] } : { literals: objects as string[] };
      const index = new Map<number | string, PropositionRow[]>();
      for (const row of view.propositions({ ...types, ...filter })) push(index, row.object ?? row.literal!, row);
      return (known) =>
        index.get(typeof known.object === "number" ? known.object : (known.object as Held).identity) ?? [];
    }
    const all = view.propositions(types);
    return () => all;
  }

  #byId(op: PropositionOp, group: readonly Known[]): (known: Known) => readonly PropositionRow[] {
    this.#context.load(group.map((known) => known.proposition!));
    return ({ proposition }) => {
      const row = this.#context.element(proposition!);
      if (row === undefined || kindOf(row.eid) !== 1 || row.state !== STATE.active) return [];
      if (op.types !== undefined && !op.types.includes(row.type)) return [];
      return [{ eid: row.eid, type: row.type, subject: row.a!, object: row.b, literal: row.literal }];
    };
  }

  proposition(op: PropositionOp, rows: readonly Row[]): Row[] {
    if (op.types?.length === 0) return [];
    const result: Row[] = [];
    const fresh = new Set<number>();
    const known = rows.flatMap((row) => this.#know(op, row) ?? []);
    for (const group of Map.groupBy(known, groupKey).values()) {
      this.#context.checkDeadline();
      const candidates = this.#fetch(op, group);
      if (op.predicateSlot !== undefined)
        this.#context.load(new Set(group.flatMap((entry) => candidates(entry).map((row) => row.eid))));
      for (const entry of group) {
        for (const candidate of candidates(entry)) {
          const found = this.#unify(op, entry.row, candidate);
          if (found !== undefined) this.#context.push(result, found);
        }
      }
      if (group[0]!.subject === undefined && op.subject.k === "slot") fresh.add(op.subject.slot);
      if (group[0]!.object === undefined && op.object.k === "slot") fresh.add(op.object.slot);
    }
    return this.withoutInactive(result, fresh);
  }

  /** Binds what is new in one copy of the row; most rows bind several variables at once. */
  #unify(op: PropositionOp, row: Row, found: PropositionRow): Row | undefined {
    const context = this.#context;
    let copy: (Value | undefined)[] | undefined;
    const bind = (slot: number, value: Value): boolean => {
      const bound = (copy ?? row)[slot];
      if (bound !== undefined) return context.same(bound, value);
      copy ??= row.slice();
      copy[slot] = value;
      return true;
    };
    const arg = (given: Arg, value: Value): boolean =>
      given.k === "const" ? context.same(given.value, value) : bind(given.slot, value);
    if (!arg(op.subject, found.subject) || !arg(op.object, objectOf(found))) return undefined;
    if (op.slot !== undefined && !bind(op.slot, found.eid)) return undefined;
    if (op.predicateSlot !== undefined && !bind(op.predicateSlot, this.#predicate(found.eid))) return undefined;
    return copy ?? row;
  }

  #predicate(eid: number): Held {
    const ref = (this.#context.element(eid)!.body as PropositionBody).predicate_ref;
    return { json: ref, identity: JSON.stringify(ref) };
  }

  /** Elements that a pattern reached without naming them have to be active. */
  withoutInactive(rows: Row[], slots: ReadonlySet<number>): Row[] {
    let kept = rows;
    for (const slot of slots) {
      const eids = new Set<number>();
      for (const row of kept) if (typeof row[slot] === "number") eids.add(row[slot]);
      const inactive = this.#context.view.inactive([...eids]);
      if (inactive.size > 0) kept = kept.filter((row) => typeof row[slot] !== "number" || !inactive.has(row[slot]));
    }
    return kept;
  }

  byId(op: IdOp, rows: readonly Row[]): Row[] {
    const element = this.#context.element(op.eid);
    if (element === undefined || element.state !== STATE.active) return [];
    return rows
      .map((row) => this.#context.unify(row, { k: "slot", slot: op.slot }, op.eid))
      .filter((row) => row !== undefined);
  }

  path(op: PathOp, rows: readonly Row[]): Row[] {
    const result: Row[] = [];
    const reached = new Map<string, readonly Value[]>();
    for (const row of rows) {
      const subject = this.#context.valueOf(op.subject, row);
      const object = this.#context.valueOf(op.object, row);
      const backwards = subject === undefined && object !== undefined;
      const starts = subject ?? object;
      const from = starts === undefined ? this.#everySubject(op) : [starts];
      for (const start of from) {
        const key = `${backwards ? "<" : ">"}${typeof start === "number" ? start : start.identity}`;
        let ends = reached.get(key);
        if (ends === undefined) reached.set(key, (ends = this.#walk(op, start, backwards)));
        for (const end of ends) {
          const [one, other] = backwards ? [end, start] : [start, end];
          const next = this.#context.unify(row, op.subject, one);
          const found = next === undefined ? undefined : this.#context.unify(next, op.object, other);
          if (found !== undefined) this.#context.push(result, found);
        }
      }
    }
    return this.withoutInactive(
      result,
      new Set([op.subject, op.object].flatMap((arg: Arg) => (arg.k === "slot" ? [arg.slot] : []))),
    );
  }

  #everySubject(op: PathOp): number[] {
    if (op.min === 0) throw new KipError("ResultLimitExceeded", "a path of zero hops needs one of its ends bound");
    return [...new Set(this.#context.view.propositions({ types: op.types }).map((row) => row.subject))];
  }

  /** Everything between `min` and `max` hops away, each once. */
  #walk(op: PathOp, start: Value, backwards: boolean): Value[] {
    const found = new Map<string, Value>();
    const key = (value: Value): string => (typeof value === "number" ? String(value) : value.identity);
    let frontier = new Map<string, Value>([
      [key(start), typeof start === "number" ? this.#context.view.canonical(start) : start],
    ]);
    const last = op.max ?? PATH_HOPS_MAX;
    for (let hop = 0; ; hop++) {
      let grew = false;
      if (hop >= op.min) {
        for (const [name, value] of frontier) {
          if (found.has(name)) continue;
          found.set(name, value);
          grew = true;
        }
        if (!grew && op.max === undefined) break;
      }
      if (hop === last || frontier.size === 0) break;
      frontier = this.#step(op, frontier, backwards, key);
      this.#context.checkDeadline();
    }
    return [...found.values()];
  }

  #step(
    op: PathOp,
    frontier: ReadonlyMap<string, Value>,
    backwards: boolean,
    key: (value: Value) => string,
  ): Map<string, Value> {
    const { view } = this.#context;
    const values = [...frontier.values()];
    const elements = values.filter((value) => typeof value === "number");
    const literals = values.filter((value) => typeof value !== "number").map((value) => value.identity);
    const next = new Map<string, Value>();
    const rows: PropositionRow[] = [];
    if (elements.length > 0)
      rows.push(
        ...view.propositions({ types: op.types, ...(backwards ? { objects: elements } : { subjects: elements }) }),
      );
    if (backwards && literals.length > 0) rows.push(...view.propositions({ types: op.types, literals }));
    for (const row of rows) {
      const value = backwards ? row.subject : objectOf(row);
      next.set(key(value), value);
    }
    return next;
  }

  edge(op: EdgeOp, rows: readonly Row[]): Row[] {
    if (op.fields.length === 0) return [];
    const { view } = this.#context;
    const result: Row[] = [];
    const fresh = new Set<number>();
    const knownOf = (row: Row): string => {
      const [source, target] = [this.#context.valueOf(op.source, row), this.#context.valueOf(op.target, row)];
      if (source !== undefined) return "source";
      return target === undefined ? "none" : "target";
    };
    for (const [by, group] of Map.groupBy(rows, knownOf)) {
      this.#context.checkDeadline();
      const arg = by === "source" ? op.source : op.target;
      const keys =
        by === "none"
          ? []
          : group.map((row) => this.#context.valueOf(arg, row)).filter((value) => typeof value === "number");
      const ids = [...new Set(keys.map((eid) => view.canonical(eid)).concat(keys))];
      const filter = by === "source" ? { sources: ids } : by === "target" ? { targets: ids } : {};
      const edges = view.edges({ fields: op.fields, ...filter });
      const index = Map.groupBy(edges, (edge: Edge) =>
        by === "source" ? edge.source : by === "target" ? edge.target : 0,
      );
      for (const row of group) {
        const value = by === "none" ? 0 : this.#context.valueOf(arg, row);
        if (typeof value !== "number") continue;
        const canonical = by === "none" ? 0 : view.canonical(value);
        const candidates = [...(index.get(value) ?? []), ...(canonical === value ? [] : (index.get(canonical) ?? []))];
        for (const edge of candidates) {
          const found = this.#unifyEdge(op, row, edge);
          if (found !== undefined) this.#context.push(result, found);
        }
      }
      if (by !== "source" && op.source.k === "slot") fresh.add(op.source.slot);
      if (by !== "target" && op.target.k === "slot") fresh.add(op.target.slot);
    }
    return this.withoutInactive(result, fresh);
  }

  #unifyEdge(op: EdgeOp, row: Row, edge: Edge): Row | undefined {
    let next = this.#context.unify(row, op.source, edge.source);
    if (next !== undefined) next = this.#context.unify(next, op.target, edge.target);
    if (next === undefined || op.slot === undefined) return next;
    const json = {
      source: { id: formatId(edge.source) },
      field: op.fieldName,
      target: { id: formatId(edge.target) },
      index: edge.index,
      ...(edge.role === null ? {} : { role: edge.role }),
    };
    return this.#context.unify(
      next,
      { k: "slot", slot: op.slot },
      { json, identity: `edge ${edge.source} ${edge.field} ${edge.index}` },
    );
  }
}
