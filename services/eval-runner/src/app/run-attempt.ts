/** One attempt: its run through the public API, from asking for it to its result. */
import type { Clock } from "@mainspring/kernel";
import { backoffMs, MainspringError, sleep } from "@mainspring/kernel";
import { persist } from "@mainspring/service-kit";

import type { Attempt, AttemptResult } from "../domain/attempt.ts";
import { runKeyOf, TEXT_CHARS_MAX } from "../domain/attempt.ts";
import type { Cell, Owner } from "../domain/experiment.ts";
import type { MatchPattern } from "../domain/verify.ts";
import { passes } from "../domain/verify.ts";
import type { Answer, Gateway, RunState, Submitted } from "../ports/gateway.ts";

/** How often a run is asked how it is doing. */
const POLL = { firstMs: 20, maxMs: 1_000, jitter: 0 };
/** How long a gateway may be away before the attempt is given up as an error. */
export const GATEWAY_PATIENCE_MS = 120_000;
/** Characters of an error message that are kept. */
const MESSAGE_CHARS_MAX = 1_000;
/** Errors of a run that another attempt gets again. */
const PERMANENT: ReadonlySet<string> = new Set([
  "invalid_argument",
  "failed_precondition",
  "permission_denied",
  "unauthenticated",
  "not_found",
  "out_of_range",
  "unimplemented",
]);

export interface AttemptPorts {
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly matches: MatchPattern;
}

export interface AttemptWork {
  readonly owner: Owner;
  readonly experiment: string;
  readonly cell: Cell;
  readonly attempt: Attempt;
  readonly timeoutMs: number;
}

export interface AttemptSignals {
  /** The experiment is cancelled: the run is too. */
  readonly cancelled: AbortSignal;
  /** This process ends: the run is left to whoever takes the attempt over. */
  readonly left: AbortSignal;
}

/** Rejects with the reason of `left` when that aborts; everything else becomes a result. */
export async function runAttempt(
  ports: AttemptPorts,
  work: AttemptWork,
  signals: AttemptSignals,
): Promise<AttemptResult> {
  const { clock } = ports;
  const run = new AttemptRun(ports, work, signals);
  try {
    return await run.toEnd();
  } catch (thrown) {
    signals.left.throwIfAborted();
    const { code, message: whole } = MainspringError.from(thrown);
    const message = whole.slice(0, MESSAGE_CHARS_MAX);
    return {
      ...run.known,
      outcome: "error",
      retryable: !PERMANENT.has(code),
      error: { code, message },
      endedAt: clock.now(),
    };
  }
}

class AttemptRun {
  readonly #ports: AttemptPorts;
  readonly #work: AttemptWork;
  readonly #signals: AttemptSignals;
  #submitted: Submitted | null = null;
  #state: RunState | null = null;

  constructor(ports: AttemptPorts, work: AttemptWork, signals: AttemptSignals) {
    this.#ports = ports;
    this.#work = work;
    this.#signals = signals;
  }

  /** What is known of it so far. */
  get known() {
    return {
      text: "",
      textChars: 0,
      usage: null,
      durationMs: this.#state?.durationMs ?? 0,
      responseId: this.#submitted?.responseId ?? "",
      runId: this.#submitted?.runId ?? "",
      traceId: this.#state?.traceId ?? "",
    };
  }

  async toEnd(): Promise<AttemptResult> {
    const { owner, timeoutMs } = this.#work;
    const { gateway } = this.#ports;
    const submitted = await this.#insist(() => gateway.submit(owner, this.#submission()));
    this.#submitted = submitted;
    const ended = await this.#ended(submitted, timeoutMs);
    if (!ended) {
      await this.#insist(() => gateway.cancel(owner, submitted.responseId));
      await this.#ended(submitted, Infinity, true);
    }
    const answer = await this.#insist(() => gateway.answer(owner, submitted.responseId));
    return await this.#result(answer, ended);
  }

