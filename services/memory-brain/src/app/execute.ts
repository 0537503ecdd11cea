/** A request of any kind: its envelope, its operations in order, their results. */
import {
  bindParameters,
  canonicalJson,
  checkRequest,
  classify,
  KipError,
  type Classification,
  type Define,
  type Find,
  type Json,
  type JsonObject,
  type KipOperation,
  type KipReceipt,
  type KipRequest,
  type KipResponse,
  type KipResult,
  type Mutate,
  type Mutation,
  type Statement,
} from "@mainspring/kip";
import { runBatch, type BatchResult, type BatchStep } from "./atomic.ts";
import { requireCapability, type SpaceEngine } from "./engine.ts";
import { OUTCOME_RETENTION_MS } from "./idempotency.ts";
import { runMeta } from "./meta/run-meta.ts";
import type { Authority } from "./mutate/transaction.ts";
import { runFind } from "./query/find.ts";
import { unknownFields } from "./query/unknown-fields.ts";
import { DEADLINE_MS_DEFAULT, DEADLINE_MS_MAX, deadlineAt, type Session } from "./session.ts";
import { runWrite, type WriteContext, type Written } from "./write.ts";

export interface RequestContext {
  readonly caller: string;
  readonly authority: Authority;
  /** True on routes that only read. */
  readonly readOnly: boolean;
}

interface Operation {
  readonly source: KipOperation;
  readonly opId: string;
  readonly index: number;
  readonly parameters: JsonObject;
}

interface Run {
  readonly engine: SpaceEngine;
  readonly request: KipRequest;
  readonly context: RequestContext;
  readonly now: number;
}

function sessionOf(run: Run, operation: Operation): Session {
  const { deadline_ms: asked } = { ...run.request.options, ...operation.source.options };
  const limit = Math.min(asked ?? DEADLINE_MS_DEFAULT, DEADLINE_MS_MAX);
  const { clock } = run.engine;
  return { now: run.now, caller: run.context.caller, checkDeadline: deadlineAt(clock, clock() + limit) };
}

/** The statement with its parameters; a read may be pinned by the request's snapshot token. */
function bound<T extends Statement>(run: Run, operation: Operation, statement: T): T {
  const tree = bindParameters(statement, operation.parameters);
  const token = run.request.read?.snapshot_token;
  if (token === undefined || tree.k !== "find" || tree.asOfSeq !== undefined) return tree;
  const match = /^seq-([0-9]{1,15})$/.exec(token);
  if (match === null) throw new KipError("HistoricalSnapshotUnavailable", "this is not a snapshot of the Space");
  return { ...tree, asOfSeq: { k: "literal", value: Number(match[1]) } };
}

function read(run: Run, operation: Operation, statement: Statement): KipResult {
  const session = sessionOf(run, operation);
  session.checkDeadline();
  const tree = bound(run, operation, statement);
  if (tree.k === "inspect" && tree.verb === "PREVIEW" && tree.topic === "KML")
    return preview(run, operation, tree.value);
  if (tree.k === "find") {
    const found = runFind(run.engine, session, tree);
    // Of the statement as it was parsed: parameters change no path, and may be large.
    const warnings = unknownFields(statement as Find);
    return {
      op_id: operation.opId,
      status: "succeeded",
      result: found.rows,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
    };
  }
  const { result, nextCursor } = runMeta(run.engine, session, tree as Parameters<typeof runMeta>[2]);
  return {
    op_id: operation.opId,
    status: "succeeded",
    result,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  };
}

function previewText(value: { readonly k?: string; readonly value?: Json }): string {
  if (typeof value.value !== "string") throw new KipError("TypeMismatch", "PREVIEW KML takes a command as a string");
  return value.value;
}

/** What a mutation would do: it runs, and nothing of it stays. */
function preview(run: Run, operation: Operation, value: { readonly k?: string; readonly value?: Json }): KipResult {
  const statement = run.engine.parse(previewText(value));
  if (classify(statement).language !== "KML") throw new KipError("LanguageMismatch", "PREVIEW KML takes a KML command");
  return write(
    { ...run, request: { ...run.request, options: { ...run.request.options, dry_run: true } } },
    operation,
    statement as Mutate | Mutation | Define,
  );
}

function idempotencyKey(run: Run, operation: Operation): string | undefined {
  const own = operation.source.idempotency_key;
  const shared = run.request.execution?.idempotency_key;
  const key =
    own ??
    (shared === undefined ? undefined : run.request.operations.length === 1 ? shared : `${shared}#${operation.index}`);
  return key === undefined ? undefined : `${run.context.caller} ${key}`;
}

/** The result that an idempotency key was bound to, where the request is the same. */
function replay(run: Run, operation: Operation, key: string | undefined, digest: string): KipResult | undefined {
  const before = replayed(run, key, digest);
  return before === undefined ? undefined : { ...(JSON.parse(before) as KipResult), op_id: operation.opId };
}

