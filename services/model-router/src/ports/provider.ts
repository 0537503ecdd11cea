/** A provider of models, as the router sees it. */
import type { Item, OutputItem } from "../domain/items.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";

export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** A piece of output. Items come one after the other: no delta of item k follows one of item k + 1. */
export interface OutputDelta {
  /** Ordinal of the item, from 0. */
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly text: string;
  /** Set on the first delta of a call. */
  readonly callId: string;
  readonly name: string;
}

export type ProviderResult =
  | {
      readonly kind: "completed";
      readonly items: readonly OutputItem[];
      readonly usage: Usage;
      readonly finish: FinishReason;
      readonly servedBy: string;
    }
  | { readonly kind: "failed"; readonly failure: ProviderFailure };

export interface ModelRequest {
  /** What the provider calls the model. */
  readonly model: string;
  readonly instructions: string;
  /** Function tools in the shape of the Responses API. */
  readonly tools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly items: readonly Item[];
  /** Characters of all items, for estimates. */
  readonly itemChars: number;
  /** Unique to this Generate: ids of calls are derived from it. Never empty. */
  readonly requestId: string;
}

/** One conversation with a provider. */
export interface ProviderSession {
  /** One attempt of one model call: yields deltas, returns the outcome. Never throws. */
  generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<OutputDelta, ProviderResult, undefined>;
}

export interface Provider {
  open(): ProviderSession;
}
