/** The engine's view of model-router. */
import type { UsageCount } from "../domain/events.ts";
import type { OutputItem, TranscriptItem } from "../domain/items.ts";

export interface ConversationSpec {
  readonly tenant: string;
  readonly model: string;
  readonly instructions: string;
  /** Function tools in the shape of the Responses API. */
  readonly tools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
}

export interface GenerateIds {
  readonly requestId: string;
  /** Traceparent that the model call lies under, or empty. */
  readonly trace: string;
}

export interface RouterDelta {
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly text: string;
  readonly callId: string;
  readonly name: string;
}

export type ModelResult =
  | {
      readonly kind: "completed";
      readonly items: readonly OutputItem[];
      readonly usage: UsageCount;
      readonly finish: string;
      readonly servedBy: string;
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly retryable: boolean };

/** Keeps what was sent, so a further call costs what is new. */
export interface ModelConversation {
  /**
   * One model call over all items; `items` only grows between calls. Never rejects: a failure is a result, an abort
   * one with code `aborted`.
   */
  generate(
    items: readonly TranscriptItem[],
    ids: GenerateIds,
    onDelta: (delta: RouterDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelResult>;
  close(): void;
}

export interface ModelClient {
  open(spec: ConversationSpec): ModelConversation;
}
