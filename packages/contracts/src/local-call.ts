/** One call of the in-process transport: its context, and what ends it early. */
import { MainspringError, TIMER_DELAY_MAX_MS } from "@mainspring/kernel";

import { ANONYMOUS, MESSAGE_BYTES_MAX } from "./contract.ts";
import type { CallContext, CallOptions } from "./contract.ts";
import { callerGone, deadlineExceeded } from "./wire-error.ts";

export class LocalCall {
  readonly context: CallContext;
  readonly #controller = new AbortController();
  readonly #onEnd: (call: LocalCall) => void;
  readonly #onFail: (error: unknown) => void;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #onAbort: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #ended = false;

  /** `onFail` gets what the caller sees when the call is ended from outside; `onEnd` follows any end, once. */
  constructor(options: CallOptions, onEnd: (call: LocalCall) => void, onFail: (error: unknown) => void) {
    const { signal, timeoutMs } = options;
    this.#onEnd = onEnd;
    this.#onFail = onFail;
    this.context = {
      signal: this.#controller.signal,
      deadlineMs: timeoutMs === undefined ? undefined : Date.now() + timeoutMs,
      principal: options.principal ?? ANONYMOUS,
      traceparent: options.traceparent ?? "",
      callerTraceparent: options.traceparent ?? "",
      forwarded: options.forwarded ?? false,
      credential: "",
    };
    if (timeoutMs !== undefined) {
      const delayMs = Math.min(Math.max(timeoutMs, 0), TIMER_DELAY_MAX_MS);
      this.#timer = setTimeout(() => this.#expire(), delayMs);
    }
    if (signal !== undefined) {
      this.#callerSignal = signal;
      this.#onAbort = () => this.fail(signal.reason, callerGone());
      signal.addEventListener("abort", this.#onAbort, { once: true });
    }
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The handler is done. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    if (this.#onAbort !== undefined) this.#callerSignal?.removeEventListener("abort", this.#onAbort);
    this.#onEnd(this);
  }

  /** Ends the call from outside: the caller gets `error`, the handler's signal aborts with `reason`. */
  fail(error: unknown, reason: unknown): void {
    if (this.#ended) return;
    this.end();
    this.#onFail(error);
    this.#controller.abort(reason);
  }

  #expire(): void {
    this.fail(deadlineExceeded(), deadlineExceeded());
  }
}

/** Passes a message through its encoding, as the network would. Returns it with its encoded size. */
export function transcode(
  value: unknown,
  serialize: (value: object) => Buffer,
  deserialize: (bytes: Buffer) => unknown,
): { readonly message: unknown; readonly bytes: number } {
  let encoded: Buffer;
  try {
    encoded = serialize(value as object);
  } catch (cause) {
    throw new MainspringError("internal", "the message does not fit its type", { cause });
  }
  if (encoded.length > MESSAGE_BYTES_MAX) {
    const size = `${encoded.length} bytes, limit ${MESSAGE_BYTES_MAX}`;
    throw new MainspringError("resource_exhausted", `the message is too large (${size})`);
  }
  return { message: deserialize(encoded), bytes: encoded.length };
}
