/**
 * What eval-runner keeps. Each method is one operation on one document, or a read; it may be done, done with its reply
 * lost, or not done, and throws `unavailable` when the outcome is not known.
 */
import type { Attempt, AttemptResult, Selection } from "../domain/attempt.ts";
import type { Counts, Definition, ExperimentHead, ExperimentStatus } from "../domain/experiment.ts";

/** Cells that one keyed read may name. */
export const CELLS_PER_READ_MAX = 64;
/** Characters of an answer in reads that leave the rest out. */
export const BRIEF_CHARS = 200;

export interface ExperimentState {
  readonly status: ExperimentStatus;
  readonly round: number;
}

export interface ExperimentChange extends ExperimentState {
  readonly concurrency: number;
  readonly endedAt: number;
  readonly counts: Counts | null;
}

export interface RunnerBeat {
  readonly runner: string;
  readonly count: number;
}

export interface AttemptKey {
  readonly cell: string;
  readonly number: number;
}

/** Whose attempts. */
export type AttemptsOf = { readonly tenant: string } | { readonly experiment: string };

/** Place in a list of experiments. */
export interface ListPlace {
  readonly createdAt: number;
  readonly id: string;
}

export interface ExperimentStore {
  insert(head: ExperimentHead, definition: Definition): Promise<"inserted" | "exists">;
  head(id: string): Promise<ExperimentHead | null>;
  definition(id: string): Promise<Definition | null>;
  /** The latest first, behind `after`. */
  list(tenant: string, limit: number, after: ListPlace | null): Promise<ExperimentHead[]>;
  /**
   * Running and cancelling ones: the oldest of every tenant, then the second of every tenant and so on, at most `ofTenant` of
   * one and `limit` in all.
   */
  active(ofTenant: number, limit: number): Promise<ExperimentHead[]>;
  /** False: it is not in that state and round any more. */
  change(id: string, from: ExperimentState, to: ExperimentChange): Promise<boolean>;

  /** Claiming is the insert: only the inserter runs it. */
  claim(attempt: Attempt): Promise<"inserted" | "duplicate">;
  attempt(key: AttemptKey): Promise<Attempt | null>;
  /** All attempts at these cells (at most 64), by cell and number. `brief`: answers are cut to BRIEF_CHARS. */
  attemptsOf(cells: readonly string[], brief: boolean): Promise<Attempt[]>;
  /** Attempts without a result, whosever. */
  running(limit: number): Promise<Attempt[]>;
  /** When the latest attempt was begun, Unix ms; 0 without any. */
  lastStart(of: AttemptsOf): Promise<number>;
  /** A running attempt goes from one runner to another. False: it is not that runner's, or not running. */
  adopt(key: AttemptKey, from: string, to: string): Promise<boolean>;
  /** running → settled, whoever settles it. False: it was settled before. */
  settle(key: AttemptKey, result: AttemptResult): Promise<boolean>;

  /** The cell gets its result, once. `taken`: it has one. */
  select(selection: Selection): Promise<"selected" | "taken">;
  /** Of these cells (at most 64); those without a result are left out. */
  selections(cells: readonly string[]): Promise<Selection[]>;

  writeBeat(beat: RunnerBeat): Promise<void>;
  readBeats(): Promise<RunnerBeat[]>;
  deleteBeat(runner: string): Promise<void>;
}
