/** FIND: solutions to results, with grouping, ordering and paging. */
import {
  checkTimestamp,
  KipError,
  POLICIES,
  POLICY_DEFAULT,
  print,
  type Aggregate,
  type Expression,
  type Find,
  type Json,
  type JsonObject,
  type PolicyId,
  type Projection,
} from "@mainspring/kip";
import { checkExpression, ElementHandle, evaluate, order, variablesOf, type Operand } from "../../domain/expression.ts";
import type { Block, Row } from "../../domain/query/algebra.ts";
import { Compiler } from "../../domain/query/compile.ts";
import { dataOf, textOfScalar, wholeOfScalar } from "../../domain/query/scalar.ts";
import { parseId } from "../../domain/element-id.ts";
import { orderSegment } from "../../domain/query/order.ts";
import { BeliefReader, type BeliefSettings } from "../belief-reader.ts";
import { Renderer } from "../render.ts";
import type { Engine, Session } from "../session.ts";
import { identityOf, QueryContext } from "./context.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { namesOf } from "./names.ts";
import { BlockRunner } from "./run.ts";

const EPISTEMIC_KEYS = [
  "purpose",
  "risk",
  "policy",
  "context_refs",
  "include_historical",
  "include_hypothetical",
  "explanation",
];

export function beliefSettings(node: Pick<Find, "epistemic" | "forTime">, now: string): BeliefSettings {
  const given = node.epistemic === undefined ? {} : (dataOf(node.epistemic) as JsonObject);
  const unknown = Object.keys(given).find((key) => !EPISTEMIC_KEYS.includes(key));
  if (unknown !== undefined)
    throw new KipError("InvalidSyntax", `WITH EPISTEMIC has no member ${JSON.stringify(unknown)}`);
  const policy = given["policy"] ?? POLICY_DEFAULT;
  if (typeof policy !== "string" || !Object.hasOwn(POLICIES, policy)) {
    throw new KipError("ProjectionPolicyUnavailable", `there is no epistemic policy ${JSON.stringify(policy)}`);
  }
  const explanation = given["explanation"] ?? "summary";
  if (explanation !== "none" && explanation !== "summary" && explanation !== "ledger") {
    throw new KipError("ConstraintViolation", "explanation is none, summary or ledger");
  }
  const contexts = given["context_refs"] ?? [];
  if (!Array.isArray(contexts)) throw new KipError("TypeMismatch", "context_refs must be a list");
  const flag = (key: string): boolean => {
    const value = given[key] ?? false;
    if (typeof value !== "boolean") throw new KipError("TypeMismatch", `${key} must be true or false`);
    return value;
  };
  const text = (key: string): string | null => {
    const value = given[key] ?? null;
    if (value !== null && typeof value !== "string") throw new KipError("TypeMismatch", `${key} must be a string`);
    return value;
  };
  return {
    at: node.forTime === undefined ? now : checkTimestamp(dataOf(node.forTime), "FOR TIME"),
    contexts: (contexts as Json[]).map((entry) => contextId(entry)),
    includeHypothetical: flag("include_hypothetical"),
    includeHistorical: flag("include_historical"),
    explanation,
    policy: policy as PolicyId,
    purpose: text("purpose"),
    risk: text("risk"),
  };
}

function contextId(entry: Json): string {
  const id =
    typeof entry === "string"
      ? entry
      : typeof entry === "object" && entry !== null
        ? (entry as JsonObject)["id"]
        : undefined;
  if (typeof id !== "string" || parseId(id) === undefined)
    throw new KipError("TypeMismatch", "a context is an element");
  return id;
}

export function compileFind(node: Find, compiler: Compiler): Block {
  const block = compiler.block(node.where);
  const read = new Set<string>(compiler.read);
  for (const projection of node.projections)
    variablesOf(projection.k === "aggregate" ? projection.operand : projection, read);
  for (const { expression } of node.orderBy) {
    if (expression.k !== "aggregate") checkExpression(expression);
    variablesOf(expression.k === "aggregate" ? expression.operand : expression, read);
  }
  compiler.requireBound(read);
  return block;
}

