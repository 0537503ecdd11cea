import { expect, test } from "vitest";

import type { Attempt, CellState, Usage } from "./attempt.ts";
import { cellsOf } from "./experiment.ts";
import type { Definition } from "./experiment.ts";
import { FAILURES_MAX, reportOf } from "./report.ts";

const verify = { type: "exact", trim: true, ignoreCase: false } as const;

function definition(tasks: number, repetitions: number): Definition {
  const subject = { model: "m", instructions: "", params: {} };
  return {
    name: "n",
    subjects: [
      { ...subject, name: "base" },
      { ...subject, name: "new" },
    ],
    tasks: Array.from({ length: tasks }, (_, index) => ({ id: `t${index}`, input: "i", verify, expected: "e" })),
    repetitions,
    timeoutSeconds: 1,
  };
}

function attempt(number: number, durationMs: number): Attempt {
  const usage: Usage = { inputTokens: durationMs, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 0 };
  const claim = { cell: "c", tenant: "t", experiment: "e", round: 1, runner: "r", claimId: "x", startedAt: 0 };
  const result = {
    outcome: "failed",
    retryable: false,
    text: "w".repeat(300),
    textChars: 300,
    usage,
    durationMs,
  } as const;
  const ids = { responseId: "resp_1", runId: "run_1", traceId: "t", error: { code: "timeout", message: "late" } };
  return { ...claim, number, result: { ...result, ...ids, endedAt: 1 } };
}

/** One state a cell, in the order of cells. */
function report(given: Definition, states: readonly CellState[]) {
  const cells = cellsOf({ tenant: "t", admin: false }, given);
  const outcomes = cells.map((cell, index) => ({
    cell,
    state: states[index]!,
    attempt: states[index] === "waiting" ? null : attempt(1, (index + 1) * 10),
  }));
  return reportOf(given, outcomes, "base");
}

test("rates are of results; errors and what is missing are said beside them", () => {
  // base: passed, failed, error; new: passed, waiting, passed.
  const { subjects } = report(definition(3, 1), ["passed", "passed", "failed", "waiting", "error", "passed"]);
  expect(subjects[0]).toMatchObject({ cells: 3, passed: 1, failed: 1, errors: 1, missing: 0, pass_rate: 0.5 });
  expect(subjects[1]).toMatchObject({ cells: 3, passed: 2, failed: 0, errors: 0, missing: 1, pass_rate: 1 });
  // Of the results only: the cells 1 and 3 of base, 2 and 6 of new.
  expect(subjects.map(({ mean_duration_ms }) => mean_duration_ms)).toEqual([20, 40]);
  expect(subjects.map(({ mean_input_tokens }) => mean_input_tokens)).toEqual([20, 40]);
});

test("subjects are compared over the tasks and repetitions for which both have a result", () => {
  const { comparisons } = report(definition(3, 1), ["passed", "failed", "failed", "passed", "error", "passed"]);
  expect(comparisons).toEqual([
    {
      baseline: "base",
      subject: "new",
      pairs: 2,
      both_passed: 0,
      only_baseline_passed: 1,
      only_subject_passed: 1,
      difference: 0,
      p_value: 1,
    },
  ]);
});

test("the unit of the comparison is the task", () => {
  const oneTask = report(
    definition(1, 6),
    Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? "failed" : "passed")),
  );
  const sixTasks = report(
    definition(6, 1),
    Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? "failed" : "passed")),
  );
  expect(oneTask.comparisons[0]).toMatchObject({ pairs: 6, difference: 1, p_value: 1 });
  expect(sixTasks.comparisons[0]).toMatchObject({ pairs: 6, difference: 1, p_value: 2 / 64 });
});

test("failures are listed with where to look, and cut", () => {
  const many = report(
    definition(150, 1),
    Array.from({ length: 300 }, () => "failed"),
  );
  expect(many.failures).toHaveLength(FAILURES_MAX);
  expect(many.failures_omitted).toBe(100);
  expect(many.failures[0]).toMatchObject({
    subject: "base",
    task: "t0",
    repetition: 1,
    run_id: "run_1",
    trace_id: "t",
  });
  expect(many.failures[0]!.text).toHaveLength(200);
});

test("nothing yet is no rate, not a rate of nothing", () => {
  const { subjects, comparisons } = report(definition(1, 1), ["waiting", "waiting"]);
  expect(subjects[0]).toMatchObject({ pass_rate: null, pass_rate_interval: null, mean_duration_ms: null });
  expect(comparisons[0]).toMatchObject({ pairs: 0, difference: null, p_value: null });
});
