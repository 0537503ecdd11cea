/** DESCRIBE. */
import { nearest } from "@mainspring/kernel";
import {
  BINDINGS_MAX,
  checkTimestamp,
  COMMAND_BYTES_MAX,
  KIP_CODES,
  KipError,
  NESTING_DEPTH_MAX,
  OPERATIONS_MAX,
  POLICIES,
  POLICY_DEFAULT,
  TRANSACTION_ELEMENTS_MAX,
  type Describe,
  type Json,
  type JsonObject,
  type Scalar,
} from "@mainspring/kip";
import { SEARCH_MODES } from "../../domain/query/algebra.ts";
import { dataOf, textOfScalar, wholeOfScalar } from "../../domain/query/scalar.ts";
import { SchemaEnvironment } from "../../domain/schema-environment.ts";
import { STRENGTH_POLICY } from "../../domain/strength.ts";
import { capabilitiesOf, type SpaceEngine } from "../engine.ts";
import { OUTCOME_RETENTION_MS } from "../idempotency.ts";
import { isoTime, txId } from "../render.ts";
import { DEADLINE_MS_MAX, type Session } from "../session.ts";
import { describePackage, describeSymbol } from "./schema-meta.ts";

const text = (value: Scalar | undefined, what: string): string => textOfScalar(value!, what);

function primer(engine: SpaceEngine, mode: string): JsonObject {
  const { environment } = engine;
  const view = engine.view(undefined);
  const names = (kind: Parameters<SchemaEnvironment["list"]>[0]): Json =>
    environment
      .list(kind)
      .map((symbol) =>
        mode === "full"
          ? { name: symbol.definition.name, ref: symbol.ref, description: symbol.definition.description }
          : symbol.definition.name,
      );
  return {
    protocol: "KIP 2.0",
    profile: "KIP-CognitiveMemory",
    space: { id: engine.spaceId, space_seq: view.seq },
    schema_environment_version: environment.version,
    types: names("ConceptType"),
    predicates: names("PredicateType"),
    facets: names("FacetDefinition"),
    structural_fields: names("StructuralFieldDefinition"),
    epistemic_policy: POLICY_DEFAULT,
    strength_policy: STRENGTH_POLICY,
    capabilities: Object.entries(capabilitiesOf(engine.store)).flatMap(([name, supported]) =>
      supported ? [name] : [],
    ),
    invariants: [
      "A proposition that exists is not thereby true: ask BELIEF.",
      "No match is not a denial: it is insufficient.",
      "Correct by a new claim that supersedes, never by rewriting.",
      "Memory grants no authority.",
    ],
  };
}

function capabilities({ store }: SpaceEngine): JsonObject {
  const rows = Object.entries(capabilitiesOf(store)).map(([name, supported]) => [
    name,
    { supported, available: supported },
  ]);
  return {
    protocol_versions: ["2.0"],
    isolation: ["serializable"],
    execution_modes: ["independent", "sequence", "atomic"],
    search_modes: store.semantic ? [...SEARCH_MODES] : ["keyword"],
    capabilities: Object.fromEntries(rows) as JsonObject,
    limits: {
      command_bytes: COMMAND_BYTES_MAX,
      nesting_depth: NESTING_DEPTH_MAX,
      operations: OPERATIONS_MAX,
      bindings: BINDINGS_MAX,
      transaction_elements: TRANSACTION_ELEMENTS_MAX,
      deadline_ms: DEADLINE_MS_MAX,
      idempotency_retention_ms: OUTCOME_RETENTION_MS,
    },
  };
}

