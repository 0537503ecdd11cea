/** The request and response envelopes. Objects are closed: a member that is not known is refused. */
import type { KipErrorObject } from "./kip-error.ts";
import { KipError } from "./kip-error.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { Language } from "./language/classify.ts";
import { OPERATIONS_MAX } from "./limits.ts";
import { nearest } from "@mainspring/kernel";

export type ExecutionMode = "independent" | "sequence" | "atomic";

export interface IngestEvidence {
  readonly key: string;
  readonly evidence_class: string;
  readonly payload?: Json;
  readonly payload_artifact?: Json;
  readonly media_type?: string;
  readonly observed_at?: string;
  readonly source_actor?: JsonObject;
  readonly client_key?: string;
  readonly facets?: JsonObject;
}

export interface KipOperation {
  readonly op_id?: string;
  readonly language?: Language;
  readonly command: string;
  readonly parameters?: JsonObject;
  readonly idempotency_key?: string;
  readonly options?: { readonly dry_run?: boolean; readonly deadline_ms?: number };
}

export interface KipRequest {
  readonly kip: "2.0";
  readonly operations: readonly KipOperation[];
  readonly request_id?: string;
  readonly space?: { readonly id?: string; readonly uri?: string };
  readonly execution?: {
    readonly mode?: ExecutionMode;
    readonly on_error?: "stop" | "continue";
    readonly isolation?: string;
    readonly idempotency_key?: string;
  };
  readonly ingest?: { readonly evidence: readonly IngestEvidence[] };
  readonly read?: { readonly snapshot_token?: string };
  readonly preconditions?: { readonly space_seq?: number; readonly schema_environment_version?: string };
  readonly parameters?: JsonObject;
  readonly context?: JsonObject;
  readonly requires?: JsonObject | readonly string[];
  readonly options?: { readonly dry_run?: boolean; readonly deadline_ms?: number };
}

export interface KipReceipt {
  readonly tx_id: string;
  readonly space_id: string;
  readonly snapshot_seq: number;
  readonly space_seq: number;
  readonly committed_at: string;
  readonly status: "committed";
  readonly request_digest: string;
  readonly semantic_plan_digest: string;
  readonly schema_environment_version: string;
  readonly receipt_digest: string;
  readonly origin: JsonObject;
}

export type ResultStatus = "succeeded" | "failed" | "skipped" | "rolled_back" | "no_effect";
export interface KipResult {
  readonly op_id: string;
  readonly status: ResultStatus;
  readonly result?: Json;
  readonly error?: KipErrorObject;
  readonly warnings?: readonly string[];
  readonly next_cursor?: string;
  readonly receipt?: KipReceipt;
}

export interface KipResponse {
  readonly kip: "2.0";
  readonly request_id?: string;
  readonly status: "succeeded" | "failed" | "partial" | "outcome_unknown";
  readonly execution?: { readonly mode: ExecutionMode };
  readonly results: readonly KipResult[];
  readonly context?: JsonObject;
  readonly snapshot?: JsonObject;
  /** Of an atomic batch. */
  readonly receipt?: KipReceipt;
  readonly warnings?: readonly string[];
  readonly error?: KipErrorObject;
}

const bad = (message: string, path: string): KipError =>
  new KipError("InvalidRequestEnvelope", `${path}: ${message}`, { details: { path } });

type Check = (value: Json, path: string) => void;

const text: Check = (value, path) => {
  if (typeof value !== "string" || value === "") throw bad("must be a non-empty string", path);
};
const whole: Check = (value, path) => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw bad("must be a whole number", path);
};
const flag: Check = (value, path) => {
  if (typeof value !== "boolean") throw bad("must be true or false", path);
};
const anything: Check = () => {};
const object: Check = (value, path) => {
  if (!isObject(value)) throw bad("must be an object", path);
};
const oneOf =
  (...allowed: string[]): Check =>
  (value, path) => {
    if (typeof value !== "string" || !allowed.includes(value)) throw bad(`must be one of ${allowed.join(", ")}`, path);
  };

