/** META statements other than DESCRIBE. All of them only read. */
import {
  bindParameters,
  canonicalJson,
  classify,
  DEPENDENTS_DEPTH_MAX,
  KipError,
  POLICY_DEFAULT,
  print,
  SEARCH_LIMIT_MAX,
  isObject,
  type ChangesStream,
  type DataObject,
  type Find,
  type History,
  type Inspect,
  type Json,
  type JsonObject,
  type List,
  type Meta,
  type Scalar,
  type Search,
} from "@mainspring/kip";
import { formatId, KIND, KIND_NAMES, kindOf, requireId } from "../../domain/element-id.ts";
import { searchModeOf } from "../../domain/query/search-mode.ts";
import { dataOf, textOfScalar, wholeOfScalar } from "../../domain/query/scalar.ts";
import type { SchemaPackage } from "../../domain/schema-package.ts";
import { BeliefReader } from "../belief-reader.ts";
import type { SpaceEngine } from "../engine.ts";
import { readCursor, writeCursor } from "../query/cursor.ts";
import { QueryContext } from "../query/context.ts";
import { explainFind } from "../query/find.ts";
import { searchElements } from "../query/search.ts";
import { namesOf } from "../query/names.ts";
import { CORE_FIELD, isoTime, Renderer, txId } from "../render.ts";
import type { Session } from "../session.ts";
import { runDescribe } from "./describe.ts";
import { listRows } from "./schema-meta.ts";

export interface MetaResult {
  readonly result: Json;
  readonly nextCursor?: string;
}
/** Rows of a page where no LIMIT is given. */
const PAGE_DEFAULT = 100;
const PAGE_MAX = 1000;

function pageSize(limit: Scalar | undefined): number {
  const size = limit === undefined ? PAGE_DEFAULT : wholeOfScalar(limit, "LIMIT");
  if (size > PAGE_MAX)
    throw new KipError("ResultLimitExceeded", `a page has at most ${PAGE_MAX} rows`, {
      details: { limit: "page", max: PAGE_MAX },
    });
  return size;
}

/** One page of rows that `read` gives from an offset, as of the first page's snapshot. */
function paged(
  engine: SpaceEngine,
  session: Session,
  node: Search | List | History,
  family: string,
  read: (offset: number, size: number, seq: number) => Json[],
): MetaResult {
  const query = engine.digest(print({ ...node, limit: undefined, cursor: undefined }));
  const state =
    node.cursor === undefined
      ? { seq: engine.view(undefined).seq, offset: 0, now: session.now }
      : readCursor(
          textOfScalar(node.cursor, "CURSOR"),
          { family, query, caller: session.caller },
          engine.spaceId,
          session.now,
          engine.digest,
        );
  const size = pageSize(node.limit);
  const rows = read(state.offset, size + 1, state.seq);
  const shown = rows.slice(0, size);
  if (rows.length <= size || size === 0) return { result: shown };
  const next = writeCursor(
    { family, query, caller: session.caller, seq: state.seq, now: state.now, offset: state.offset + size },
    engine.spaceId,
    engine.digest,
  );
  return { result: shown, nextCursor: next };
}

/** What a read of the present works with. */
export function contextOf(engine: SpaceEngine, session: Session): QueryContext {
  const view = engine.view(undefined);
  const settings = {
    at: isoTime(session.now),
    contexts: [],
    includeHypothetical: false,
    includeHistorical: false,
    explanation: "none",
    policy: POLICY_DEFAULT,
    purpose: null,
    risk: null,
  } as const;
  return new QueryContext(
    view,
    engine.environment,
    new Renderer(view, engine.environment, engine.spaceId, session.now),
    new BeliefReader(view, engine.environment, engine.spaceId, settings),
    session.checkDeadline,
  );
}

function search(engine: SpaceEngine, session: Session, node: Search): MetaResult {
  if (node.asOfSeq !== undefined)
    throw new KipError("HistoricalSearchUnavailable", "the words of an earlier state are not indexed");
  let mode = searchModeOf(node.mode);
  const threshold = node.threshold === undefined ? 0 : dataOf(node.threshold);
  if (typeof threshold !== "number") throw new KipError("TypeMismatch", "THRESHOLD must be a number");
  const context = contextOf(engine, session);
  const names = namesOf(context.view, engine.environment);
  const types =
    node.type !== undefined
      ? names.typeIds(textOfScalar(node.type, "a type"))
      : node.predicate !== undefined
        ? names.predicateIds(textOfScalar(node.predicate, "a predicate"))
        : undefined;
  const text = textOfScalar(node.text, "the text to search");
  let exhaustive = true;
  const page = paged(engine, session, node, "SEARCH", (offset, size) => {
    const wanted = Math.min(offset + size, SEARCH_LIMIT_MAX);
    const found = searchElements(context, { kind: KIND[node.kind], text, types, threshold, limit: wanted, mode });
    const { hits } = found;
    mode = found.mode;
    exhaustive = hits.length < wanted;
    return hits.slice(offset).map((hit): Json => ({
      id: formatId(hit.eid),
      kind: KIND_NAMES[kindOf(hit.eid)],
      score: hit.score,
      element: context.render(hit.eid),
    }));
  });
  return {
    ...page,
    result: { hits: page.result, index_seq: Math.min(context.view.indexSeq, context.view.seq), exhaustive, mode },
  };
}