function replayed(run: Run, key: string | undefined, digest: string): string | undefined {
  const outcome = key === undefined ? undefined : run.engine.view(undefined).outcome(key);
  if (outcome === undefined) return undefined;
  if (run.now - outcome.at > OUTCOME_RETENTION_MS) {
    throw new KipError("TransactionUnknown", "the outcome of this idempotency key is no longer kept", {
      details: { expired: true },
    });
  }
  if (outcome.digest !== digest)
    throw new KipError("IdempotencyConflict", "this idempotency key belongs to another request");
  return outcome.response;
}

function write(run: Run, operation: Operation, statement: Mutate | Mutation | Define): KipResult {
  const { engine, request, context, now } = run;
  const ingest = statement.k === "define" ? [] : (request.ingest?.evidence ?? []);
  const requestDigest = engine.digest(
    canonicalJson({
      command: operation.source.command,
      parameters: operation.parameters,
      ingest: ingest as unknown as Json,
    }),
  );
  const key = idempotencyKey(run, operation);
  const dryRun = { ...request.options, ...operation.source.options }.dry_run === true;
  const before = dryRun ? undefined : replay(run, operation, key, requestDigest);
  if (before !== undefined) return before;
  checkPreconditions(run);
  const { checkDeadline } = sessionOf(run, operation);
  checkDeadline();
  const writing: WriteContext = { now, authority: context.authority, checkDeadline, caller: context.caller };
  const bind = (ingested: JsonObject): Mutate | Mutation | Define =>
    bindParameters(statement, { ...operation.parameters, ...ingested });
  const resultOf = ({ status, result, receipt }: Written): KipResult => ({
    op_id: operation.opId,
    status,
    result,
    ...(receipt === undefined ? {} : { receipt }),
    ...(dryRun ? { warnings: ["dry_run: nothing was committed"] } : {}),
  });
  const keep =
    key === undefined
      ? undefined
      : (transaction: Parameters<NonNullable<Parameters<typeof runWrite>[3]>>[0], written: Written): void =>
          transaction.writer.setOutcome(key, {
            digest: requestDigest,
            seq: written.receipt?.space_seq ?? null,
            response: JSON.stringify(resultOf(written)),
            at: now,
          });
  return resultOf(runWrite(engine, writing, { requestDigest, ingest, bind, dryRun }, keep));
}

function checkPreconditions({ engine, request }: Run): void {
  const { space_seq: seq, schema_environment_version: version } = request.preconditions ?? {};
  const current = engine.store.currentSeq();
  if (seq !== undefined && seq !== current)
    throw new KipError("PreconditionFailed", `the Space is at ${current}, not ${seq}`, {
      details: { space_seq: current },
    });
  if (version !== undefined && version !== engine.environment.version) {
    throw new KipError("SchemaEnvironmentChanged", `the schema environment is ${engine.environment.version}`, {
      details: { schema_environment_version: engine.environment.version },
    });
  }
}

function classified(run: Run, operation: Operation): { readonly statement: Statement; readonly found: Classification } {
  const statement = run.engine.parse(operation.source.command);
  const found = classify(statement);
  const { language } = operation.source;
  if (language !== undefined && language !== found.language)
    throw new KipError("LanguageMismatch", `the command is ${found.language}, not ${language}`);
  if (found.writes && run.context.readOnly)
    throw new KipError("ReadonlyViolation", `${found.language} writes, and this route only reads`);
  return { statement, found };
}

function perform(run: Run, operation: Operation): KipResult {
  try {
    const { statement, found } = classified(run, operation);
    return found.writes
      ? write(run, operation, statement as Mutate | Mutation | Define)
      : read(run, operation, statement);
  } catch (error) {
    if (!(error instanceof KipError)) run.engine.report(error);
    return { op_id: operation.opId, status: "failed", error: KipError.from(error).toObject() };
  }
}

/** All operations as one transaction. */
function performAtomic(run: Run, operations: readonly Operation[]): BatchResult {
  const { engine, request, context, now } = run;
  const own = operations.find(({ source }) => source.idempotency_key !== undefined);
  if (own !== undefined)
    throw new KipError("InvalidRequestEnvelope", "an atomic batch has one idempotency_key, in execution");
  const commands = operations.map(({ source, parameters }) => ({ command: source.command, parameters }));
  const ingest = request.ingest?.evidence ?? [];
  const digest = engine.digest(canonicalJson({ batch: commands, ingest: ingest as unknown as Json }));
  const key = request.execution?.idempotency_key;
  const bound = key === undefined ? undefined : `${context.caller} ${key}`;
  const dryRun = request.options?.dry_run === true;
  const before = dryRun ? undefined : replayed(run, bound, digest);
  if (before !== undefined) return JSON.parse(before) as BatchResult;
  checkPreconditions(run);
  const steps = operations.map((operation) => stepOf(run, operation));
  const { checkDeadline } = sessionOf(run, operations[0]!);
  const writing: WriteContext = { now, authority: context.authority, checkDeadline, caller: context.caller };
  return runBatch(engine, writing, { requestDigest: digest, ingest, steps, dryRun }, (transaction, done) => {
    if (bound === undefined) return;
    const seq = done.receipt?.space_seq ?? null;
    transaction.writer.setOutcome(bound, { digest, seq, response: JSON.stringify(done), at: now });
  });
}