function describeError(name: string): JsonObject {
  if (!Object.hasOwn(KIP_CODES, name)) {
    const near = nearest(name, Object.keys(KIP_CODES));
    throw new KipError(
      "NotFoundOrNotVisible",
      `there is no error code ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
    );
  }
  const { category, retry, hint } = KIP_CODES[name as keyof typeof KIP_CODES];
  return { code: name, category, retry: { class: retry }, hint };
}

function policy(name: string): JsonObject {
  if (!Object.hasOwn(POLICIES, name))
    throw new KipError("ProjectionPolicyUnavailable", `there is no epistemic policy ${JSON.stringify(name)}`);
  const precedence = name === "kip:memory-default" ? ["task_scope", "own_testimony", "recency"] : [];
  return {
    id: name,
    version: POLICIES[name as keyof typeof POLICIES],
    default: name === POLICY_DEFAULT,
    precedence,
    score_semantics: "independent_roots",
  };
}

function transaction(engine: SpaceEngine, id: string): JsonObject {
  const match = /^tx-([1-9][0-9]*)$/.exec(id);
  const row = match === null ? undefined : engine.view(undefined).transaction(Number(match[1]));
  if (row === undefined) throw new KipError("TransactionUnknown", `there is no transaction ${JSON.stringify(id)}`);
  return { status: "committed", receipt: row.receipt as unknown as JsonObject, changes: row.changes };
}

function byIdempotencyKey(engine: SpaceEngine, session: Session, key: string): JsonObject {
  const view = engine.view(undefined);
  const outcome = view.outcome(`${session.caller} ${key}`) ?? view.outcome(`${session.caller} ${key}#0`);
  if (outcome === undefined)
    throw new KipError("TransactionUnknown", `no outcome is bound to the key ${JSON.stringify(key)}`);
  if (session.now - outcome.at > OUTCOME_RETENTION_MS) {
    throw new KipError("TransactionUnknown", "the outcome of this key is no longer kept", {
      details: { expired: true },
    });
  }
  const result = JSON.parse(outcome.response) as Json;
  if (outcome.seq === null) return { status: "no_effect", result };
  return { ...transaction(engine, txId(outcome.seq)), result };
}

function snapshot(engine: SpaceEngine, node: Describe): JsonObject {
  const present = engine.view(undefined);
  let seq = present.seq;
  if (node.asOf?.by === "SEQ") seq = engine.view(wholeOfScalar(node.asOf.value, "AS OF SEQ")).seq;
  else if (node.asOf !== undefined) seq = present.seqAt(Date.parse(checkTimestamp(dataOf(node.asOf.value), "AT TIME")));
  const at = present.transaction(seq)?.at;
  return {
    space_id: engine.spaceId,
    space_seq: seq,
    tx_id: seq === 0 ? null : txId(seq),
    committed_at: at === undefined ? null : isoTime(at),
    snapshot_token: `seq-${seq}`,
  };
}

function schemaEnvironment(engine: SpaceEngine, node: Describe): JsonObject {
  let { environment } = engine;
  if (node.asOf !== undefined) {
    const { seq } = engine.view(wholeOfScalar(node.asOf.value, "AS OF SEQ"));
    const drafts = environment.drafts.filter((draft) => draft.seq <= seq);
    if (drafts.length !== environment.drafts.length) environment = new SchemaEnvironment(environment.packages, drafts);
  }
  return {
    schema_environment_version: environment.version,
    packages: environment.packages.map(({ manifest }) => manifest.package_ref),
    draft_symbols: environment.drafts.map((draft) => ({
      ref: draft.definition.ref,
      kind: draft.definition.kind,
      promoted_to: draft.promotedTo ?? null,
    })),
  };
}

const unsupported = (what: string): KipError => new KipError("UnsupportedCapability", `${what} is not supported`);

function compatibility(engine: SpaceEngine, node: Describe): JsonObject {
  const [from, to] = [
    describePackage(engine.environment, text(node.value, "FROM")),
    describePackage(engine.environment, text(node.to, "TO")),
  ];
  const same = from["package_ref"] === to["package_ref"];
  return {
    from: from["package_ref"]!,
    to: to["package_ref"]!,
    compatible: same,
    reason: same ? "same package" : "no lineage map between the packages",
  };
}

export function runDescribe(engine: SpaceEngine, session: Session, node: Describe): JsonObject {
  const { environment } = engine;
  switch (node.topic) {
    case "PRIMER": {
      const mode = node.value === undefined ? "compact" : text(node.value, "MODE");
      if (mode !== "compact" && mode !== "full") throw new KipError("ConstraintViolation", "MODE is compact or full");
      return primer(engine, mode);
    }
    case "PROTOCOL":
      return { protocol: "KIP", version: "2.0", levels: ["KIP-Core", "KIP-CognitiveMemory"] };
    case "CAPABILITIES":
      return capabilities(engine);
    case "SPACE": {
      const id = node.value === undefined ? engine.spaceId : text(node.value, "a Space");
      if (id !== engine.spaceId) throw new KipError("NotFoundOrNotVisible", `there is no Space ${JSON.stringify(id)}`);
      return { id, space_seq: engine.view(undefined).seq, schema_environment_version: environment.version };
    }
    case "SCHEMA ENVIRONMENT":
      return schemaEnvironment(engine, node);
    case "SNAPSHOT":
      return snapshot(engine, node);
    case "TYPE":
      return describeSymbol(environment.type(text(node.value, "a type")));
    case "PREDICATE":
      return describeSymbol(environment.predicate(text(node.value, "a predicate")));
    case "FACET":
      return describeSymbol(environment.facet(text(node.value, "a facet")));
    case "STRUCTURAL FIELD":
      return describeSymbol(environment.structural(text(node.value, "a structural field")));
    case "PACKAGE":
      return describePackage(environment, text(node.value, "a package"));
    case "COMPATIBILITY":
      return compatibility(engine, node);
    case "ERROR":
      return describeError(text(node.value, "an error code"));
    case "EPISTEMIC POLICY":
      return policy(node.value === undefined ? POLICY_DEFAULT : text(node.value, "a policy"));
    case "TRUST":
      return { model: "none", weighted: false };
    case "ACCESS":
      return { caller: session.caller, authorization_view: "full" };
    case "TRANSACTION":
      return transaction(engine, text(node.value, "a transaction"));
    case "TRANSACTION BY IDEMPOTENCY KEY":
      return byIdempotencyKey(engine, session, text(node.value, "an idempotency key"));
    case "CAPSULE":
      throw unsupported("a capsule");
  }
}
