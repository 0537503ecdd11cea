/** What one query works with: the view, the rows it has loaded, its deadline and bounds. */
import { KipError, literalIdentity, type Json } from "@mainspring/kip";
import type { ElementRow } from "../../domain/element.ts";
import { formatId, kindName } from "../../domain/element-id.ts";
import { ElementHandle, type Operand } from "../../domain/expression.ts";
import type { Arg, Held, Row, Value } from "../../domain/query/algebra.ts";
import type { SchemaEnvironment } from "../../domain/schema-environment.ts";
import type { GraphView } from "../../ports/space-graph.ts";
import type { BeliefReader } from "../belief-reader.ts";
import type { Renderer } from "../render.ts";
import { QUERY_LIMITS } from "../session.ts";

/** Rows between two looks at the clock. */
const CLOCK_EVERY = 2048;
/** Most rows loaded by one statement. */
const LOAD_BATCH = 20_000;

export class QueryContext {
  readonly view: GraphView;
  readonly environment: SchemaEnvironment;
  readonly renderer: Renderer;
  readonly beliefs: BeliefReader;
  /** Throws `ExecutionTimeout` once the time is up. */
  readonly checkDeadline: () => void;
  readonly #rows = new Map<number, ElementRow | undefined>();
  /** Scores of search patterns, by variable and element. */
  readonly retrieval = new Map<number, Map<number, { readonly score: number; readonly mode: string }>>();
  readonly #bindingsMax: number;
  #ticks = 0;

  constructor(
    view: GraphView,
    environment: SchemaEnvironment,
    renderer: Renderer,
    beliefs: BeliefReader,
    checkDeadline: () => void,
    bindingsMax = QUERY_LIMITS.bindings,
  ) {
    this.#bindingsMax = bindingsMax;
    this.view = view;
    this.environment = environment;
    this.renderer = renderer;
    this.beliefs = beliefs;
    this.checkDeadline = checkDeadline;
  }

  tick(): void {
    if (++this.#ticks % CLOCK_EVERY === 0) this.checkDeadline();
  }

  /** Adds a row to a result, within the bound. */
  push(rows: Row[], row: Row): void {
    this.tick();
    if (rows.length >= this.#bindingsMax) {
      throw new KipError("ResultLimitExceeded", `a query holds at most ${this.#bindingsMax} bindings at a time`, {
        details: { limit: "bindings", max: this.#bindingsMax },
      });
    }
    rows.push(row);
  }

  load(eids: Iterable<number>): void {
    const missing = [...new Set(eids)].filter((eid) => !this.#rows.has(eid));
    for (let at = 0; at < missing.length; at += LOAD_BATCH) {
      const batch = missing.slice(at, at + LOAD_BATCH);
      const found = this.view.elements(batch);
      for (const eid of batch) this.#rows.set(eid, found.get(eid));
      this.checkDeadline();
    }
  }

  element(eid: number): ElementRow | undefined {
    if (!this.#rows.has(eid)) this.load([eid]);
    return this.#rows.get(eid);
  }

  valueOf(arg: Arg, row: Row): Value | undefined {
    return arg.k === "const" ? arg.value : row[arg.slot];
  }

  same(left: Value, right: Value): boolean {
    if (typeof left === "number" && typeof right === "number") {
      return left === right || (this.view.merges && this.view.canonical(left) === this.view.canonical(right));
    }
    if (typeof left === "number" || typeof right === "number") return false;
    return left.identity === right.identity;
  }

  /** The row with the argument bound to the value, or undefined where it is bound to another. */
  unify(row: Row, arg: Arg | undefined, value: Value): Row | undefined {
    if (arg === undefined) return row;
    const bound = this.valueOf(arg, row);
    if (bound !== undefined) return this.same(bound, value) ? row : undefined;
    const copy = row.slice();
    if (arg.k === "slot") copy[arg.slot] = value;
    return copy;
  }

  /** A field value of an element as something bound: references become the elements they name. */
  bindable(json: Json, parse: (id: string) => number | undefined): Value {
    if (typeof json === "object" && json !== null && !Array.isArray(json)) {
      const id = (json as { readonly id?: Json }).id;
      const eid = typeof id === "string" ? parse(id) : undefined;
      if (eid !== undefined && Object.keys(json).every((key) => key === "id" || key === "role" || key === "index"))
        return eid;
    }
    const scalar = json === null || typeof json !== "object";
    return { json, identity: scalar ? literalIdentity(json) : JSON.stringify(json) } satisfies Held;
  }

  /** The value at a path below a bound value, for expressions and projections. */
  read(value: Value | undefined, slot: number, steps: readonly string[]): Operand | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== "number") return steps.length === 0 ? value.json : descend(value.json, steps);
    if (steps.length === 0) return new ElementHandle(formatId(value), kindName(value));
    const row = this.element(value);
    if (row === undefined) return undefined;
    const [first, ...rest] = steps as [string, ...string[]];
    if (first === "retrieval") return descend(this.retrieval.get(slot)?.get(value) ?? {}, rest);
    if (first === "facets" && rest.length > 0) rest[0] = this.renderer.facetName(rest[0]!);
    const json = this.renderer.field(row, first);
    return json === undefined ? undefined : descend(json, rest);
  }

  /** A bound value as it is given to the caller. */
  render(value: Value | undefined): Json {
    if (value === undefined) return null;
    if (typeof value !== "number") return value.json;
    const row = this.element(value);
    return row === undefined ? { id: formatId(value) } : this.renderer.render(row);
  }
}

function descend(json: Json, steps: readonly string[]): Json | undefined {
  let found: Json | undefined = json;
  for (const step of steps) {
    if (found === null || typeof found !== "object" || found === undefined) return undefined;
    found = Object.hasOwn(found, step) ? (found as Record<string, Json>)[step] : undefined;
  }
  return found;
}

export const identityOf = (value: Value | undefined): string =>
  value === undefined ? "" : typeof value === "number" ? `#${value}` : value.identity;

/** The distinct rows, in order of first appearance. */
export function distinct(rows: readonly Row[], context: QueryContext): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    context.tick();
    let key = "";
    for (const value of row) key += `${identityOf(value)}\u0001`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
