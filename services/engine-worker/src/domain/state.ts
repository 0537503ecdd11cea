/** Control state of a session: everything `decide` needs and nothing that grows with the conversation. */
import type { Recovery, UsageCount } from "./events.ts";
import type { RunSpec } from "./run-spec.ts";

/** Raise when `project` changes meaning: snapshots of other versions are ignored and the log is read again. */
export const PROJECTOR_VERSION = 1;

export type CallStatus = "requested" | "dispatched" | "settled";

export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  /** JSON text, or empty with `argumentsRef` set. */
  arguments: string;
  argumentsRef: string;
  /** A function of the caller: never dispatched, ends the run. */
  readonly client: boolean;
  status: CallStatus;
  attempt: number;
  recovery: Recovery;
  dispatchedAt: number;
}

export interface ModelAttempt {
  readonly attempt: number;
  readonly requestedAt: number;
}

export interface RunState {
  readonly run: string;
  readonly inputId: string;
  readonly spec: RunSpec;
  readonly trace: string;
  readonly startedAt: number;
  cancelling: boolean;
  cancelEffective: boolean;
  cancelReason: string;
  /** Model calls begun as steps; 0 before the first. */
  step: number;
  /** Attempts of the current step that were lost or failed. */
  lostAttempts: number;
  lastAttempt: number;
  model: ModelAttempt | null;
  /** Unix ms before which the next attempt must not begin; 0 for none. */
  retryAt: number;
  /** Calls of the current turn, in the model's order; empty when there are none. */
  calls: ToolCall[];
  usage: UsageCount;
}

export interface QueuedRun {
  readonly run: string;
  readonly inputId: string;
  readonly spec: RunSpec;
  /** W3C traceparent of the post, or empty. */
  readonly trace: string;
}

export interface SessionState {
  /** Last commit projected. */
  n: number;
  lastAt: number;
  /** Highest epoch that the log knows. */
  epoch: number;
  /** Highest mail number consumed. */
  cursor: number;
  created: boolean;
  tenant: string;
  agent: string;
  title: string;
  quarantined: boolean;
  deleted: boolean;
  run: RunState | null;
  queue: QueuedRun[];
  /** Ids of steering inputs that wait for the next step of the run under way. */
  steers: string[];
  /** Caller's functions that a completed run left unanswered; the next input answers them. */
  clientCalls: string[];
  lastRun: { readonly run: string; readonly status: string } | null;
  /** Events of types that this projector does not know. */
  skippedEvents: number;
}

export function initialState(): SessionState {
  return {
    n: 0,
    lastAt: 0,
    epoch: 0,
    cursor: 0,
    created: false,
    tenant: "",
    agent: "",
    title: "",
    quarantined: false,
    deleted: false,
    run: null,
    queue: [],
    steers: [],
    clientCalls: [],
    lastRun: null,
    skippedEvents: 0,
  };
}

/** Whether anything of the session is still to be done. */
export function isIdle(state: SessionState): boolean {
  return state.run === null && state.queue.length === 0;
}