function dependents(engine: SpaceEngine, session: Session, node: List, id: string): Json[] {
  const depth = node.depth === undefined ? 1 : wholeOfScalar(node.depth, "DEPTH");
  if (depth > DEPENDENTS_DEPTH_MAX)
    throw new KipError("ResultLimitExceeded", `DEPTH is at most ${DEPENDENTS_DEPTH_MAX}`);
  const view = engine.view(undefined);
  const start = requireId(id);
  if (view.head(start) === undefined) throw new KipError("NotFoundOrNotVisible", `there is no element ${id}`);
  const symbols = (...names: string[]): number[] => names.flatMap((name) => view.symbol(CORE_FIELD + name) ?? []);
  const [inputs, outputs, citing] = [symbols("inputs"), symbols("outputs"), symbols("evidence", "generated_by")];
  const found = new Map<number, JsonObject>();
  let level = [start];
  for (let hop = 1; hop <= depth && level.length > 0; hop++) {
    session.checkDeadline();
    const next = new Set<number>();
    const add = (eid: number, via: string): void => {
      if (eid === start || found.has(eid)) return;
      found.set(eid, { id: formatId(eid), kind: KIND_NAMES[kindOf(eid)], depth: hop, via });
      next.add(eid);
    };
    const activities =
      inputs.length === 0 ? [] : view.edges({ fields: inputs, targets: level }).map((edge) => edge.source);
    if (activities.length > 0 && outputs.length > 0)
      for (const edge of view.edges({ fields: outputs, sources: [...new Set(activities)] }))
        add(edge.target, "activity");
    if (citing.length > 0)
      for (const edge of view.edges({ fields: citing, targets: level })) add(edge.source, "citation");
    level = [...next];
  }
  return [...found.values()];
}

function list(engine: SpaceEngine, session: Session, node: List): MetaResult {
  const value =
    node.value === undefined
      ? undefined
      : node.value.k === "element"
        ? node.value.id
        : textOfScalar(node.value, node.topic);
  return paged(engine, session, node, `LIST ${node.topic}`, (offset, size) => {
    const rows =
      node.topic === "DEPENDENTS"
        ? dependents(engine, session, node, value!)
        : listRows(engine.environment, engine.spaceId, node.topic, value);
    return rows.slice(offset, offset + size);
  });
}

function history(engine: SpaceEngine, session: Session, node: History): MetaResult {
  const from = node.from === undefined ? 1 : wholeOfScalar(node.from, "FROM SEQ");
  const to = node.to === undefined ? Number.MAX_SAFE_INTEGER : wholeOfScalar(node.to, "TO SEQ");
  const view = engine.view(undefined);
  if (node.element === undefined) {
    return paged(engine, session, node, "HISTORY SPACE", (offset, size, seq) =>
      view.transactions(from - 1 + offset, Math.min(to, seq), size).map((row): Json => ({
        space_seq: row.seq,
        tx_id: txId(row.seq),
        committed_at: isoTime(row.at),
        changes: row.changes,
      })),
    );
  }
  const id = node.element.k === "element" ? node.element.id : textOfScalar(node.element, "an element");
  const versions = view.versionsOf(requireId(id));
  if (versions.length === 0) throw new KipError("NotFoundOrNotVisible", `there is no element ${id}`);
  const renderer = new Renderer(view, engine.environment, engine.spaceId, session.now);
  return paged(engine, session, node, "HISTORY ELEMENT", (offset, size, seq) =>
    versions
      // A merge elsewhere gives a row without a version of its own.
      .filter((row, index) => row.version !== versions[index - 1]?.version)
      .filter((row) => row.updatedSeq >= from && row.updatedSeq <= Math.min(to, seq))
      .slice(offset, offset + size)
      .map((row): Json => ({
        space_seq: row.updatedSeq,
        tx_id: txId(row.updatedSeq),
        version: row.version,
        at: isoTime(row.updatedAt),
        element: renderer.render(row),
      })),
  );
}