class Projector {
  readonly #context: QueryContext;
  readonly #names: ReadonlyMap<string, number>;

  constructor(context: QueryContext, names: ReadonlyMap<string, number>) {
    this.#context = context;
    this.#names = names;
  }

  lookup(row: Row, name: string, steps: readonly string[]): Operand | undefined {
    const slot = this.#names.get(name)!;
    return this.#context.read(row[slot], slot, steps);
  }

  /** A plain projection as it is given out; whole elements are rendered. */
  plain(row: Row, node: Exclude<Projection, Aggregate>): Json {
    const slot = this.#names.get(node.name)!;
    if (node.k === "variable") return this.#context.render(row[slot]);
    const value = this.#context.read(row[slot], slot, node.steps);
    return value === undefined ? null : value instanceof ElementHandle ? { id: value.id } : value;
  }

  aggregate(rows: readonly Row[], node: Aggregate): Json {
    const { operand } = node;
    const values: Operand[] = [];
    const seen = new Set<string>();
    for (const row of rows) {
      const value = this.lookup(row, operand.name, operand.k === "path" ? operand.steps : []);
      if (value === undefined || value === null) continue;
      if (node.distinct) {
        const slot = this.#names.get(operand.name)!;
        const key = operand.k === "variable" ? identityOf(row[slot]) : JSON.stringify(value);
        if (seen.has(key)) continue;
        seen.add(key);
      }
      values.push(value);
    }
    if (node.fn === "COUNT") return values.length;
    if (node.fn === "MIN" || node.fn === "MAX") return extreme(values, node.fn);
    const numbers = values.filter((value) => typeof value === "number");
    if (numbers.length === 0) return null;
    const sum = numbers.reduce((total, value) => total + value, 0);
    return node.fn === "SUM" ? sum : sum / numbers.length;
  }

  sortKey(rows: readonly Row[], node: Expression | Aggregate): Operand {
    if (node.k === "aggregate") return this.aggregate(rows, node);
    const value = evaluate(node, (name, steps) => this.lookup(rows[0]!, name, steps));
    return value instanceof ElementHandle ? value.id : value;
  }
}

function extreme(values: readonly Operand[], fn: "MIN" | "MAX"): Json {
  let best: Operand | undefined;
  for (const value of values) {
    if (typeof value !== "number" && typeof value !== "string") continue;
    const compared = best === undefined ? 0 : order(value, best);
    if (best === undefined || (compared !== undefined && (fn === "MIN" ? compared < 0 : compared > 0))) best = value;
  }
  return (best as Json | undefined) ?? null;
}

const RANK: Readonly<Record<string, number>> = { boolean: 0, number: 1, string: 2, object: 3 };

/** Total order for ORDER BY: values of one type by value, types by rank, nulls last in both directions. */
function compareKeys(left: Operand, right: Operand, descending: boolean): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  const ranked = (RANK[typeof left] ?? 3) - (RANK[typeof right] ?? 3);
  let compared = ranked !== 0 ? ranked : (order(left, right) ?? 0);
  if (typeof left === "boolean" && typeof right === "boolean") compared = Number(left) - Number(right);
  return descending ? -compared : compared;
}

/** Rows of one group; without aggregates each solution is a group of its own. */
type Group = readonly Row[];

function groupsOf(node: Find, rows: readonly Row[], projector: Projector): Group[] {
  const plain = node.projections.filter((projection) => projection.k !== "aggregate");
  if (plain.length === node.projections.length) return rows.map((row) => [row]);
  if (plain.length === 0) return [rows];
  return [
    ...Map.groupBy(rows, (row) => JSON.stringify(plain.map((projection) => projector.plain(row, projection)))).values(),
  ];
}

