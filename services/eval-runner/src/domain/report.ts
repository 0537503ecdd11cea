/** The report of an experiment, in the words of the API. */
import type { Attempt, CellState } from "./attempt.ts";
import type { Cell, Definition } from "./experiment.ts";
import { exactPairedP, mean, wilson } from "./statistics.ts";

/** Cells that a report lists as failed; the rest is counted. */
export const FAILURES_MAX = 200;
/** Characters of an answer or an error message in a report. */
export const EXCERPT_CHARS = 200;

/** A cell with the attempt that is its result, or the last one of a cell without. */
export interface CellOutcome {
  readonly cell: Cell;
  readonly state: CellState;
  readonly attempt: Attempt | null;
}

export interface SubjectReport {
  readonly subject: string;
  readonly model: string;
  readonly cells: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly missing: number;
  /** Of the cells with a result; null without any. */
  readonly pass_rate: number | null;
  /** Wilson, 95 %. */
  readonly pass_rate_interval: readonly [number, number] | null;
  readonly mean_duration_ms: number | null;
  readonly mean_input_tokens: number | null;
  readonly mean_output_tokens: number | null;
}

export interface Comparison {
  readonly baseline: string;
  readonly subject: string;
  /** Tasks and repetitions for which both have a result. */
  readonly pairs: number;
  readonly both_passed: number;
  readonly only_baseline_passed: number;
  readonly only_subject_passed: number;
  /** Pass rate of the subject less that of the baseline over these pairs; null without pairs. */
  readonly difference: number | null;
  readonly p_value: number | null;
}

export interface Failure {
  readonly subject: string;
  readonly task: string;
  readonly repetition: number;
  readonly outcome: "failed" | "error";
  readonly attempt: number;
  readonly text: string;
  readonly error: string | null;
  readonly run_id: string | null;
  readonly trace_id: string | null;
}

export interface Report {
  readonly subjects: readonly SubjectReport[];
  readonly comparisons: readonly Comparison[];
  readonly failures: readonly Failure[];
  readonly failures_omitted: number;
}

/** `outcomes`: every cell of the definition. `baseline`: name of a subject of it. */
export function reportOf(definition: Definition, outcomes: readonly CellOutcome[], baseline: string): Report {
  const others = definition.subjects.filter(({ name }) => name !== baseline);
  const failed = outcomes.filter(({ state }) => state === "failed" || state === "error");
  return {
    subjects: definition.subjects.map(({ name, model }) =>
      subjectReport(
        name,
        model,
        outcomes.filter(({ cell }) => cell.subject.name === name),
      ),
    ),
    comparisons: others.map(({ name }) => comparison(outcomes, baseline, name)),
    failures: failed.slice(0, FAILURES_MAX).map(failureOf),
    failures_omitted: Math.max(0, failed.length - FAILURES_MAX),
  };
}

function subjectReport(subject: string, model: string, outcomes: readonly CellOutcome[]): SubjectReport {
  const count = (state: CellState): number => outcomes.filter((outcome) => outcome.state === state).length;
  const [passed, failed, errors] = [count("passed"), count("failed"), count("error")];
  const judged = passed + failed;
  const interval = judged === 0 ? null : wilson(passed, judged);
  const results = outcomes
    .filter(({ state }) => state === "passed" || state === "failed")
    .flatMap(({ attempt }) => attempt?.result ?? []);
  const usages = results.flatMap(({ usage }) => usage ?? []);
  return {
    subject,
    model,
    cells: outcomes.length,
    passed,
    failed,
    errors,
    missing: outcomes.length - judged - errors,
    pass_rate: judged === 0 ? null : passed / judged,
    pass_rate_interval: interval === null ? null : [interval.low, interval.high],
    mean_duration_ms: mean(results.map(({ durationMs }) => durationMs)),
    mean_input_tokens: mean(usages.map(({ inputTokens }) => inputTokens)),
    mean_output_tokens: mean(usages.map(({ outputTokens }) => outputTokens)),
  };
}

/** Pairs are the same task and repetition; the unit of the test is the task. */
function comparison(outcomes: readonly CellOutcome[], baseline: string, subject: string): Comparison {
  const results = new Map<string, boolean>();
  for (const { cell, state } of outcomes) {
    if (cell.subject.name !== baseline || (state !== "passed" && state !== "failed")) continue;
    results.set(JSON.stringify([cell.task.id, cell.repetition]), state === "passed");
  }
  const counts = { pairs: 0, both: 0, baselineOnly: 0, subjectOnly: 0 };
  const differences = new Map<string, number>();
  for (const { cell, state } of outcomes) {
    if (cell.subject.name !== subject || (state !== "passed" && state !== "failed")) continue;
    const before = results.get(JSON.stringify([cell.task.id, cell.repetition]));
    if (before === undefined) continue;
    const now = state === "passed";
    counts.pairs += 1;
    if (now && before) counts.both += 1;
    if (before && !now) counts.baselineOnly += 1;
    if (now && !before) counts.subjectOnly += 1;
    differences.set(cell.task.id, (differences.get(cell.task.id) ?? 0) + Number(now) - Number(before));
  }
  const { pairs, both, baselineOnly, subjectOnly } = counts;
  return {
    baseline,
    subject,
    pairs,
    both_passed: both,
    only_baseline_passed: baselineOnly,
    only_subject_passed: subjectOnly,
    difference: pairs === 0 ? null : (subjectOnly - baselineOnly) / pairs,
    p_value: pairs === 0 ? null : exactPairedP([...differences.values()]),
  };
}

function failureOf({ cell, state, attempt }: CellOutcome): Failure {
  const result = attempt?.result ?? null;
  const error = result?.error ?? null;
  return {
    subject: cell.subject.name,
    task: cell.task.id,
    repetition: cell.repetition,
    outcome: state === "error" ? "error" : "failed",
    attempt: attempt?.number ?? 0,
    text: (result?.text ?? "").slice(0, EXCERPT_CHARS),
    error: error === null ? null : `${error.code}: ${error.message}`.slice(0, EXCERPT_CHARS),
    run_id: result?.runId || null,
    trace_id: result?.traceId || null,
  };
}
