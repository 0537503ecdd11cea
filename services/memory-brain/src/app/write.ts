/** One write operation: its transaction, receipt, and the outcome bound to its idempotency key. */
import {
  canonicalJson,
  DRAFT_SYMBOLS_MAX,
  KipError,
  nodeOf,
  type DataObject,
  type Define,
  type IngestEvidence,
  type Json,
  type JsonObject,
  type KipReceipt,
  type Mutate,
  type Mutation,
} from "@mainspring/kip";
import { formatId, KIND } from "../domain/element-id.ts";
import { DRAFT_PACKAGE_REF } from "../domain/schema-package.ts";
import { definitionOf } from "./definition.ts";
import type { SpaceEngine } from "./engine.ts";
import { byKey } from "./mutate/concept.ts";
import { writeEvidence } from "./mutate/records.ts";
import { runMutation } from "./mutate/run.ts";
import { Transaction, type Authority } from "./mutate/transaction.ts";
import { idOfJson } from "./mutate/values.ts";
import { isoTime, txId } from "./render.ts";
import { changeFacets } from "./mutate/facets.ts";

export interface WriteContext {
  readonly now: number;
  readonly authority: Authority;
  readonly checkDeadline: () => void;
  readonly caller: string;
}

export interface Written {
  readonly status: "succeeded" | "no_effect";
  readonly result: JsonObject;
  readonly receipt: KipReceipt | undefined;
}

export function begin(engine: SpaceEngine, context: WriteContext): Transaction {
  const writer = engine.store.begin();
  const { environment, spaceId, digest } = engine;
  const { now, authority, checkDeadline, caller } = context;
  return new Transaction({
    writer,
    environment,
    spaceId,
    digest,
    now,
    authority,
    checkDeadline,
    origin: caller === "" ? "direct" : caller,
  });
}

/** Commits what the transaction did as the next sequence number. */
export function seal(
  transaction: Transaction,
  engine: SpaceEngine,
  requestDigest: string,
  plan: Json,
  environment: string,
): KipReceipt {
  const { writer, now } = transaction;
  const content: Omit<KipReceipt, "receipt_digest"> = {
    tx_id: txId(writer.nextSeq),
    space_id: engine.spaceId,
    snapshot_seq: writer.nextSeq - 1,
    space_seq: writer.nextSeq,
    committed_at: isoTime(now),
    status: "committed",
    request_digest: requestDigest,
    semantic_plan_digest: engine.digest(JSON.stringify(plan)),
    schema_environment_version: environment,
    origin: { principal: transaction.authority.principal, caller: transaction.origin },
  };
  const receipt: KipReceipt = { ...content, receipt_digest: engine.digest(canonicalJson(content)) };
  writer.commit({ seq: writer.nextSeq, at: now, receipt, changes: transaction.changes, environment });
  return receipt;
}

/** Mints the evidence of an ingest block inside the transaction; each key is bound to its element. */
export function mintEvidence(transaction: Transaction, entries: readonly IngestEvidence[]): Record<string, Json> {
  const bound: Record<string, Json> = {};
  for (const entry of entries) {
    if (entry.payload_artifact !== undefined)
      throw new KipError("ArtifactUnavailable", "artifacts are not kept here; send the payload");
    bound[entry.key] = { id: formatId(mint(transaction, entry)) };
  }
  return bound;
}

function mint(transaction: Transaction, entry: IngestEvidence): number {
  const { key: _key, client_key: clientKey, source_actor: actor, facets, ...values } = entry;
  const digest = transaction.digest(canonicalJson(entry as unknown as Json));
  const known = clientKey === undefined ? undefined : transaction.writer.clientKey(clientKey);
  if (known !== undefined) {
    if (known.digest !== digest)
      throw new KipError("ClientKeyConflict", `the client key ${JSON.stringify(clientKey)} belongs to other evidence`);
    return known.eid;
  }
  const eid = transaction.writer.allocate(KIND.evidence);
  if (clientKey !== undefined) transaction.writer.setClientKey(clientKey, eid, digest);
  const source = actor === undefined ? {} : { source: { id: formatId(sourceActor(transaction, actor)) } };
  writeEvidence(transaction, eid, { ...(values as unknown as JsonObject), ...source }, []);
  if (facets !== undefined) {
    const row = transaction.row(eid);
    const assignments = Object.entries(facets).map(([facet, given]) => ({
      facet: nodeOf(facet),
      values: nodeOf(given) as DataObject,
    }));
    const changes = {
      fields: undefined,
      attributes: undefined,
      facets: assignments,
      structural: undefined,
      unsetAttributes: undefined,
      unsetFacets: [],
      unsetStructural: undefined,
    };
    const changed = changeFacets(transaction, { eid, type: row.type, facets: undefined }, changes);
    if (changed.facets !== undefined)
      transaction.save({ ...row, body: { ...row.body, facets: changed.facets } }, [], "update");
  }
  return eid;
}

function sourceActor(transaction: Transaction, actor: JsonObject): number {
  if (actor["id"] !== undefined) return idOfJson(actor["id"], "source_actor");
  const { type, key } = actor;
  if (typeof type !== "string" || typeof key !== "string")
    throw new KipError("IdentitySelectorRequired", "source_actor is {id} or {type, key}");
  const found = byKey(transaction, transaction.environment.type(type), key);
  if (found === undefined)
    throw new KipError("NotFoundOrNotVisible", `there is no ${type} with the key ${JSON.stringify(key)}`);
  return found;
}

