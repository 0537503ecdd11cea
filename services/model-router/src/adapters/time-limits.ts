/** How long a provider may take, and the connections that keep to it. */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import { Agent } from "undici";

import type { ProviderFailure } from "../domain/provider-failure.ts";
import { stopped, tooLate } from "./provider-call.ts";

/** Longest time to reach the server. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Longest silence of the server, before its first byte and between two. */
export const IDLE_TIMEOUT_MS = 180_000;
/** Longest model call, all in all. */
export const TOTAL_TIMEOUT_MS = 600_000;
/** A connection that is not used for this long is closed. */
const KEEP_ALIVE_MS = 30_000;

/** Connections to one provider. */
export function providerAgent(): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
}

/** One for all: making an error is dear. */
const ENDED = new DOMException("the model call is over", "AbortError");

/** Ends a call when the caller stops it, when the server is silent for too long, and when it takes too long in all. */
export class TimeLimits {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #onAbort: () => void;
  readonly #untilMs: number;
  #aliveMs: number;
  #cancel: CancelTimer;
  #over = false;

  constructor(clock: Clock, outer: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    this.#onAbort = () => this.#controller.abort(ENDED);
    this.#aliveMs = clock.monotonicMs();
    this.#untilMs = this.#aliveMs + TOTAL_TIMEOUT_MS;
    this.#cancel = clock.after(IDLE_TIMEOUT_MS, () => this.#look());
    if (outer.aborted) this.#controller.abort(ENDED);
    else outer.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  alive(): void {
    this.#aliveMs = this.#clock.monotonicMs();
  }

  failure(): ProviderFailure {
    return this.#outer.aborted ? stopped() : tooLate();
  }

  /** The answer is all there: nothing needs to be closed. */
  over(): void {
    this.#over = true;
  }

  /** Nobody wants any more of it: whatever is left is closed. */
  end(): void {
    this.#cancel();
    this.#outer.removeEventListener("abort", this.#onAbort);
    if (!this.#over) this.#controller.abort(ENDED);
  }

  #look(): void {
    const left = Math.min(this.#aliveMs + IDLE_TIMEOUT_MS, this.#untilMs) - this.#clock.monotonicMs();
    if (left <= 0) this.#controller.abort(ENDED);
    else this.#cancel = this.#clock.after(left, () => this.#look());
  }
}
