/** Experiments over the contract of eval-runner. */
import type { CallOptions, EvalRunnerClient } from "@mainspring/contracts";
import type { Attempt__Output, Experiment__Output } from "@mainspring/contracts/eval-runner";

import type { Caller, Page } from "../ports/engine-api.ts";
import { noEvalRunner } from "../ports/eval-api.ts";
import type { AttemptInfo, EvalApi, ExperimentInfo } from "../ports/eval-api.ts";

const CALL_TIMEOUT_MS = 15_000;

export class GrpcEvalApi implements EvalApi {
  readonly #client: EvalRunnerClient | null;

  /** Null: this deployment runs no experiments, and says so. */
  constructor(client: EvalRunnerClient | null) {
    this.#client = client;
  }

  async create(caller: Caller, definition: unknown, concurrency: number) {
    const request = { definition_json: JSON.stringify(definition), concurrency };
    const { experiment, created } = await this.#evals().CreateExperiment(request, options(caller));
    return { experiment: toExperiment(experiment), created };
  }

  async get(caller: Caller, id: string): Promise<ExperimentInfo> {
    return toExperiment((await this.#evals().GetExperiment({ experiment_id: id }, options(caller))).experiment);
  }

  async list(caller: Caller, pageSize: number, pageToken: string): Promise<Page<ExperimentInfo>> {
    const request = { page_size: pageSize, page_token: pageToken };
    const { experiments, next_page_token } = await this.#evals().ListExperiments(request, options(caller));
    return { items: experiments.map(toExperiment), nextToken: next_page_token };
  }

  async cancel(caller: Caller, id: string): Promise<ExperimentInfo> {
    return toExperiment((await this.#evals().CancelExperiment({ experiment_id: id }, options(caller))).experiment);
  }

  async report(caller: Caller, id: string, baseline: string): Promise<unknown> {
    const { report_json } = await this.#evals().GetReport({ experiment_id: id, baseline }, options(caller));
    return JSON.parse(report_json);
  }

  async attempts(caller: Caller, id: string, pageSize: number, pageToken: string): Promise<Page<AttemptInfo>> {
    const request = { experiment_id: id, page_size: pageSize, page_token: pageToken };
    const { attempts, next_page_token } = await this.#evals().ListAttempts(request, options(caller));
    return { items: attempts.map(toAttempt), nextToken: next_page_token };
  }

  async *watch(caller: Caller, id: string, signal: AbortSignal): AsyncGenerator<ExperimentInfo> {
    const { principal, traceparent } = options(caller);
    const call = this.#evals().WatchExperiment({ experiment_id: id }, { principal, traceparent, signal });
    for await (const { experiment } of call) yield toExperiment(experiment);
  }

  #evals(): EvalRunnerClient {
    if (this.#client !== null) return this.#client;
    throw noEvalRunner();
  }
}

function options({ tenant, subject, scopes, traceparent }: Caller): CallOptions {
  return { principal: { tenant, subject, scopes }, traceparent, timeoutMs: CALL_TIMEOUT_MS };
}

function toExperiment(experiment: Experiment__Output | null): ExperimentInfo {
  const { progress, created_at_ms, ended_at_ms, definition_json, ...rest } = experiment!;
  return {
    ...rest,
    progress: progress!,
    createdAt: created_at_ms,
    endedAt: ended_at_ms,
    definition: definition_json === "" ? null : (JSON.parse(definition_json) as unknown),
  };
}

function toAttempt(attempt: Attempt__Output): AttemptInfo {
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = attempt;
  const { subject, task, repetition, number, outcome, selected, text } = attempt;
  const error = attempt.error_code === "" ? null : { code: attempt.error_code, message: attempt.error_message };
  return {
    cellId: attempt.cell_id,
    ...{ subject, task, repetition, number, outcome, selected, text },
    textChars: attempt.text_chars,
    usage: { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens },
    durationMs: attempt.duration_ms,
    responseId: attempt.response_id,
    runId: attempt.run_id,
    traceId: attempt.trace_id,
    error,
    startedAt: attempt.started_at_ms,
    endedAt: attempt.ended_at_ms,
  };
}
