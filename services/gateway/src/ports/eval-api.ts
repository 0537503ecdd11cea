/** Experiments as the gateway needs them. Calls are made on behalf of a principal; a foreign id is `not_found`. */
import { MainspringError } from "@mainspring/kernel";

import type { Caller, Page } from "./engine-api.ts";

/** What callers are told where nothing runs experiments. */
export function noEvalRunner(): MainspringError {
  return new MainspringError("unimplemented", "this deployment has no eval-runner: set MAINSPRING_EVAL_RUNNER_ADDR", {
    reason: "no_eval_runner",
  });
}

export interface ExperimentInfo {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly round: number;
  /** 0: no limit of its own. */
  readonly concurrency: number;
  readonly progress: Readonly<Record<"cells" | "passed" | "failed" | "errors" | "running" | "waiting", number>>;
  /** Unix ms. */
  readonly createdAt: number;
  /** 0 while it runs. */
  readonly endedAt: number;
  /** Null in lists. */
  readonly definition: unknown;
}

export interface AttemptInfo {
  readonly cellId: string;
  readonly subject: string;
  readonly task: string;
  readonly repetition: number;
  readonly number: number;
  readonly outcome: string;
  readonly selected: boolean;
  readonly text: string;
  readonly textChars: number;
  readonly usage: Readonly<
    Record<"input_tokens" | "cached_input_tokens" | "output_tokens" | "reasoning_tokens", number>
  >;
  readonly durationMs: number;
  readonly responseId: string;
  readonly runId: string;
  readonly traceId: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface EvalApi {
  /** `definition`: as the caller sent it. */
  create(
    caller: Caller,
    definition: unknown,
    concurrency: number,
  ): Promise<{ readonly experiment: ExperimentInfo; readonly created: boolean }>;
  get(caller: Caller, id: string): Promise<ExperimentInfo>;
  list(caller: Caller, pageSize: number, pageToken: string): Promise<Page<ExperimentInfo>>;
  cancel(caller: Caller, id: string): Promise<ExperimentInfo>;
  /** `baseline`: name of a subject; empty for the first. */
  report(caller: Caller, id: string, baseline: string): Promise<unknown>;
  attempts(caller: Caller, id: string, pageSize: number, pageToken: string): Promise<Page<AttemptInfo>>;
  /** Ends when the experiment has ended. */
  watch(caller: Caller, id: string, signal: AbortSignal): AsyncIterable<ExperimentInfo>;
}
