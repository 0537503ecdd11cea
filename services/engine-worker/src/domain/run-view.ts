/** What is told of a run, as a fold over its events. */
import type { SessionEvent, UsageCount } from "./events.ts";
import { TERMINAL_TYPES } from "./events.ts";
import type { RunSpec } from "./run-spec.ts";

export type RunStatus =
  | "queued"
  | "running"
  | "waiting"
  | "cancelling"
  | "completed"
  | "failed"
  | "cancelled"
  | "exhausted";

export interface RunView {
  readonly run: string;
  status: RunStatus;
  clientRunId: string;
  spec: RunSpec | null;
  /** Traceparent that it was accepted under, or empty. */
  trace: string;
  createdAt: number;
  endedAt: number;
  error: { readonly code: string; readonly message: string } | null;
  usage: UsageCount;
  steps: number;
  firstSeq: number;
  lastSeq: number;
  /** Dispatched calls that are not settled. */
  openCalls: number;
}

export function newRunView(run: string): RunView {
  return {
    run,
    status: "queued",
    clientRunId: "",
    spec: null,
    trace: "",
    createdAt: 0,
    endedAt: 0,
    error: null,
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    steps: 0,
    firstSeq: 0,
    lastSeq: 0,
    openCalls: 0,
  };
}

/** Takes in one event of the run. */
export function viewEvent(view: RunView, event: SessionEvent): void {
  if (view.firstSeq === 0) view.firstSeq = event.seq;
  view.lastSeq = event.seq;
  if (TERMINAL_TYPES.has(event.type)) {
    view.status = event.type.slice("run.".length) as RunStatus;
    view.endedAt = event.at;
    if (event.type === "run.failed") view.error = { code: event.data.code, message: event.data.message };
    return;
  }
  switch (event.type) {
    case "run.queued":
      view.clientRunId = event.data.client_run_id;
      view.spec = event.data.spec;
      view.trace = event.data.trace;
      view.createdAt = event.at;
      break;
    case "run.started":
    case "model.requested":
      view.status = "running";
      view.steps = Math.max(view.steps, event.step ?? 0);
      break;
    case "run.cancelling":
      view.status = "cancelling";
      break;
    case "model.completed":
      view.usage = sum(view.usage, event.data.usage);
      break;
    case "model.failed":
      if (event.data.retry_at !== undefined) view.status = "waiting";
      break;
    case "tool.dispatched":
      if (event.data.attempt === 1) view.openCalls += 1;
      if (view.status === "running") view.status = "waiting";
      break;
    case "tool.settled":
      if (event.data.attempt > 0) view.openCalls -= 1;
      break;
    default:
      break;
  }
}

function sum(a: UsageCount, b: UsageCount): UsageCount {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  };
}
