/** Runs one tool call. The ledger is none of its business. */
import type { CallOutcome } from "./effect-ledger.ts";

export interface ToolCallRequest {
  readonly tenant: string;
  readonly session: string;
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  readonly tool: string;
  readonly argumentsJson: string;
  /** The same for every attempt of the call. */
  readonly idempotencyKey: string;
  /** Space of the agent's memory, or empty. */
  readonly memory: string;
  /** With a memory: the agent, and the subject of whoever started its run; empty where that is not known. */
  readonly agent: string;
  readonly caller: string;
  /** Of the call's span, or empty. */
  readonly traceparent: string;
}

export interface ToolExecutor {
  /**
   * Never rejects: bad arguments, an unknown tool or a thrown error are outcome `failed`. When the signal aborts, the
   * process group is killed and the outcome is `cancelled` with what was captured.
   */
  execute(request: ToolCallRequest, signal: AbortSignal): Promise<CallOutcome>;
}
