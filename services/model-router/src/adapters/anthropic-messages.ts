/**
 * Any server that speaks the Anthropic Messages API, through the official SDK. The SDK's own retries are off: the router
 * has the one retry loop. Stopping a call closes its connection at once.
 */
import Anthropic from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { systemClock } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";
import type { Agent } from "undici";

import { OUTPUT_CHARS_MAX } from "../domain/chat-assembly.ts";
import { MessagesAssembly } from "../domain/messages-assembly.ts";
import { messagesRequest } from "../domain/messages-request.ts";
import type { ModelRequest, OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { failureOf } from "./anthropic-failure.ts";
import { leanFetch } from "./lean-fetch.ts";
import { brokenOff, failed, tooLong } from "./provider-call.ts";
import { providerAgent, TimeLimits, TOTAL_TIMEOUT_MS } from "./time-limits.ts";

export interface AnthropicOptions {
  /** Undefined: Anthropic's own. */
  readonly baseUrl: string | undefined;
  /** A server of one's own may need none. */
  readonly apiKey: string | undefined;
  readonly clock?: Clock;
}

export class AnthropicProvider implements Provider {
  readonly #client: Anthropic;
  readonly #agent: Agent;
  readonly #clock: Clock;

  constructor({ baseUrl, apiKey, clock = systemClock }: AnthropicOptions) {
    this.#agent = providerAgent();
    this.#clock = clock;
    this.#client = new Anthropic({
      apiKey: apiKey ?? "none",
      authToken: null,
      baseURL: baseUrl ?? "https://api.anthropic.com",
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
    const assembly = new MessagesAssembly(request.requestId);
    try {
      const body = messagesRequest(request) as unknown as MessageCreateParamsStreaming;
      const stream = await this.#client.messages.create(body, { signal: limits.signal });
      for await (const event of stream) {
        limits.alive();
        yield* assembly.add(event);
        if (assembly.isTooLarge) return failed(tooLong(OUTPUT_CHARS_MAX));
      }
      // The SDK ends a stopped stream like a finished one.
      if (limits.signal.aborted) return failed(limits.failure());
      limits.over();
      const { finish, model, usage } = assembly;
      if (finish === null) return failed(brokenOff());
      const servedBy = `anthropic/${model === "" ? request.model : model}`;
      return { kind: "completed", items: assembly.items(), usage, finish, servedBy };
    } catch (thrown) {
      return failed(limits.signal.aborted ? limits.failure() : failureOf(thrown));
    } finally {
      limits.end();
    }
  }
}
