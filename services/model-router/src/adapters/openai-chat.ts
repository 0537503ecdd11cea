/**
 * Any server that speaks the OpenAI Chat Completions API, through the official SDK. The SDK's own retries are off: the
 * router has the one retry loop. Stopping a call closes its connection at once.
 */
import { systemClock } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { Agent } from "undici";

import { ChatAssembly, OUTPUT_CHARS_MAX } from "../domain/chat-assembly.ts";
import { chatRequest } from "../domain/chat-request.ts";
import type { ModelRequest, OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { leanFetch } from "./lean-fetch.ts";
import { failureOf } from "./openai-failure.ts";
import { brokenOff, failed, tooLong } from "./provider-call.ts";
import { providerAgent, TimeLimits, TOTAL_TIMEOUT_MS } from "./time-limits.ts";

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
    this.#agent = providerAgent();
    this.#clock = clock;
    this.#client = new OpenAI({
      apiKey: apiKey ?? "none",
      baseURL: baseUrl ?? "https://api.openai.com/v1",
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: TOTAL_TIMEOUT_MS,
      logLevel: "off",
      fetch: leanFetch(this.#agent) as never,
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

function completed(assembly: ChatAssembly, finish: NonNullable<ChatAssembly["finish"]>, model: string): ProviderResult {
  const servedBy = `openai/${assembly.model === "" ? model : assembly.model}`;
  return { kind: "completed", items: assembly.items(), usage: assembly.usage, finish, servedBy };
}

/** Header values are visible ASCII. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, "_").slice(0, 256);
}
