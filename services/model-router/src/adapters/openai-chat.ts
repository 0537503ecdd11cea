/**
 * Any server that speaks the OpenAI Chat Completions API, through the official SDK. The SDK's own retries are off: the
 * router has the one retry loop. Stopping a call closes its connection at once.
 */
import { systemClock } from "@mainspring/kernel";
import type { CancelTimer, Clock } from "@mainspring/kernel";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { Agent } from "undici";

import { ChatAssembly, OUTPUT_CHARS_MAX } from "../domain/chat-assembly.ts";
import { chatRequest } from "../domain/chat-request.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";
import type { ModelRequest, OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { leanFetch } from "./lean-fetch.ts";
import { brokenOff, failureOf, tooLate, tooLong } from "./openai-failure.ts";

/** Longest time to reach the server. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Longest silence of the server, before its first byte and between two. */
export const IDLE_TIMEOUT_MS = 180_000;
/** Longest model call, all in all. */
export const TOTAL_TIMEOUT_MS = 600_000;
/** A connection that is not used for this long is closed. */
const KEEP_ALIVE_MS = 30_000;

export interface OpenAiOptions {
  /** Undefined: the SDK's own. */
  readonly baseUrl: string | undefined;
  /** A server of one's own may need none. */
  readonly apiKey: string | undefined;
  readonly clock?: Clock;
}

export class OpenAiProvider implements Provider {
  readonly #client: OpenAI;
  readonly #agent: Agent;
  readonly #clock: Clock;

  constructor({ baseUrl, apiKey, clock = systemClock }: OpenAiOptions) {
    const agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    this.#agent = agent;
    this.#clock = clock;
    this.#client = new OpenAI({
      apiKey: apiKey ?? "none",
      baseURL: baseUrl ?? "https://api.openai.com/v1",
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: TOTAL_TIMEOUT_MS,
      logLevel: "off",
      fetch: leanFetch(agent) as never,
    });
  }

  open(): ProviderSession {
    return { generate: (request, signal) => this.#generate(request, signal) };
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async *#generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<OutputDelta, ProviderResult, undefined> {
    const limits = new TimeLimits(this.#clock, signal);
    const assembly = new ChatAssembly(request.requestId);
    try {
      const body = chatRequest(request) as unknown as ChatCompletionCreateParamsStreaming;
      const options = { signal: limits.signal, headers: { "x-client-request-id": headerText(request.requestId) } };
      const stream = await this.#client.chat.completions.create(body, options);
      for await (const chunk of stream) {
        limits.alive();
        yield* assembly.add(chunk);
        if (assembly.isTooLarge) return failed(tooLong(OUTPUT_CHARS_MAX));
      }
      // The SDK ends a stopped stream like a finished one.
      if (limits.signal.aborted) return failed(limits.failure());
      limits.over();
      if (assembly.finish === null) return failed(brokenOff());
      yield* assembly.flush();
      return completed(assembly, assembly.finish, request.model);
    } catch (thrown) {
      return failed(limits.signal.aborted ? limits.failure() : failureOf(thrown));
    } finally {
      limits.end();
    }
  }
}

/** One for all: making an error is dear. */
const ENDED = new DOMException("the model call is over", "AbortError");

/** Ends a call when the caller stops it, when the server is silent for too long, and when it takes too long in all. */
class TimeLimits {
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

function stopped(): ProviderFailure {
  const message = "the model call was stopped";
  return { status: 0, message, providerCode: "", retryAfterMs: null, aborted: true };
}

function completed(assembly: ChatAssembly, finish: NonNullable<ChatAssembly["finish"]>, model: string): ProviderResult {
  const servedBy = `openai/${assembly.model === "" ? model : assembly.model}`;
  return { kind: "completed", items: assembly.items(), usage: assembly.usage, finish, servedBy };
}

function failed(failure: ProviderFailure): ProviderResult {
  return { kind: "failed", failure };
}

/** Header values are visible ASCII. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, "_").slice(0, 256);
}