function orderGroups(node: Find, groups: Group[], projector: Projector): Group[] {
  if (node.orderBy.length === 0) return groups;
  const keyed = groups.map((group) => ({
    group,
    keys: node.orderBy.map((item) => (group.length === 0 ? null : projector.sortKey(group, item.expression))),
  }));
  keyed.sort((left, right) => {
    for (const [index, item] of node.orderBy.entries()) {
      const compared = compareKeys(left.keys[index]!, right.keys[index]!, item.descending);
      if (compared !== 0) return compared;
    }
    return 0;
  });
  return keyed.map((entry) => entry.group);
}

export interface FindResult {
  readonly rows: Json[];
  readonly nextCursor: string | undefined;
  readonly seq: number;
}

interface Page {
  readonly seq: number | undefined;
  readonly now: number;
  readonly offset: number;
}

function pageOf(engine: Engine, session: Session, node: Find, query: string): Page {
  if (node.cursor === undefined) return { seq: undefined, now: session.now, offset: 0 };
  const text = textOfScalar(node.cursor, "CURSOR");
  return readCursor(
    text,
    { family: "FIND", query, caller: session.caller },
    engine.spaceId,
    session.now,
    engine.digest,
  );
}

/** Only counts over one unrestricted pattern: the index answers without reading rows. */
function countOnly(node: Find, block: Block, context: QueryContext, compiler: Compiler): number | undefined {
  const [pattern, ...others] = block.first.patterns;
  const bare =
    others.length === 0 &&
    block.rest.length === 0 &&
    block.first.filters.length + block.first.nots.length + block.first.optionals.length === 0;
  if (!bare || pattern?.op !== "proposition" || pattern.slot === undefined) return undefined;
  const { subject, object } = pattern;
  if (subject.k !== "slot" || object.k !== "slot" || subject.slot === object.slot) return undefined;
  if (
    new Set([pattern.slot, subject.slot, object.slot, pattern.predicateSlot ?? -1]).size !== 4 ||
    pattern.types?.length === 0
  )
    return undefined;
  const counted = (projection: Projection): boolean =>
    projection.k === "aggregate" &&
    projection.fn === "COUNT" &&
    projection.operand.k === "variable" &&
    (!projection.distinct || compiler.slots.get(projection.operand.name) === pattern.slot);
  if (!node.projections.every(counted) || !context.view.current || !context.view.allActive) return undefined;
  return context.view.countPropositions(pattern.types);
}

export function runFind(engine: Engine, session: Session, node: Find): FindResult {
  const query =
    node.limit === undefined && node.cursor === undefined
      ? ""
      : engine.digest(print({ ...node, limit: undefined, cursor: undefined }));
  const page = pageOf(engine, session, node, query);
  const asked = node.asOfSeq === undefined ? undefined : wholeOfScalar(node.asOfSeq, "AS OF SEQ");
  const view = engine.view(page.seq ?? asked);
  const renderer = new Renderer(view, engine.environment, engine.spaceId, page.now);
  const beliefs = new BeliefReader(
    view,
    engine.environment,
    engine.spaceId,
    beliefSettings(node, new Date(page.now).toISOString()),
    engine.limits.projectionTargets,
  );
  const context = new QueryContext(
    view,
    engine.environment,
    renderer,
    beliefs,
    session.checkDeadline,
    engine.limits.bindings,
  );
  const compiler = new Compiler(namesOf(view, engine.environment));
  const block = compileFind(node, compiler);
  const limit = node.limit === undefined ? undefined : wholeOfScalar(node.limit, "LIMIT");
  const count = countOnly(node, block, context, compiler);
  if (count !== undefined) {
    const values = node.projections.map(() => count);
    return {
      rows: limit === 0 ? [] : [values.length === 1 ? values[0]! : values],
      nextCursor: undefined,
      seq: view.seq,
    };
  }
  const found = new BlockRunner(context, compiler.slots, compiler.slotCount).solutions(block);
  const rows = node.limit === undefined && node.cursor === undefined ? found : steady(found, block);
  const projector = new Projector(context, compiler.slots);
  preload(node, rows, context, compiler);
  const groups = orderGroups(node, groupsOf(node, rows, projector), projector);
  const end = limit === undefined ? groups.length : page.offset + limit;
  const shown = groups.slice(page.offset, end);
  const results = shown.map((group): Json => {
    const values = node.projections.map((projection) =>
      projection.k === "aggregate" ? projector.aggregate(group, projection) : projector.plain(group[0]!, projection),
    );
    return values.length === 1 ? values[0]! : values;
  });
  const more = end < groups.length && limit !== 0;
  const nextCursor = more
    ? writeCursor(
        { family: "FIND", query, caller: session.caller, seq: view.seq, now: page.now, offset: end },
        engine.spaceId,
        engine.digest,
      )
    : undefined;
  return { rows: results, nextCursor, seq: view.seq };
}