export interface WriteRequest {
  readonly requestDigest: string;
  readonly ingest: readonly IngestEvidence[];
  /** Gives the bound statement once the ingested evidence has ids. */
  readonly bind: (ingested: Readonly<Record<string, Json>>) => Mutate | Mutation | Define;
  readonly dryRun: boolean;
}

/** Runs a mutation; what it wrote stays only when it succeeded, changed something and was no trial. */
export function runWrite(
  engine: SpaceEngine,
  context: WriteContext,
  request: WriteRequest,
  keep?: (transaction: Transaction, written: Written) => void,
): Written {
  const transaction = begin(engine, context);
  let kept = false;
  try {
    const statement = request.bind(mintEvidence(transaction, request.ingest));
    const written =
      statement.k === "define"
        ? define(transaction, engine, statement, request)
        : mutate(transaction, engine, statement, request);
    if (!request.dryRun) keep?.(transaction, written);
    kept = !request.dryRun && (written.status === "succeeded" || keep !== undefined);
    return written;
  } finally {
    engine.store.end(kept);
    if (!kept) engine.forgetEnvironment();
  }
}

function mutate(
  transaction: Transaction,
  engine: SpaceEngine,
  statement: Mutate | Mutation,
  request: WriteRequest,
): Written {
  runMutation(transaction, statement);
  const handles = Object.fromEntries([...transaction.handles].map(([name, eid]) => [name, formatId(eid)]));
  const result = { handles, changes: transaction.changes };
  if (transaction.changes.length === 0) return { status: "no_effect", result, receipt: undefined };
  if (request.dryRun) return { status: "succeeded", result, receipt: undefined };
  return {
    status: "succeeded",
    result,
    receipt: seal(transaction, engine, request.requestDigest, result, engine.environment.version),
  };
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

function define(transaction: Transaction, engine: SpaceEngine, node: Define, request: WriteRequest): Written {
  const { environment } = engine;
  if (node.name.startsWith("kip://"))
    throw new KipError(
      "ProtectedSchemaState",
      "DEFINE adds draft symbols by their bare name; installed packages are fixed",
    );
  if (!NAME.test(node.name)) throw new KipError("InvalidIdentifier", `${JSON.stringify(node.name)} cannot be a name`);
  const definition = definitionOf(environment, node);
  const known = environment.find(definition.kind, node.name);
  if (known !== undefined)
    throw new KipError("SchemaSymbolConflict", `${JSON.stringify(node.name)} is defined: ${known.ref}`, {
      details: { ref: known.ref },
    });
  if (environment.drafts.length >= DRAFT_SYMBOLS_MAX)
    throw new KipError("ResourceExhausted", `a Space defines at most ${DRAFT_SYMBOLS_MAX} symbols`, {
      details: { limit: "draft_symbols", max: DRAFT_SYMBOLS_MAX },
    });
  transaction.writer.addDraft({ definition, seq: transaction.writer.nextSeq, promotedTo: undefined });
  transaction.changes.push({ op: "define", kind: definition.kind, id: definition.ref, ref: definition.ref });
  engine.forgetEnvironment();
  const version = engine.environment.version;
  const result = { ref: definition.ref, schema_environment_version: version };
  if (request.dryRun) return { status: "succeeded", result, receipt: undefined };
  return { status: "succeeded", result, receipt: seal(transaction, engine, request.requestDigest, result, version) };
}

/** The owner declares that a draft symbol was always the other one: old and new data match together from then on. */
export function promote(
  engine: SpaceEngine,
  context: WriteContext,
  kind: "ConceptType" | "PredicateType",
  from: string,
  to: string,
): JsonObject {
  const transaction = begin(engine, context);
  let kept = false;
  try {
    transaction.requirePrincipal(["owner"], "a promotion");
    const draft = engine.environment.drafts.find(
      ({ definition }) => definition.kind === kind && [definition.name, definition.ref].includes(from),
    );
    if (draft === undefined)
      throw new KipError("SchemaSymbolNotFound", `there is no draft ${kind} ${JSON.stringify(from)}`);
    if (draft.promotedTo !== undefined)
      throw new KipError("SchemaSymbolConflict", `${JSON.stringify(from)} is promoted to ${draft.promotedTo}`);
    const target = engine.environment.find(kind, to);
    if (target === undefined || target.packageRef === DRAFT_PACKAGE_REF)
      throw new KipError("SchemaSymbolNotFound", `there is no ${kind} ${JSON.stringify(to)} to promote to`);
    transaction.writer.promoteDraft(kind, draft.definition.name, target.ref);
    transaction.changes.push({ op: "promote", kind, id: draft.definition.ref, ref: target.ref });
    engine.forgetEnvironment();
    const { version } = engine.environment;
    const plan = { promoted: draft.definition.ref, to: target.ref, schema_environment_version: version };
    seal(transaction, engine, engine.digest(canonicalJson({ kind, from, to })), plan, version);
    kept = true;
    return plan;
  } finally {
    engine.store.end(kept);
    if (!kept) engine.forgetEnvironment();
  }
}
