/**
 * Patterns of callers against answers of models: neither is trusted, and a pattern can take forever. So matches run one after
 * the other in a thread of their own, which is ended, and started anew, when one takes too long.
 */
import { Worker } from "node:worker_threads";

import { MainspringError } from "@mainspring/kernel";

/** How long one match may take, on a busy machine too. */
export const MATCH_TIMEOUT_MS = 2_000;
/** Matches that may wait for the thread. */
const MATCHES_WAITING_MAX = 1_000;

/** What the thread is sent. */
export interface MatchRequest {
  readonly pattern: string;
  readonly text: string;
  readonly flags: string;
}

/** What it answers. */
export type MatchAnswer = { readonly matches: boolean } | { readonly problem: string };

export class PatternMatcher {
  #thread: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Rejects with `invalid_argument` for what is no pattern, `deadline_exceeded` when it takes too long. */
  async matches(pattern: string, text: string, ignoreCase: boolean): Promise<boolean> {
    if (this.#waiting >= MATCHES_WAITING_MAX) {
      throw new MainspringError("resource_exhausted", "too many answers wait to be matched", { retry: "safe" });
    }
    this.#waiting += 1;
    const request = { pattern, text, flags: ignoreCase ? "iu" : "u" };
    const match = this.#last.then(() => this.#match(request));
    this.#last = match.then(
      () => undefined,
      () => undefined,
    );
    try {
      const answer = await match;
      if ("matches" in answer) return answer.matches;
      throw new MainspringError("invalid_argument", answer.problem, { reason: "invalid_pattern" });
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#thread?.terminate();
    this.#thread = null;
  }

  async #match(request: MatchRequest): Promise<MatchAnswer> {
    const thread = (this.#thread ??= await startThread());
    thread.ref();
    try {
      return await answerOf(thread, request);
    } catch (error) {
      this.#thread = null;
      await thread.terminate();
      throw error;
    } finally {
      // An idle thread keeps no process alive.
      thread.unref();
    }
  }
}

function startThread(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./match-thread.ts", import.meta.url), { env: {} });
    thread.once("message", () => resolve(thread));
    thread.once("error", reject);
  });
}

function answerOf(thread: Worker, request: MatchRequest): Promise<MatchAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `the pattern took longer than ${MATCH_TIMEOUT_MS / 1_000} s`;
      reject(new MainspringError("deadline_exceeded", message, { reason: "pattern_too_slow" }));
    }, MATCH_TIMEOUT_MS);
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      thread.off("message", onAnswer).off("error", onError);
      end();
    };
    const onAnswer = (answer: MatchAnswer): void => settle(() => resolve(answer));
    const onError = (error: unknown): void => settle(() => reject(error as Error));
    thread.on("message", onAnswer).on("error", onError);
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(request);
  });
}
