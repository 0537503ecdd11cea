/**
 * Every event of a session log, with closed schemas: this file is the only place that defines them. Writers are
 * strict (`checkEvent`); readers skip types they do not know.
 *
 * `seq = n × 1000 + index` within commit n, so a seq is ordered, unique, and names its commit.
 */
import { assert } from "@mainspring/kernel";
import type { InputItem, OutputItem } from "./items.ts";
import type { RunSpec } from "./run-spec.ts";

export const EVENTS_PER_COMMIT_MAX = 1000;

export type ToolOutcome = "completed" | "failed" | "cancelled" | "unknown";
export type Recovery = "replay_safe" | "idempotent" | "reconcile" | "never_retry";

export interface UsageCount {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
}

/** Data of each type. `mail` names the post that the event disposes of; each post has exactly one such event. */
export interface EventData {
  "session.created": { tenant: string; agent: string; title: string };
  "session.activated": { epoch: number; worker: string; takeover: boolean };
  "session.quarantined": { reason: string };
  "session.reopened": Record<string, never>;
  "session.deleted": { mail: number };
  "input.submitted": { mail: number; input_id: string; mode: "run" | "steer"; items: InputItem[] };
  "input.applied": { input_id: string };
  "input.void": { input_id: string; reason: string; mail?: number };
  "run.queued": { input_id: string; client_run_id: string; spec: RunSpec; trace: string };
  "run.started": { input_id: string; trace: string };
  "run.cancelling": { mail?: number; reason: string };
  "run.cancel_effective": Record<string, never>;
  "run.completed": { finish: string; client_calls: string[] };
  "run.failed": { code: string; message: string };
  "run.cancelled": { reason: string; mail?: number };
  "run.exhausted": { limit: string };
  "model.requested": { attempt: number; model: string };
  "model.completed": {
    attempt: number;
    items: OutputItem[];
    usage: UsageCount;
    finish: string;
    served_by: string;
    /** How the output was cut into deltas: item ordinal and length, in the order they were sent. */
    chunks: [item: number, length: number][];
  };
  /** `items` and `chunks`: what readers may have seen of the output. */
  "model.failed": {
    attempt: number;
    code: string;
    message: string;
    retry_at?: number;
    items: OutputItem[];
    chunks: [item: number, length: number][];
  };
  "model.abandoned": {
    attempt: number;
    reason: string;
    /** What is known of the output that readers may have seen. */
    items: OutputItem[];
    chunks: [item: number, length: number][];
  };
  "tool.dispatched": { call_id: string; attempt: number; name: string; recovery: Recovery };
  "tool.settled": {
    call_id: string;
    attempt: number;
    outcome: ToolOutcome;
    output: string;
    output_ref?: string;
    output_bytes?: number;
    duration_ms?: number;
    mail?: number;
  };
  "tool.late_outcome": {
    call_id: string;
    attempt: number;
    outcome: ToolOutcome;
    output: string;
    output_ref?: string;
    mail: number;
  };
  "mail.void": { mail: number; post_id: string; kind: string; reason: string };
}

export type EventType = keyof EventData;

interface Envelope {
  readonly seq: number;
  /** Unix ms, never before the event before it. */
  readonly at: number;
  readonly run?: string;
  readonly step?: number;
  /** Who caused it: user, engine, model or tool. */
  readonly origin: Origin;
}
export type Origin = "user" | "engine" | "model" | "tool";

export type EventOf<T extends EventType> = Envelope & { readonly type: T; readonly data: Readonly<EventData[T]> };
export type SessionEvent = { [T in EventType]: EventOf<T> }[EventType];

type Kind = "string" | "number" | "boolean" | "array" | "object";
type Shape<D> = { readonly [K in keyof D]-?: Kind | `${Kind}?` };

const SHAPES: { readonly [T in EventType]: Shape<EventData[T]> } = {
  "session.created": { tenant: "string", agent: "string", title: "string" },
  "session.activated": { epoch: "number", worker: "string", takeover: "boolean" },
  "session.quarantined": { reason: "string" },
  "session.reopened": {},
  "session.deleted": { mail: "number" },
  "input.submitted": { mail: "number", input_id: "string", mode: "string", items: "array" },
  "input.applied": { input_id: "string" },
  "input.void": { input_id: "string", reason: "string", mail: "number?" },
  "run.queued": { input_id: "string", client_run_id: "string", spec: "object", trace: "string" },
  "run.started": { input_id: "string", trace: "string" },
  "run.cancelling": { mail: "number?", reason: "string" },
  "run.cancel_effective": {},
  "run.completed": { finish: "string", client_calls: "array" },
  "run.failed": { code: "string", message: "string" },
  "run.cancelled": { reason: "string", mail: "number?" },
  "run.exhausted": { limit: "string" },
  "model.requested": { attempt: "number", model: "string" },
  "model.completed": {
    attempt: "number",
    items: "array",
    usage: "object",
    finish: "string",
    served_by: "string",
    chunks: "array",
  },
  "model.failed": {
    attempt: "number",
    code: "string",
    message: "string",
    retry_at: "number?",
    items: "array",
    chunks: "array",
  },
  "model.abandoned": { attempt: "number", reason: "string", items: "array", chunks: "array" },
  "tool.dispatched": { call_id: "string", attempt: "number", name: "string", recovery: "string" },
  "tool.settled": {
    call_id: "string",
    attempt: "number",
    outcome: "string",
    output: "string",
    output_ref: "string?",
    output_bytes: "number?",
    duration_ms: "number?",
    mail: "number?",
  },
  "tool.late_outcome": {
    call_id: "string",
    attempt: "number",
    outcome: "string",
    output: "string",
    output_ref: "string?",
    mail: "number",
  },
  "mail.void": { mail: "number", post_id: "string", kind: "string", reason: "string" },
};

/** Types that end a run. Exactly one of them per run. */
export const TERMINAL_TYPES: ReadonlySet<string> = new Set<EventType>([
  "run.completed",
  "run.failed",
  "run.cancelled",
  "run.exhausted",
]);

export function isKnownType(type: string): type is EventType {
  return Object.hasOwn(SHAPES, type);
}

/** Throws when an event that is about to be written does not match its closed schema. */
export function checkEvent(event: SessionEvent): void {
  const shape: Readonly<Record<string, string>> = SHAPES[event.type];
  assert(shape !== undefined, `unknown event type ${event.type}`);
  const data = event.data as Readonly<Record<string, unknown>>;
  for (const [key, kind] of Object.entries(shape)) {
    const value = data[key];
    if (value === undefined) assert(kind.endsWith("?"), `${event.type}: ${key} is missing`);
    else assert(kindOf(value) === kind.replace("?", ""), `${event.type}: ${key} is not a ${kind}`);
  }
  for (const key of Object.keys(data)) assert(Object.hasOwn(shape, key), `${event.type}: ${key} is not in its schema`);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** The commit that holds a seq. */
export function commitOfSeq(seq: number): number {
  return Math.floor(seq / EVENTS_PER_COMMIT_MAX);
}