/** A step that is refused fails when its turn comes, so that the answer names it. */
function stepOf(run: Run, operation: Operation): BatchStep {
  const { opId } = operation;
  try {
    const { statement, found } = classified(run, operation);
    if (statement.k === "define" || (statement.k === "inspect" && statement.verb === "PREVIEW"))
      throw new KipError(
        "InvalidRequestEnvelope",
        "DEFINE and PREVIEW are transactions of their own, not part of a batch",
      );
    if (!found.writes) return { opId, read: () => read(run, operation, statement) };
    const mutation = statement as Mutate | Mutation;
    return { opId, write: (ingested) => bindParameters(mutation, { ...operation.parameters, ...ingested }) };
  } catch (error) {
    const refuse = (): never => {
      throw error;
    };
    return { opId, read: refuse };
  }
}

/** What holds of the request as a whole, beyond its shape. */
function checkWhole(run: Run, operations: readonly Operation[]): void {
  const { request, engine } = run;
  const space = request.space;
  if (space?.id !== undefined && space.id !== engine.spaceId)
    throw new KipError("NotFoundOrNotVisible", `there is no Space ${JSON.stringify(space.id)}`);
  const required = Array.isArray(request.requires)
    ? (request.requires as string[])
    : Object.keys(request.requires ?? {});
  for (const name of required) requireCapability(engine.store, name);
  const ingest = request.ingest?.evidence;
  if (ingest === undefined) return;
  const keys = ingest.map((entry) => entry.key);
  if (new Set(keys).size !== keys.length) throw new KipError("InvalidRequestEnvelope", "an ingest key is given twice");
  for (const { parameters } of operations) {
    const clash = keys.find((key) => Object.hasOwn(parameters, key));
    if (clash !== undefined)
      throw new KipError("InvalidRequestEnvelope", `the ingest key ${JSON.stringify(clash)} is a parameter too`);
  }
  const writes = operations.filter((operation) => isWrite(run, operation));
  if (writes.length === 0)
    throw new KipError("InvalidRequestEnvelope", "an ingest block needs a write that is not a DEFINE");
  if (
    request.execution?.mode !== "atomic" &&
    writes.length > 1 &&
    ingest.some((entry) => entry.client_key === undefined)
  ) {
    throw new KipError("InvalidRequestEnvelope", "with several writes every ingest entry needs a client_key");
  }
}

function isWrite(run: Run, operation: Operation): boolean {
  try {
    const statement = run.engine.parse(operation.source.command);
    return classify(statement).writes && statement.k !== "define";
  } catch {
    // The operation reports its own syntax error.
    return false;
  }
}

function skipped(operation: Operation): KipResult {
  return { op_id: operation.opId, status: "skipped" };
}

function overall(results: readonly KipResult[]): KipResponse["status"] {
  const failed = results.filter(({ status }) => ["failed", "skipped", "rolled_back"].includes(status)).length;
  return failed === 0 ? "succeeded" : failed === results.length ? "failed" : "partial";
}

function responseOf({ engine, request }: Run, results: readonly KipResult[], receipt?: KipReceipt): KipResponse {
  const seq = engine.store.currentSeq();
  return {
    kip: "2.0",
    ...(request.request_id === undefined ? {} : { request_id: request.request_id }),
    status: overall(results),
    execution: { mode: request.execution?.mode ?? "independent" },
    results,
    context: { space_id: engine.spaceId, schema_environment_version: engine.environment.version },
    snapshot: { space_seq: seq, snapshot_token: `seq-${seq}` },
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** Executes a request. Never throws: what is wrong with it is in the response. */
export function executeRequest(engine: SpaceEngine, raw: unknown, context: RequestContext): KipResponse {
  let request: KipRequest | undefined;
  try {
    request = checkRequest(raw);
    const run: Run = { engine, request, context, now: engine.clock() };
    const operations = request.operations.map((source, index): Operation => ({
      source,
      opId: source.op_id ?? `op-${index + 1}`,
      index,
      parameters: { ...request!.parameters, ...source.parameters },
    }));
    checkWhole(run, operations);
    const atomic = request.execution?.mode === "atomic";
    if (atomic && operations.some((operation) => isWrite(run, operation))) {
      const { results, receipt } = performAtomic(run, operations);
      return responseOf(run, results, receipt);
    }
    const stops = atomic || (request.execution?.mode === "sequence" && request.execution.on_error !== "continue");
    const results: KipResult[] = [];
    let stopped = false;
    for (const operation of operations) {
      const result = stopped ? skipped(operation) : perform(run, operation);
      results.push(result);
      if (stops && result.status === "failed") stopped = true;
    }
    return responseOf(run, results);
  } catch (error) {
    if (!(error instanceof KipError)) engine.report(error);
    const id = request?.request_id;
    return {
      kip: "2.0",
      ...(id === undefined ? {} : { request_id: id }),
      status: "failed",
      results: [],
      error: KipError.from(error).toObject(),
    };
  }
}
