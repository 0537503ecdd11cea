/**
 * Puts the events of a Messages stream together. Blocks come one after the other there, as items do here. Ids of calls are
 * made here, as for Chat Completions.
 */
import { derivedId } from "@mainspring/kernel";

import { CALLS_MAX, OUTPUT_CHARS_MAX } from "./chat-assembly.ts";
import type { ChatDelta, ChatFinish, ChatUsage } from "./chat-assembly.ts";
import type { OutputItem } from "./items.ts";
import { isRecord } from "./items.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Block {
  readonly kind: ChatDelta["kind"];
  readonly callId: string;
  readonly name: string;
  text: string;
  signature: string;
  readonly redacted: boolean;
  /** Place among the items; null while there is nothing to show of it. */
  item: number | null;
}

const FINISH: Readonly<Record<string, ChatFinish>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

export class MessagesAssembly {
  readonly #requestId: string;
  /** In the order in which they were shown. */
  readonly #shown: Block[] = [];
  /** By the provider's index. */
  readonly #blocks = new Map<unknown, Block>();
  #usage: Record<string, unknown> = {};
  #calls = 0;
  #chars = 0;
  #finish: ChatFinish | null = null;
  #ended = false;
  model = "";

  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  /** Null while the provider has not said that the message is whole. */
  get finish(): ChatFinish | null {
    return this.#ended ? this.#finish : null;
  }

  get isTooLarge(): boolean {
    return this.#chars > OUTPUT_CHARS_MAX || this.#calls > CALLS_MAX;
  }

  get usage(): ChatUsage {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = this.#usage;
    const { output_tokens_details: details } = this.#usage;
    const cached = count(cache_read_input_tokens);
    return {
      inputTokens: count(input_tokens) + cached + count(cache_creation_input_tokens),
      cachedInputTokens: cached,
      outputTokens: count(output_tokens),
      reasoningTokens: isRecord(details) ? count(details["thinking_tokens"]) : 0,
    };
  }

  /** Takes one event as it came off the wire; returns what can be passed on now. Unknown events are passed over. */
  add(event: unknown): ChatDelta[] {
    if (!isRecord(event)) return [];
    switch (event["type"]) {
      case "message_start":
        this.#start(event["message"]);
        return [];
      case "content_block_start":
        return this.#open(event["index"], event["content_block"]);
      case "content_block_delta":
        return this.#grow(event["index"], event["delta"]);
      case "message_delta":
        this.#end(event);
        return [];
      case "message_stop":
        this.#ended = true;
        return [];
      default:
        return [];
    }
  }

  items(): OutputItem[] {
    return this.#shown.map(({ kind, text, callId, name, signature, redacted }): OutputItem => {
      if (kind === "text") return { type: "message", role: "assistant", text };
      if (kind === "arguments") {
        return { type: "function_call", call_id: callId, name, arguments: text === "" ? "{}" : text };
      }
      const signed = signature === "" ? {} : { signature };
      return { type: "reasoning", text, ...signed, ...(redacted ? { redacted } : {}) };
    });
  }

  #start(message: unknown): void {
    if (!isRecord(message)) return;
    if (typeof message["model"] === "string") this.model = message["model"];
    this.#count(message["usage"]);
  }

  #end({ delta, usage }: Fields): void {
    const reason = isRecord(delta) ? delta["stop_reason"] : null;
    if (typeof reason === "string") this.#finish = FINISH[reason] ?? "stop";
    this.#count(usage);
  }

  /** Counts are of the whole so far: later ones replace those before. */
  #count(usage: unknown): void {
    if (!isRecord(usage)) return;
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#usage[name] = value;
  }

  #open(index: unknown, given: unknown): ChatDelta[] {
    if (!isRecord(given)) return [];
    const { type, name, text, thinking, data } = given;
    switch (type) {
      case "text":
        return this.#begin(index, blockOf("text"), textOf(text));
      case "thinking":
        return this.#begin(index, blockOf("reasoning"), textOf(thinking));
      case "redacted_thinking":
        return this.#begin(index, { ...blockOf("reasoning"), signature: textOf(data), redacted: true }, "");
      case "tool_use": {
        const callId = derivedId("call", this.#requestId, this.#calls);
        this.#calls += 1;
        return this.#begin(index, { ...blockOf("arguments"), callId, name: textOf(name) }, "");
      }
      default:
        return [];
    }
  }

  #begin(index: unknown, block: Block, text: string): ChatDelta[] {
    this.#blocks.set(index, block);
    this.#chars += block.signature.length;
    // A text may stay empty, and is then none; everything else is there from its beginning.
    return block.kind === "text" && text === "" ? [] : this.#show(block, text);
  }

  #grow(index: unknown, delta: unknown): ChatDelta[] {
    const block = this.#blocks.get(index);
    if (block === undefined || !isRecord(delta)) return [];
    if (delta["type"] === "signature_delta") {
      const signature = textOf(delta["signature"]);
      block.signature += signature;
      this.#chars += signature.length;
      return [];
    }
    const text = textOf(delta["text"] ?? delta["thinking"] ?? delta["partial_json"]);
    return text === "" ? [] : this.#show(block, text);
  }

  #show(block: Block, text: string): ChatDelta[] {
    const first = block.item === null;
    if (first) this.#shown.push(block);
    const item = block.item ?? this.#shown.length - 1;
    block.item = item;
    block.text += text;
    this.#chars += text.length;
    const { kind, callId, name } = block;
    return [{ item, kind, text, callId: first ? callId : "", name: first ? name : "" }];
  }
}

function blockOf(kind: Block["kind"]): Block {
  return { kind, callId: "", name: "", text: "", signature: "", redacted: false, item: null };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
