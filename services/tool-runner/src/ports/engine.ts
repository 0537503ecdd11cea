/** The runner's view of the engine. */
import type { CallKey, CallOutcome } from "./effect-ledger.ts";

export interface DispatchedCall {
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly argumentsJson: string;
  /** False: the call is no longer open and must not run. */
  readonly open: boolean;
}

/** Where the result may be posted without a look: from the job, and only a hint. */
export interface ResultHint {
  /** Worker that held the session, or empty. */
  readonly holder: string;
  /** Highest mail number then, 0 for unknown. */
  readonly k: number;
  /** W3C traceparent of the run, or empty. */
  readonly trace: string;
}

export interface Engine {
  /** Rejects with `unavailable` when no engine can be reached, with `not_found` for a call that never was. */
  getToolCall(key: CallKey, tenant: string): Promise<DispatchedCall>;
  /** Resolves when the result is durably in the session's mailbox. Repeats are harmless. */
  postToolResult(key: CallKey, tenant: string, outcome: CallOutcome, late: boolean, hint: ResultHint): Promise<void>;
}