/** An object with these members and no other; `needed` names those that must be there. */
function closed(members: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  return (value, path) => {
    if (!isObject(value)) throw bad("must be an object", path);
    for (const key of Object.keys(value)) {
      const check = Object.hasOwn(members, key) ? members[key] : undefined;
      if (check === undefined) {
        const near = nearest(key, Object.keys(members));
        throw bad(`unknown member ${JSON.stringify(key)}${near === undefined ? "" : `; did you mean ${near}?`}`, path);
      }
      if (value[key] !== undefined) check(value[key], `${path}.${key}`);
    }
    for (const key of needed) if (value[key] === undefined) throw bad(`needs the member ${key}`, path);
  };
}

function listOf(check: Check, max: number): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length === 0) throw bad("must be a list of at least one", path);
    if (value.length > max)
      throw new KipError("ResourceExhausted", `${path} holds at most ${max} entries`, {
        details: { limit: "operations", max },
      });
    value.forEach((item: Json, index) => check(item, `${path}[${index}]`));
  };
}

const options = closed({ dry_run: flag, deadline_ms: whole });
const extensions: Check = (value, path) => {
  object(value, path);
  for (const [name, entry] of Object.entries(value as JsonObject)) {
    if (isObject(entry) && entry["critical"] === true) {
      throw new KipError("UnsupportedCapability", `the critical extension ${JSON.stringify(name)} is not supported`);
    }
  }
};

const operation: Check = (value, path) => {
  closed({
    op_id: text,
    language: oneOf("KQL", "KML", "META"),
    command: text,
    ast: object,
    parameters: object,
    idempotency_key: text,
    options,
    extensions,
  })(value, path);
  const { command, ast } = value as JsonObject;
  if ((command === undefined) === (ast === undefined)) throw bad("needs exactly one of command and ast", path);
  if (ast !== undefined)
    throw new KipError("UnsupportedCapability", "operations as a syntax tree are not supported; send command");
};

const evidence: Check = (value, path) => {
  closed(
    {
      key: text,
      evidence_class: text,
      payload: anything,
      payload_artifact: anything,
      media_type: text,
      observed_at: text,
      source_actor: closed({ id: text, type: text, key: text }),
      client_key: text,
      facets: object,
    },
    ["key", "evidence_class"],
  )(value, path);
  const { payload, payload_artifact: reference } = value as JsonObject;
  if ((payload === undefined) === (reference === undefined))
    throw bad("needs exactly one of payload and payload_artifact", path);
};

const request = closed(
  {
    kip: text,
    operations: listOf(operation, OPERATIONS_MAX),
    request_id: text,
    space: closed({ id: text, uri: text }),
    compatibility_profile: text,
    execution: closed({
      mode: oneOf("independent", "sequence", "atomic"),
      on_error: oneOf("stop", "continue"),
      isolation: text,
      idempotency_key: text,
    }),
    ingest: closed({ evidence: listOf(evidence, OPERATIONS_MAX) }, ["evidence"]),
    read: closed({ snapshot_token: text }),
    preconditions: closed({ space_seq: whole, schema_environment_version: text }),
    parameters: object,
    context: closed({ purpose: text, risk: text, locale: text, client: anything }),
    requires: anything,
    options,
    extensions,
  },
  ["kip", "operations"],
);

/** A checked request. A bare string is one command. */
export function checkRequest(value: unknown): KipRequest {
  if (typeof value === "string") return { kip: "2.0", operations: [{ command: value }] };
  if (isObject(value) && typeof value["kip"] === "string" && value["kip"] !== "2.0") {
    throw new KipError(
      "UnsupportedProtocolVersion",
      `protocol version ${JSON.stringify(value["kip"])} is not supported`,
    );
  }
  request(value as Json, "request");
  const checked = value as KipRequest;
  if (checked.operations.length > 1 && checked.execution?.mode === undefined) {
    throw bad("execution.mode is required for more than one operation", "request.execution");
  }
  const isolation = checked.execution?.isolation;
  if (isolation !== undefined && isolation !== "serializable") {
    throw new KipError("UnsupportedIsolation", `isolation ${JSON.stringify(isolation)} is not supported`);
  }
  return checked;
}