function changes(engine: SpaceEngine, node: ChangesStream): MetaResult {
  const given = node.since ?? node.afterSeq!;
  let after: number;
  if (node.since !== undefined) {
    const match = /^changes-([0-9]{1,15})$/.exec(textOfScalar(given, "CHANGES SINCE"));
    if (match === null) throw new KipError("CursorInvalid", "this is not a cursor of CHANGES");
    after = Number(match[1]);
  } else after = wholeOfScalar(given, "AFTER SEQ");
  const view = engine.view(undefined);
  if (after > view.seq)
    throw new KipError(
      "HistoricalSnapshotUnavailable",
      `sequence number ${after} does not exist yet; the Space is at ${view.seq}`,
    );
  const rows = view.transactions(after, view.seq, pageSize(node.limit));
  const last = rows.at(-1)?.seq ?? after;
  const result: Json = {
    transactions: rows.map((row) => ({
      space_seq: row.seq,
      tx_id: txId(row.seq),
      committed_at: isoTime(row.at),
      changes: row.changes,
    })),
    complete: last === view.seq,
  };
  return { result, nextCursor: `changes-${last}` };
}

function checkPackage(engine: SpaceEngine, value: Json): JsonObject {
  if (
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    (value as JsonObject)["format"] !== "KIP-Schema-Package"
  ) {
    throw new KipError("ArtifactParseError", "this is not a schema package");
  }
  const { integrity, ...content } = value as unknown as SchemaPackage;
  const digest = engine.digest(canonicalJson(content as unknown as Json));
  if (integrity?.content_digest !== digest)
    throw new KipError("DigestMismatch", "the content does not match its digest", { details: { expected: digest } });
  return { valid: true, package_ref: content.manifest.package_ref, content_digest: digest };
}

function checkReceipt(engine: SpaceEngine, value: Json): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new KipError("ArtifactParseError", "this is not a receipt");
  const { receipt_digest: digest, ...content } = value as JsonObject;
  if (engine.digest(canonicalJson(content)) !== digest) throw new KipError("DigestMismatch", "the receipt was changed");
  const row =
    typeof content["space_seq"] === "number" ? engine.view(undefined).transaction(content["space_seq"]) : undefined;
  if (row === undefined || row.receipt.receipt_digest !== digest)
    throw new KipError("ProofInvalid", "this Space gave no such receipt");
  return { valid: true, tx_id: row.receipt.tx_id };
}

/** The plan where every parameter is given: WITH {parameters: {…}}. */
function planOf(engine: SpaceEngine, statement: Find, options: DataObject | undefined): JsonObject[] | undefined {
  const given = options === undefined ? {} : (dataOf(options) as JsonObject);
  const parameters = given["parameters"] ?? {};
  if (!isObject(parameters)) throw new KipError("TypeMismatch", "parameters must be an object");
  try {
    return explainFind(engine, bindParameters(statement, parameters));
  } catch (error) {
    if (error instanceof KipError && error.code === "ReferenceError") return undefined;
    throw error;
  }
}

/** Whether a command can be run, and why not: an invalid one is an answer, not a failure of asking. */
function validateCommand(engine: SpaceEngine, node: Inspect): JsonObject {
  const command = textOfScalar(node.value, "a command");
  try {
    const statement = engine.parse(command);
    const { language } = classify(statement);
    if (language !== node.topic)
      throw new KipError("LanguageMismatch", `the command is ${language}, not ${node.topic}`);
    const plan = statement.k === "find" ? planOf(engine, statement, node.options) : undefined;
    return { valid: true, language, canonical: print(statement), ...(plan === undefined ? {} : { plan }) };
  } catch (error) {
    if (!(error instanceof KipError)) throw error;
    return { valid: false, errors: [error.toObject() as unknown as JsonObject] };
  }
}

function inspect(engine: SpaceEngine, node: Inspect): Json {
  switch (node.topic) {
    case "KQL":
    case "KML":
      return validateCommand(engine, node);
    case "SCHEMA PACKAGE":
      return checkPackage(engine, dataOf(node.value));
    case "RECEIPT":
      return checkReceipt(engine, dataOf(node.value));
    default:
      throw new KipError("UnsupportedCapability", `${node.verb} ${node.topic} is not supported`);
  }
}

export function runMeta(engine: SpaceEngine, session: Session, node: Meta): MetaResult {
  switch (node.k) {
    case "describe":
      return { result: runDescribe(engine, session, node) };
    case "list":
      return list(engine, session, node);
    case "search_command":
      return search(engine, session, node);
    case "history":
      return history(engine, session, node);
    case "changes":
      return changes(engine, node);
    case "inspect":
      return { result: inspect(engine, node) };
    case "export":
      throw new KipError("UnsupportedCapability", "capsules are not supported");
  }
}
