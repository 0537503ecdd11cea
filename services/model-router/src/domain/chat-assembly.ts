/**
 * Puts the chunks of a Chat Completions stream together, so that items come one after the other.
 *
 * Text and reasoning are passed on as they come; where one turns into the other a new item begins. Calls may come
 * interleaved: the first one is passed on as it comes, and whatever follows while it may still grow is kept until the
 * stream ends. Nobody waits for it: tools run when the turn is complete.
 *
 * Ids of calls are made here. Some servers leave them out or use the same ones in each turn, and an id names its call
 * in the ledger for the life of the session.
 */
import { derivedId } from "@mainspring/kernel";

import type { OutputItem } from "./items.ts";
import { isRecord } from "./items.ts";

/** Longest output of one model call, in characters: it has to fit a message of the stream. */
export const OUTPUT_CHARS_MAX = 1024 * 1024;
/** Most calls of one turn that are taken from a provider. */
export const CALLS_MAX = 512;

export type ChatFinish = "stop" | "length" | "tool_calls" | "content_filter";

export interface ChatDelta {
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly text: string;
  readonly callId: string;
  readonly name: string;
}

export interface ChatUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

interface Piece {
  readonly kind: ChatDelta["kind"];
  text: string;
  readonly callId: string;
  name: string;
  announced: boolean;
}

const FINISH: Readonly<Record<string, ChatFinish>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
};

export class ChatAssembly {
  readonly #requestId: string;
  readonly #pieces: Piece[] = [];
  readonly #calls = new Map<number, Piece>();
  #firstCall: Piece | null = null;
  #chars = 0;
  #finish: ChatFinish | null = null;
  #usage: ChatUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  #model = "";

  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  /** What the provider says it served, or empty. */
  get model(): string {
    return this.#model;
  }

  get usage(): ChatUsage {
    return this.#usage;
  }

  /** Null while the provider has not said that it finished. */
  get finish(): ChatFinish | null {
    if (this.#finish === "stop" && this.#calls.size > 0) return "tool_calls";
    return this.#finish;
  }

  get isTooLarge(): boolean {
    return this.#chars > OUTPUT_CHARS_MAX || this.#calls.size > CALLS_MAX;
  }

  /** Takes one chunk as it came off the wire; returns what can be passed on now. */
  add(chunk: unknown): ChatDelta[] {
    if (!isRecord(chunk)) return [];
    if (typeof chunk["model"] === "string" && chunk["model"] !== "") this.#model = chunk["model"];
    if (isRecord(chunk["usage"])) this.#usage = usageOf(chunk["usage"]);
    const choice: unknown = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined;
    if (!isRecord(choice)) return [];
    const deltas: ChatDelta[] = [];
    if (isRecord(choice["delta"])) this.#addDelta(choice["delta"], deltas);
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.#finish = FINISH[reason] ?? "stop";
    return deltas;
  }

  /** What was kept back, once the stream has ended. */
  flush(): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    for (const [item, piece] of this.#pieces.entries()) {
      if (!piece.announced) this.#announce(item, piece, piece.text, deltas);
    }
    return deltas;
  }

  items(): OutputItem[] {
    return this.#pieces.map(({ kind, text, callId, name }): OutputItem => {
      if (kind === "text") return { type: "message", role: "assistant", text };
      if (kind === "reasoning") return { type: "reasoning", text };
      return { type: "function_call", call_id: callId, name, arguments: text === "" ? "{}" : text };
    });
  }

  #addDelta(delta: Readonly<Record<string, unknown>>, deltas: ChatDelta[]): void {
    const { content, refusal, reasoning_content, reasoning, tool_calls } = delta;
    this.#addText("reasoning", firstText(reasoning_content, reasoning), deltas);
    this.#addText("text", firstText(content, refusal), deltas);
    if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#addCall(call, deltas);
  }

  #addText(kind: "text" | "reasoning", text: string, deltas: ChatDelta[]): void {
    if (text === "") return;
    let piece = this.#pieces.at(-1);
    if (piece?.kind !== kind) piece = this.#begin({ kind, text: "", callId: "", name: "", announced: false });
    this.#grow(piece, text, this.#firstCall === null, deltas);
  }

  #addCall(call: unknown, deltas: ChatDelta[]): void {
    if (!isRecord(call)) return;
    const made = isRecord(call["function"]) ? call["function"] : {};
    const name = firstText(made["name"]);
    // A server that leaves the index out sends each call whole, or goes on with the one before.
    const index = typeof call["index"] === "number" ? call["index"] : this.#calls.size - (name === "" ? 1 : 0);
    let piece = this.#calls.get(index);
    if (piece === undefined) {
      const callId = derivedId("call", this.#requestId, this.#calls.size);
      piece = this.#begin({ kind: "arguments", text: "", callId, name: "", announced: false });
      this.#calls.set(index, piece);
      this.#firstCall ??= piece;
    }
    if (!piece.announced) piece.name += name;
    this.#grow(piece, firstText(made["arguments"]), piece === this.#firstCall, deltas);
  }

  #begin(piece: Piece): Piece {
    this.#pieces.push(piece);
    return piece;
  }

  #grow(piece: Piece, text: string, live: boolean, deltas: ChatDelta[]): void {
    piece.text += text;
    this.#chars += text.length;
    if (!live || (piece.kind === "arguments" && piece.name === "")) return;
    if (piece.announced && text === "") return;
    this.#announce(this.#pieces.indexOf(piece), piece, piece.announced ? text : piece.text, deltas);
  }

  #announce(item: number, piece: Piece, text: string, deltas: ChatDelta[]): void {
    const { kind, callId, name, announced } = piece;
    piece.announced = true;
    deltas.push({ item, kind, text, callId: announced ? "" : callId, name: announced ? "" : name });
  }
}

function firstText(...values: readonly unknown[]): string {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return "";
}

function usageOf(usage: Readonly<Record<string, unknown>>): ChatUsage {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  return {
    inputTokens: count(usage["prompt_tokens"]),
    cachedInputTokens: isRecord(prompt) ? count(prompt["cached_tokens"]) : 0,
    outputTokens: count(usage["completion_tokens"]),
    reasoningTokens: isRecord(completion) ? count(completion["reasoning_tokens"]) : 0,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
