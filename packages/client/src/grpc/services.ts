/** The public services as callers see them: those of the contracts, without what only services may say or call. */
import type { DuplexCall, EngineClient, EvalRunnerClient, MemoryBrainClient } from "@mainspring/contracts";

export interface GrpcCallSettings {
  /** The call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The call rejects with `deadline_exceeded` after this long. */
  readonly timeoutMs?: number;
  /** W3C traceparent of the trace that the call belongs to. */
  readonly traceparent?: string;
}

type Public<Client> = {
  readonly [Method in keyof Client]: Client[Method] extends (...args: infer Args) => infer Answer
    ? Answer extends DuplexCall<infer _Sent, infer _Received>
      ? (settings?: GrpcCallSettings) => Answer
      : (request: Args[0], settings?: GrpcCallSettings) => Answer
    : never;
};

/** Sessions, runs, agents: `mainspring.engine.v1`. */
export type EngineApi = Public<Omit<EngineClient, "PostToolResult" | "GetToolCall">>;
/** Spaces: `mainspring.memory_brain.v1`. */
export type MemoryApi = Public<MemoryBrainClient>;
/** Experiments: `mainspring.eval_runner.v1`. */
export type EvalsApi = Public<EvalRunnerClient>;
