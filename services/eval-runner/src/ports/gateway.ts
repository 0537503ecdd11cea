/**
 * The public API as eval-runner uses it. Failures are MainspringErrors; `unavailable` may pass, and a submission under the
 * same key gives the same run, so every call may be repeated.
 */
import type { Usage } from "../domain/attempt.ts";
import type { Owner } from "../domain/experiment.ts";

export interface Submission {
  readonly key: string;
  readonly model: string;
  readonly input: string;
  readonly instructions: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Submitted {
  readonly responseId: string;
  readonly runId: string;
}

export interface RunState {
  readonly ended: boolean;
  readonly status: string;
  /** Of an ended run. */
  readonly durationMs: number;
  readonly traceId: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Answer {
  readonly text: string;
  readonly usage: Usage | null;
  /** Why the answer is not whole; empty when it is. */
  readonly incompleteReason: string;
}

export interface Gateway {
  submit(owner: Owner, submission: Submission): Promise<Submitted>;
  run(owner: Owner, runId: string): Promise<RunState>;
  answer(owner: Owner, responseId: string): Promise<Answer>;
  /** Returns when nothing of the run can start any more. */
  cancel(owner: Owner, responseId: string): Promise<void>;
  ping(): Promise<void>;
}
