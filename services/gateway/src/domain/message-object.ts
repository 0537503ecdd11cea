/** An answer as the Messages API tells it: one object, or events that add up to it. */
import type { Answer, AnswerCall, AnswerEnd, AnswerPiece } from "./answer.ts";
import type { ResponseUsage } from "./response-object.ts";
import type { RecordedItem } from "./run-feed.ts";
import { textOf } from "./run-feed.ts";

export interface MessageHead {
  readonly runId: string;
  readonly model: string;
}

export interface MessageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};
const NO_USAGE: ResponseUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

export function messageObject(head: MessageHead, answer: Answer, end: AnswerEnd) {
  const calls = end.calls.map(({ id, name, arguments: args }) => ({
    type: "tool_use",
    id,
    name,
    input: inputOf(args),
  }));
  return message(head, [...answer.items.map(block), ...calls], stopReason(end), end.usage);
}

/** The events of one stream. */
export class MessageEvents {
  readonly #head: MessageHead;
  #open: "text" | "reasoning" | null = null;
  #index = -1;

  constructor(head: MessageHead) {
    this.#head = head;
  }

  /** What comes before everything. Nobody has counted the input yet: the end says what it was. */
  *opening(): Generator<MessageEvent> {
    yield { type: "message_start", message: message(this.#head, [], null, NO_USAGE) };
    yield { type: "ping" };
  }

  /** Events of one piece; an end with an error has none. */
  *of(piece: AnswerPiece): Generator<MessageEvent> {
    if (piece.kind === "ended") {
      if (piece.end.error === null) yield* this.#end(piece.end);
      return;
    }
    const { kind, text, opens } = piece;
    if (opens || kind !== this.#open) yield* this.#begin(kind);
    const delta = kind === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    yield { type: "content_block_delta", index: this.#index, delta };
  }

  *#begin(kind: "text" | "reasoning"): Generator<MessageEvent> {
    yield* this.#close();
    this.#open = kind;
    const empty = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
    yield this.#start(empty);
  }

  *#close(): Generator<MessageEvent> {
    if (this.#open !== null) yield { type: "content_block_stop", index: this.#index };
    this.#open = null;
  }

  #start(block: object): MessageEvent {
    this.#index += 1;
    return { type: "content_block_start", index: this.#index, content_block: block };
  }

  *#end(end: AnswerEnd): Generator<MessageEvent> {
    yield* this.#close();
    for (const call of end.calls) yield* this.#call(call);
    const delta = { stop_reason: stopReason(end), stop_sequence: null };
    yield { type: "message_delta", delta, usage: usageOf(end.usage) };
    yield { type: "message_stop" };
  }

  *#call({ id, name, arguments: args }: AnswerCall): Generator<MessageEvent> {
    yield this.#start({ type: "tool_use", id, name, input: {} });
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(inputOf(args)) };
    yield { type: "content_block_delta", index: this.#index, delta };
    yield { type: "content_block_stop", index: this.#index };
  }
}

function message(head: MessageHead, content: readonly object[], stop: string | null, usage: ResponseUsage) {
  return {
    id: head.runId.replace(/^run_/, "msg_"),
    type: "message",
    role: "assistant",
    model: head.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: usageOf(usage),
  };
}

function block(item: RecordedItem): object {
  if (item.type === "message") return { type: "text", text: textOf(item) };
  const signature = item.signature ?? "";
  if (item.redacted === true) return { type: "redacted_thinking", data: signature };
  return { type: "thinking", thinking: textOf(item), signature };
}

function stopReason({ finish }: AnswerEnd): string {
  return STOP_REASONS[finish] ?? "end_turn";
}

/** Input is an object on this wire. What a model wrote that is none is handed on, for the tool to refuse. */
function inputOf(args: string): object {
  try {
    const input: unknown = JSON.parse(args === "" ? "{}" : args);
    if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  } catch {
    // Told below.
  }
  return { invalid_arguments: args };
}

/** Cached tokens are counted apart here. */
function usageOf({ input_tokens, cached_input_tokens, output_tokens }: ResponseUsage) {
  return {
    input_tokens: Math.max(0, input_tokens - cached_input_tokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached_input_tokens,
    output_tokens,
  };
}