/** Pages are cut from one order, whatever order the planner found the rows in. A search keeps its own, best first. */
function steady(rows: readonly Row[], block: Block): readonly Row[] {
  if (block.first.patterns.some((pattern) => pattern.op === "search")) return rows;
  return rows.toSorted((left, right) => {
    for (let slot = 0; slot < left.length; slot++) {
      const [one, other] = [left[slot], right[slot]];
      if (one === other) continue;
      if (typeof one === "number" && typeof other === "number") return one - other;
      const [first, second] = [identityOf(one), identityOf(other)];
      if (first !== second) return first < second ? -1 : 1;
    }
    return 0;
  });
}

/** Loads what projections and sort keys will read, in batches. */
function preload(node: Find, rows: readonly Row[], context: QueryContext, compiler: Compiler): void {
  const names = new Set<string>();
  const whole = new Set<string>();
  for (const projection of node.projections) {
    if (projection.k === "variable") whole.add(projection.name);
    // Counting a variable needs no element.
    const counted = projection.k === "aggregate" && projection.operand.k === "variable";
    if (!counted) variablesOf(projection.k === "aggregate" ? projection.operand : projection, names);
  }
  for (const { expression } of node.orderBy)
    variablesOf(expression.k === "aggregate" ? expression.operand : expression, names);
  for (const name of names) {
    const slot = compiler.slots.get(name)!;
    const eids = rows.map((row) => row[slot]).filter((value) => typeof value === "number");
    context.load(eids);
    if (whole.has(name)) context.renderer.loadLinks([...new Set(eids.filter((eid) => eid % 8 === 0 || eid % 8 === 4))]);
  }
}

/** The plan of a query, for people. */
export function explainFind(engine: Engine, node: Find): JsonObject[] {
  const view = engine.view(undefined);
  const compiler = new Compiler(namesOf(view, engine.environment));
  const block = compileFind(node, compiler);
  const steps: JsonObject[] = [];
  const names = new Map([...compiler.slots].map(([name, slot]) => [slot, `?${name}`]));
  const describe = (part: Block, depth: number): void => {
    for (const segment of [part.first, ...part.rest.map((entry) => entry.after)]) {
      const plan = orderSegment(segment, new Set(), { count: (kind, types) => view.estimate(kind, types) });
      for (const step of plan.steps) {
        const target = "slot" in step.op && step.op.slot !== undefined ? (names.get(step.op.slot) ?? null) : null;
        steps.push({
          depth,
          pattern: step.op.op,
          variable: target,
          access: step.access,
          rows_per_input: Math.round(step.fanout * 10) / 10,
          filters: step.filters.length,
        });
      }
      for (const op of [...segment.optionals, ...segment.nots]) {
        steps.push({
          depth,
          pattern: op.op,
          variable: null,
          access: "block for each row",
          rows_per_input: 1,
          filters: 0,
        });
        describe(op.block, depth + 1);
      }
    }
    for (const { branch } of part.rest) {
      steps.push({
        depth,
        pattern: "union",
        variable: null,
        access: "branch of its own",
        rows_per_input: 1,
        filters: 0,
      });
      describe(branch, depth + 1);
    }
  };
  describe(block, 0);
  return steps;
}