  #submission() {
    const { cell, attempt, experiment } = this.#work;
    const { model, instructions, params } = cell.subject;
    const metadata = { experiment, cell: cell.id, attempt: String(attempt.number) };
    return { key: runKeyOf(attempt), model, instructions, params, input: cell.task.input, metadata };
  }

  /** False: the time is over, or the experiment was cancelled (unless that is to be ignored), before the run ended. */
  async #ended({ runId }: Submitted, timeoutMs: number, evenCancelled = false): Promise<boolean> {
    const { clock, gateway } = this.#ports;
    const { cancelled, left } = this.#signals;
    const untilMs = clock.monotonicMs() + timeoutMs;
    for (let polls = 0; ; polls += 1) {
      this.#state = await this.#insist(() => gateway.run(this.#work.owner, runId));
      if (this.#state.ended) return true;
      if ((cancelled.aborted && !evenCancelled) || clock.monotonicMs() >= untilMs) return false;
      const wake = evenCancelled ? left : AbortSignal.any([left, cancelled]);
      await sleep(clock, backoffMs(POLL, polls, 0), wake).catch(() => left.throwIfAborted());
    }
  }

  async #result(answer: Answer, inTime: boolean): Promise<AttemptResult> {
    const { clock } = this.#ports;
    const { status, error: told } = this.#state!;
    const error = told && { code: told.code, message: told.message.slice(0, MESSAGE_CHARS_MAX) };
    const common = {
      ...this.known,
      text: answer.text.slice(0, TEXT_CHARS_MAX),
      textChars: answer.text.length,
      usage: answer.usage,
      retryable: false,
      error,
      endedAt: clock.now(),
    };
    if (status === "completed") return { ...common, ...(await this.#judged(answer.text)) };
    if (status === "exhausted") {
      const message = `the answer is not whole: ${answer.incompleteReason || "a limit was reached"}`;
      return { ...common, outcome: "failed", error: { code: "incomplete", message } };
    }
    if (status === "cancelled") {
      if (this.#signals.cancelled.aborted) return { ...common, outcome: "cancelled" };
      if (inTime) {
        return { ...common, outcome: "error", error: { code: "cancelled", message: "somebody cancelled the run" } };
      }
      const message = `the run took longer than ${this.#work.timeoutMs / 1_000} s`;
      return { ...common, outcome: "failed", error: { code: "timeout", message } };
    }
    return { ...common, outcome: "error", retryable: !PERMANENT.has(error?.code ?? "") };
  }

  async #judged(text: string): Promise<Pick<AttemptResult, "outcome" | "error">> {
    try {
      const passed = await passes(this.#work.cell.task, text, this.#ports.matches);
      return { outcome: passed ? "passed" : "failed", error: null };
    } catch (thrown) {
      const { reason, code, message } = MainspringError.from(thrown);
      return { outcome: "error", error: { code: reason ?? code, message } };
    }
  }

  /** Tries again while the gateway is away, for as long as GATEWAY_PATIENCE_MS. */
  async #insist<T>(call: () => Promise<T>): Promise<T> {
    const { clock } = this.#ports;
    const { left } = this.#signals;
    const patience = new AbortController();
    let last: unknown = null;
    const stop = clock.after(GATEWAY_PATIENCE_MS, () => patience.abort());
    try {
      return await persist(clock, AbortSignal.any([left, patience.signal]), async () => {
        try {
          return await orLeft(call(), left);
        } catch (error) {
          last = error;
          throw error;
        }
      });
    } catch (error) {
      throw patience.signal.aborted && !left.aborted && last !== null ? last : error;
    } finally {
      stop();
    }
  }
}

/** Rejects at once when this process is to end, however long the call may still take. */
function orLeft<T>(call: Promise<T>, left: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLeft = (): void => reject(left.reason as Error);
    left.addEventListener("abort", onLeft, { once: true });
    call.then(resolve, reject).finally(() => left.removeEventListener("abort", onLeft));
  });
}
