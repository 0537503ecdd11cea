/**
 * Attempts at a cell, and what is to be done next. An attempt is claimed before its run starts and settled after it ended:
 *
 *     absent → running(runner) → settled(passed, failed, error, cancelled)
 *
 * passed and failed are results: the first of them is selected as the result of its cell. Errors are of the
 * infrastructure and are tried again.
 */
/** Attempts at a cell in one round. */
export const ATTEMPTS_PER_ROUND = 3;
/** Attempts at a cell at all. */
export const ATTEMPTS_PER_CELL_MAX = 30;
/** Characters of an answer that are kept. It is verified whole. */
export const TEXT_CHARS_MAX = 16_384;

export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export type Outcome = "passed" | "failed" | "error" | "cancelled";

export interface AttemptResult {
  readonly outcome: Outcome;
  /** Of an error: whether another attempt may do better. */
  readonly retryable: boolean;
  /** At most TEXT_CHARS_MAX of the answer. */
  readonly text: string;
  /** Characters of the whole answer. */
  readonly textChars: number;
  readonly usage: Usage | null;
  /** Of the run. */
  readonly durationMs: number;
  readonly responseId: string;
  readonly runId: string;
  readonly traceId: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Unix ms. */
  readonly endedAt: number;
}

export interface Attempt {
  readonly cell: string;
  /** From 1, dense. */
  readonly number: number;
  readonly tenant: string;
  /** Experiment and round that it was made for. */
  readonly experiment: string;
  readonly round: number;
  readonly runner: string;
  /** Random; tells a runner whose reply was lost that the claim is its own. */
  readonly claimId: string;
  /** Unix ms. */
  readonly startedAt: number;
  /** Null while it runs. */
  readonly result: AttemptResult | null;
}

/** The result of a cell, once and for all. */
export interface Selection {
  readonly cell: string;
  readonly attempt: number;
  readonly outcome: "passed" | "failed";
}

export type Step =
  | { readonly kind: "select"; readonly selection: Selection }
  | { readonly kind: "join"; readonly attempt: Attempt }
  | { readonly kind: "claim"; readonly number: number }
  | { readonly kind: "exhausted" };

type Seen = Pick<Attempt, "experiment" | "round" | "result" | "cell" | "number">;

/** What a cell without a selected attempt needs. `attempts`: all of them, by number. */
export function nextStep<A extends Seen>(
  attempts: readonly A[],
  experiment: string,
  round: number,
): Exclude<Step, { kind: "join" }> | { readonly kind: "join"; readonly attempt: A } {
  for (const { cell, number, result } of attempts) {
    if (result?.outcome !== "passed" && result?.outcome !== "failed") continue;
    return { kind: "select", selection: { cell, attempt: number, outcome: result.outcome } };
  }
  const running = attempts.find(({ result }) => result === null);
  if (running !== undefined) return { kind: "join", attempt: running };
  // One that was cancelled with an experiment has nothing to answer for.
  const ended = attempts.filter(({ result }) => result?.outcome !== "cancelled");
  const tries = ended.filter((attempt) => attempt.experiment === experiment && attempt.round === round);
  const last = tries.at(-1)?.result ?? null;
  const isOver = tries.length >= ATTEMPTS_PER_ROUND || attempts.length >= ATTEMPTS_PER_CELL_MAX;
  if (isOver || (last !== null && !last.retryable)) return { kind: "exhausted" };
  return { kind: "claim", number: (attempts.at(-1)?.number ?? 0) + 1 };
}

export type CellState = "passed" | "failed" | "error" | "running" | "waiting";

/** What a cell counts as. */
export function cellState(
  selection: Selection | undefined,
  attempts: readonly Seen[],
  experiment: string,
  round: number,
): CellState {
  if (selection !== undefined) return selection.outcome;
  switch (nextStep(attempts, experiment, round).kind) {
    case "join":
      return "running";
    case "exhausted":
      return "error";
    default:
      return "waiting";
  }
}

/** Key under which an attempt's run is asked for: whoever asks again gets the same run. */
export function runKeyOf({ cell, number }: Pick<Attempt, "cell" | "number">): string {
  return `eval-${cell}-${number}`;
}
