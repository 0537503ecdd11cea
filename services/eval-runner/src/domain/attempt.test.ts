import { describe, expect, test } from "vitest";

import { ATTEMPTS_PER_CELL_MAX, ATTEMPTS_PER_ROUND, cellState, nextStep } from "./attempt.ts";
import type { Attempt, AttemptResult, Outcome } from "./attempt.ts";

function result(outcome: Outcome, retryable = outcome === "error"): AttemptResult {
  const none = { text: "", textChars: 0, usage: null, durationMs: 0, responseId: "", runId: "", traceId: "" };
  return { ...none, outcome, retryable, error: null, endedAt: 1 };
}

function attempt(number: number, of: AttemptResult | null, more: Partial<Attempt> = {}): Attempt {
  const claim = { cell: "c", tenant: "t", experiment: "e", round: 1, runner: "r", claimId: "x", startedAt: 0 };
  return { ...claim, number, result: of, ...more };
}

const step = (...attempts: Attempt[]) => nextStep(attempts, "e", 1);
const state = (...attempts: Attempt[]) => cellState(undefined, attempts, "e", 1);
const errors = (count: number) => Array.from({ length: count }, (_, index) => attempt(index + 1, result("error")));

describe("the next step of a cell", () => {
  test("nothing yet: the first attempt is claimed", () => {
    expect(step()).toEqual({ kind: "claim", number: 1 });
    expect(state()).toBe("waiting");
  });

  test.each(["passed", "failed"] as const)("one that %s is the result, and is not tried again", (outcome) => {
    const selection = { cell: "c", attempt: 2, outcome };
    expect(step(attempt(1, result("error")), attempt(2, result(outcome)))).toEqual({ kind: "select", selection });
    expect(cellState(selection, [], "e", 1)).toBe(outcome);
  });

  test("the first of two results is selected, whoever asks", () => {
    const both = [attempt(1, result("failed")), attempt(2, result("passed"))];
    expect(step(...both)).toMatchObject({ kind: "select", selection: { attempt: 1 } });
  });

  test("one that runs is joined, whatever others did", () => {
    expect(step(attempt(1, result("error")), attempt(2, null))).toMatchObject({ kind: "join", attempt: { number: 2 } });
    expect(state(attempt(1, null))).toBe("running");
  });

  test("errors are tried again so many times in a round", () => {
    expect(step(...errors(ATTEMPTS_PER_ROUND - 1))).toEqual({ kind: "claim", number: ATTEMPTS_PER_ROUND });
    expect(step(...errors(ATTEMPTS_PER_ROUND))).toEqual({ kind: "exhausted" });
    expect(state(...errors(ATTEMPTS_PER_ROUND))).toBe("error");
  });

  test("the next round tries again, and so does another experiment with the same cell", () => {
    expect(nextStep(errors(3), "e", 2)).toEqual({ kind: "claim", number: 4 });
    expect(nextStep(errors(3), "other", 1)).toEqual({ kind: "claim", number: 4 });
    expect(nextStep(errors(ATTEMPTS_PER_CELL_MAX), "e", 99)).toEqual({ kind: "exhausted" });
  });

  test("an error that would come again is not tried again", () => {
    expect(step(attempt(1, result("error", false)))).toEqual({ kind: "exhausted" });
    expect(state(attempt(1, result("error", false)))).toBe("error");
  });

  test("one that was cancelled with an experiment is missing, not in error, and counts as no try", () => {
    expect(step(attempt(1, result("cancelled")))).toEqual({ kind: "claim", number: 2 });
    expect(step(attempt(1, result("cancelled")), ...errors(3).slice(1))).toEqual({ kind: "claim", number: 4 });
    expect(state(attempt(1, result("cancelled")))).toBe("waiting");
  });
});
