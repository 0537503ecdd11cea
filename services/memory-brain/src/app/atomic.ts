/** An atomic batch: its operations are one transaction with one receipt, or nothing of them stays. */
import {
  KipError,
  type IngestEvidence,
  type Json,
  type JsonObject,
  type KipReceipt,
  type KipResult,
} from "@mainspring/kip";
import type { Mutate, Mutation } from "@mainspring/kip";
import { formatId } from "../domain/element-id.ts";
import type { SpaceEngine } from "./engine.ts";
import { runMutation } from "./mutate/run.ts";
import type { Transaction } from "./mutate/transaction.ts";
import { begin, mintEvidence, seal, type WriteContext } from "./write.ts";

/** One operation: a read sees what the writes before it did. */
export type BatchStep =
  | { readonly opId: string; readonly read: () => KipResult }
  | { readonly opId: string; readonly write: (ingested: Readonly<Record<string, Json>>) => Mutate | Mutation };

export interface Batch {
  readonly requestDigest: string;
  readonly ingest: readonly IngestEvidence[];
  readonly steps: readonly BatchStep[];
  readonly dryRun: boolean;
}

export interface BatchResult {
  readonly results: readonly KipResult[];
  readonly receipt: KipReceipt | undefined;
}

/** `keep` is called before the commit of a batch that succeeded. What fails is in the results; the others were undone. */
export function runBatch(
  engine: SpaceEngine,
  context: WriteContext,
  batch: Batch,
  keep: (transaction: Transaction, done: BatchResult) => void,
): BatchResult {
  const transaction = begin(engine, context);
  let kept = false;
  try {
    const results = runSteps(transaction, batch);
    if (results.some(({ status }) => status === "failed")) return { results: undone(results), receipt: undefined };
    const done = sealed(transaction, engine, batch, results);
    if (batch.dryRun) return done;
    keep(transaction, done);
    kept = true;
    return done;
  } finally {
    engine.store.end(kept);
    if (!kept) engine.forgetEnvironment();
  }
}

function runSteps(transaction: Transaction, { ingest, steps }: Batch): KipResult[] {
  const results: KipResult[] = [];
  const ingested = mintEvidence(transaction, ingest);
  let failed = false;
  for (const step of steps) {
    if (failed) {
      results.push({ op_id: step.opId, status: "skipped" });
      continue;
    }
    try {
      results.push("read" in step ? step.read() : runWrite(transaction, step, ingested));
    } catch (error) {
      if (!(error instanceof KipError)) throw error;
      failed = true;
      results.push({ op_id: step.opId, status: "failed", error: error.toObject() });
    }
  }
  return results;
}

function runWrite(
  transaction: Transaction,
  { opId, write }: Extract<BatchStep, { readonly write: unknown }>,
  ingested: Readonly<Record<string, Json>>,
): KipResult {
  transaction.beginOperation();
  const before = transaction.changes.length;
  runMutation(transaction, write(ingested));
  const handles = Object.fromEntries([...transaction.handles].map(([name, eid]) => [name, formatId(eid)]));
  const changes = transaction.changes.slice(before);
  const result: JsonObject = { handles, changes };
  return { op_id: opId, status: changes.length === 0 ? "no_effect" : "succeeded", result };
}

/** What had succeeded before another failed did not stay. */
function undone(results: readonly KipResult[]): KipResult[] {
  return results.map((result) =>
    result.status === "succeeded" || result.status === "no_effect"
      ? { op_id: result.op_id, status: "rolled_back" }
      : result,
  );
}

function sealed(transaction: Transaction, engine: SpaceEngine, batch: Batch, results: KipResult[]): BatchResult {
  if (transaction.changes.length === 0) return { results, receipt: undefined };
  if (batch.dryRun) {
    const warnings = ["dry_run: nothing was committed"];
    return { results: results.map((result) => ({ ...result, warnings })), receipt: undefined };
  }
  const plan = results.flatMap(({ result }, index) => ("write" in batch.steps[index]! ? [result ?? null] : []));
  const receipt = seal(transaction, engine, batch.requestDigest, plan, engine.environment.version);
  const written = results.map((result, index): KipResult =>
    "write" in batch.steps[index]! && result.status === "succeeded" ? { ...result, receipt } : result,
  );
  return { results: written, receipt };
}
