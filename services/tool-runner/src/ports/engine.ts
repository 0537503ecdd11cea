/** The runner's view of the engine. */
import type { CallKey, CallOutcome } from "./effect-ledger.ts";

export interface DispatchedCall {
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly argumentsJson: string;
  /** False: the call is no longer open and must not run. */
  readonly open: boolean;
}

export interface Engine {
  /** Rejects with `unavailable` when no engine can be reached, with `not_found` for a call that never was. */
  getToolCall(key: CallKey, tenant: string): Promise<DispatchedCall>;
  /** Resolves when the result is durably in the session's mailbox. Repeats are harmless. */
  postToolResult(key: CallKey, tenant: string, outcome: CallOutcome, late: boolean): Promise<void>;
}
