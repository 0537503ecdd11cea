/** Runs a block: patterns in planned order, then OPTIONAL, then what remains of FILTER and NOT; UNION adds its rows. */
import { evaluate } from "../../domain/expression.ts";
import type { Block, BlockOp, FilterOp, PatternOp, Row, Segment } from "../../domain/query/algebra.ts";
import { orderSegment, type Statistics } from "../../domain/query/order.ts";
import { distinct, type QueryContext } from "./context.ts";
import { BeliefMatcher } from "./match-belief.ts";
import { ElementMatcher } from "./match-element.ts";
import { GraphMatcher } from "./match-graph.ts";

export class BlockRunner {
  readonly #context: QueryContext;
  readonly #names: ReadonlyMap<string, number>;
  readonly #slotCount: number;
  readonly #graph: GraphMatcher;
  readonly #elements: ElementMatcher;
  readonly #beliefs: BeliefMatcher;
  readonly #statistics: Statistics;

  constructor(context: QueryContext, names: ReadonlyMap<string, number>, slotCount: number) {
    this.#context = context;
    this.#names = names;
    this.#slotCount = slotCount;
    this.#graph = new GraphMatcher(context);
    this.#elements = new ElementMatcher(context);
    this.#beliefs = new BeliefMatcher(context);
    this.#statistics = { count: (kind, types) => context.view.estimate(kind, types) };
  }

  /** All solutions of the statement's own block, each once. */
  solutions(block: Block, given: ReadonlyMap<number, number> = new Map()): Row[] {
    const seed: Row = Array.from({ length: this.#slotCount }, (_, slot) => given.get(slot));
    return distinct(this.#block(block, [seed], new Set(given.keys())), this.#context);
  }

  #block(block: Block, seed: readonly Row[], outer: ReadonlySet<number>): Row[] {
    let rows = this.#segment(block.first, seed, outer);
    for (const { branch, after } of block.rest) {
      // A branch starts from what came into the block, not from what the block found so far.
      rows = distinct([...rows, ...this.#block(branch, seed, outer)], this.#context);
      rows = this.#segment(after, rows, outer);
    }
    return rows;
  }

  #segment(segment: Segment, seed: readonly Row[], outer: ReadonlySet<number>): Row[] {
    const plan = orderSegment(segment, outer, this.#statistics);
    let rows: Row[] = [...seed];
    for (const filter of plan.before) rows = this.#filter(filter, rows);
    for (const step of plan.steps) {
      if (rows.length === 0) break;
      rows = this.#pattern(step.op, rows);
      for (const filter of step.filters) rows = this.#filter(filter, rows);
      this.#context.checkDeadline();
    }
    for (const optional of segment.optionals) rows = this.#optional(optional, rows);
    for (const filter of plan.after) rows = this.#filter(filter, rows);
    for (const not of segment.nots) rows = this.#not(not, rows);
    return rows;
  }

  #pattern(op: PatternOp, rows: readonly Row[]): Row[] {
    switch (op.op) {
      case "concept":
        return this.#elements.concept(op, rows);
      case "record":
        return this.#elements.record(op, rows);
      case "search":
        return this.#elements.search(op, rows);
      case "proposition":
        return this.#graph.proposition(op, rows);
      case "path":
        return this.#graph.path(op, rows);
      case "edge":
        return this.#graph.edge(op, rows);
      case "id":
        return this.#graph.byId(op, rows);
      case "belief":
        return this.#beliefs.belief(op, rows);
      case "slot":
        return this.#beliefs.slot(op, rows);
    }
  }

  #filter(filter: FilterOp, rows: readonly Row[]): Row[] {
    for (const slot of filter.slots)
      this.#context.load(rows.map((row) => row[slot]).filter((value) => typeof value === "number"));
    return rows.filter((row) => {
      this.#context.tick();
      return (
        evaluate(filter.expression, (name, steps) => {
          const slot = this.#names.get(name);
          return slot === undefined ? undefined : this.#context.read(row[slot], slot, steps);
        }) === true
      );
    });
  }

  /** Runs the block for all rows at once; a hidden column tells which row a result came from. */
  #tagged(op: BlockOp, rows: readonly Row[]): Map<number, Row[]> {
    const tag = this.#slotCount;
    const seed = rows.map((row, index): Row => {
      const copy = row.slice();
      copy[tag] = { json: index, identity: `row ${index}` };
      return copy;
    });
    const bound = new Set<number>();
    for (let slot = 0; slot < this.#slotCount; slot++)
      if (rows.every((row) => row[slot] !== undefined)) bound.add(slot);
    const found = Map.groupBy(this.#block(op.block, seed, bound), (row) => (row[tag] as { json: number }).json);
    // The column may hold the tag of a block around this one: it gets that back.
    const restore = (row: Row, index: number): Row => {
      const copy = row.slice(0, rows[index]!.length);
      if (copy.length > tag) copy[tag] = rows[index]![tag];
      return copy;
    };
    return new Map([...found].map(([index, list]) => [index, list.map((row) => restore(row, index))]));
  }

  #optional(op: BlockOp, rows: readonly Row[]): Row[] {
    if (rows.length === 0) return [];
    const found = this.#tagged(op, rows);
    const result: Row[] = [];
    rows.forEach((row, index) => {
      for (const next of found.get(index) ?? [row]) this.#context.push(result, next);
    });
    return result;
  }

  #not(op: BlockOp, rows: readonly Row[]): Row[] {
    if (rows.length === 0) return [];
    const found = this.#tagged(op, rows);
    return rows.filter((_, index) => !found.has(index));
  }
}
