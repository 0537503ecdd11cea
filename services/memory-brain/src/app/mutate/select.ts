/** Which elements a statement changes: the one that it names, or those that its WHERE binds, at most LIMIT of them. */
import { KipError, POLICY_DEFAULT, type Item, type Ref, type Scalar } from "@mainspring/kip";
import { Compiler } from "../../domain/query/compile.ts";
import { wholeOfScalar } from "../../domain/query/scalar.ts";
import { BeliefReader } from "../belief-reader.ts";
import { QueryContext } from "../query/context.ts";
import { namesOf } from "../query/names.ts";
import { BlockRunner } from "../query/run.ts";
import { Renderer } from "../render.ts";
import type { Transaction } from "./transaction.ts";
import { refOf } from "./values.ts";

function solve(
  transaction: Transaction,
  where: readonly Item[],
): { readonly rows: readonly (readonly unknown[])[]; readonly slots: ReadonlyMap<string, number> } {
  const { writer, environment, spaceId, now, timestamp, checkDeadline } = transaction;
  const compiler = new Compiler(namesOf(writer, environment));
  const block = compiler.block(where);
  const given = new Map<number, number>();
  for (const [name, slot] of compiler.slots) {
    const handle = transaction.handleOf(name);
    if (handle !== undefined) given.set(slot, handle);
  }
  compiler.requireBound(compiler.read.filter((name) => transaction.handleOf(name) === undefined));
  const settings = {
    at: timestamp,
    contexts: [],
    includeHypothetical: false,
    includeHistorical: false,
    explanation: "none",
    policy: POLICY_DEFAULT,
    purpose: null,
    risk: null,
  } as const;
  const beliefs = new BeliefReader(writer, environment, spaceId, settings);
  const context = new QueryContext(
    writer,
    environment,
    new Renderer(writer, environment, spaceId, now),
    beliefs,
    checkDeadline,
  );
  return {
    rows: new BlockRunner(context, compiler.slots, compiler.slotCount).solutions(block, given),
    slots: compiler.slots,
  };
}

/** Whether a WHERE that only guards holds. */
export function holds(transaction: Transaction, where: readonly Item[] | undefined): boolean {
  return where === undefined || solve(transaction, where).rows.length > 0;
}

export function selectTargets(
  transaction: Transaction,
  target: Ref,
  where: readonly Item[] | undefined,
  limit: Scalar | undefined,
): number[] {
  const bound = limit === undefined ? undefined : wholeOfScalar(limit, "LIMIT");
  const direct = target.k !== "variable" || where === undefined || transaction.handleOf(target.name) !== undefined;
  if (direct) {
    const eid = refOf(transaction, target, "the target");
    return bound === 0 || !holds(transaction, where) ? [] : [eid];
  }
  const { rows, slots } = solve(transaction, where);
  const slot = slots.get(target.name);
  if (slot === undefined)
    throw new KipError("InvalidSyntax", `?${target.name} is not bound by WHERE`, { offset: target.at });
  const found = new Set<number>();
  for (const row of rows) if (typeof row[slot] === "number") found.add(row[slot]);
  const ordered = [...found].sort((left, right) => left - right);
  return bound === undefined ? ordered : ordered.slice(0, bound);
}
