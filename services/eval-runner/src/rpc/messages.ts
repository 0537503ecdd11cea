/** What the contract says of experiments and attempts. */
import type { Attempt as AttemptMessage, Experiment as ExperimentMessage } from "@mainspring/contracts/eval-runner";

import type { ListedAttempt } from "../app/attempt-list.ts";
import type { Counts, Definition, ExperimentHead } from "../domain/experiment.ts";

/** The definition as callers write it, with its defaults. */
export function definitionJson({ timeoutSeconds, tasks, ...rest }: Definition): string {
  const written = tasks.map(({ verify: { type, trim, ignoreCase }, ...task }) => ({
    ...task,
    verify: { type, trim, ignore_case: ignoreCase },
  }));
  return JSON.stringify({ ...rest, tasks: written, timeout_seconds: timeoutSeconds });
}

export function experimentOf(head: ExperimentHead, counts: Counts, definition: string): ExperimentMessage {
  return {
    id: head.id,
    name: head.name,
    status: head.status,
    round: head.round,
    concurrency: head.concurrency,
    progress: { cells: head.cells, ...counts },
    created_at_ms: head.createdAt,
    ended_at_ms: head.endedAt,
    definition_json: definition,
  };
}

export function attemptOf({ cell, attempt, selected }: ListedAttempt): AttemptMessage {
  const { result } = attempt;
  const where = { cell_id: cell.id, subject: cell.subject.name, task: cell.task.id, repetition: cell.repetition };
  const claimed = { ...where, number: attempt.number, selected, started_at_ms: attempt.startedAt };
  if (result === null) return { ...claimed, outcome: "running" };
  return {
    ...claimed,
    outcome: result.outcome,
    text: result.text,
    text_chars: result.textChars,
    input_tokens: result.usage?.inputTokens ?? 0,
    cached_input_tokens: result.usage?.cachedInputTokens ?? 0,
    output_tokens: result.usage?.outputTokens ?? 0,
    reasoning_tokens: result.usage?.reasoningTokens ?? 0,
    duration_ms: result.durationMs,
    response_id: result.responseId,
    run_id: result.runId,
    trace_id: result.traceId,
    error_code: result.error?.code ?? "",
    error_message: result.error?.message ?? "",
    ended_at_ms: result.endedAt,
  };
}
