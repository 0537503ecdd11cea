/**
 * A run as one answer, for the wires on which a caller brings the whole history and takes one message back.
 *
 * A1 Text and reasoning are passed on as they come. What a lost attempt had shown cannot be taken back: the attempt that
 *    follows opens new pieces, and the whole answer (`items`) has only what was kept.
 * A2 Calls of the caller's functions are told at the end, from the log: a call that was shown and then lost with its
 *    worker would be made by a caller and never be asked for.
 */
import type { ErrorCode } from "@mainspring/kernel";
import { ERROR_CODES, MainspringError } from "@mainspring/kernel";

import type { ResponseUsage } from "./response-object.ts";
import type { Chunks, FeedEvent, FeedItem, RecordedItem } from "./run-feed.ts";
import { kindOf, textOf } from "./run-feed.ts";

export type AnswerPiece =
  /** `opens`: the first piece of its item. */
  | { readonly kind: "text" | "reasoning"; readonly text: string; readonly opens: boolean }
  | { readonly kind: "ended"; readonly end: AnswerEnd };

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly arguments: string;
}

export interface AnswerEnd {
  /** stop, length, tool_calls or content_filter; empty where the run failed or was cancelled. */
  readonly finish: string;
  readonly calls: readonly AnswerCall[];
  readonly usage: ResponseUsage;
  readonly error: MainspringError | null;
}

interface Attempt {
  readonly step: number;
  readonly attempt: number;
  nextChunk: number;
  /** Item that the last piece was of. */
  item: number;
}

const NO_USAGE: ResponseUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

export class Answer {
  /** Unix ms of the run's first event; 0 before that. */
  startedAt = 0;
  /** Texts and reasoning of every turn that was kept, in their order. */
  readonly items: RecordedItem[] = [];
  #attempt: Attempt | null = null;
  #calls: readonly RecordedItem[] = [];
  #usage = NO_USAGE;

  take(item: FeedItem): AnswerPiece[] {
    if ("event" in item) return this.#takeEvent(item.event);
    if (!("delta" in item)) return [];
    const { delta } = item;
    const attempt = this.#attempt;
    const isCurrent = attempt !== null && delta.step === attempt.step && delta.attempt === attempt.attempt;
    // A delta that is not the next one is left out: what was missed comes with the completion.
    return isCurrent && delta.chunk === attempt.nextChunk ? piece(attempt, delta) : [];
  }

  #takeEvent(event: FeedEvent): AnswerPiece[] {
    const { data } = event;
    if (this.startedAt === 0) this.startedAt = event.at;
    switch (event.type) {
      case "model.requested":
        this.#attempt = { step: event.step, attempt: data["attempt"] as number, nextChunk: 0, item: -1 };
        return [];
      case "model.completed":
        return this.#complete(data);
      case "model.failed":
      case "model.abandoned":
        this.#attempt = null;
        return [];
      case "run.completed":
        return this.#end(String(data["finish"]), data["client_calls"] as readonly string[]);
      case "run.exhausted":
        return this.#end("length", []);
      case "run.failed":
        return this.#fail(failureOf(String(data["code"]), String(data["message"])));
      case "run.cancelled":
        return this.#fail(new MainspringError("aborted", "the run was cancelled", { reason: "run_cancelled" }));
      default:
        return [];
    }
  }

  #complete(data: FeedEvent["data"]): AnswerPiece[] {
    const attempt = this.#attempt;
    if (attempt === null) return [];
    const items = data["items"] as readonly RecordedItem[];
    const pieces = missed(attempt, items, data["chunks"] as Chunks);
    this.#attempt = null;
    this.#calls = items.filter(({ type }) => type === "function_call");
    this.items.push(...items.filter((item) => item.type !== "function_call" && !isEmpty(item)));
    this.#usage = sum(this.#usage, data["usage"] as ResponseUsage);
    return pieces;
  }

  #end(finish: string, callIds: readonly string[]): AnswerPiece[] {
    const calls = this.#calls
      .filter(({ call_id: id }) => callIds.includes(id ?? ""))
      .map((call) => ({ id: call.call_id ?? "", name: call.name ?? "", arguments: textOf(call) }));
    return [{ kind: "ended", end: { finish, calls, usage: this.#usage, error: null } }];
  }

  #fail(error: MainspringError): AnswerPiece[] {
    return [{ kind: "ended", end: { finish: "", calls: [], usage: this.#usage, error } }];
  }
}

function isEmpty(item: RecordedItem): boolean {
  return textOf(item) === "" && item.signature === undefined;
}

/** Arguments are passed over (A2), but counted. */
function piece(attempt: Attempt, of: { readonly item: number; readonly kind: string; readonly text: string }) {
  attempt.nextChunk += 1;
  if (of.kind === "arguments" || of.text === "") return [];
  const opens = of.item !== attempt.item;
  attempt.item = of.item;
  return [{ kind: of.kind as "text" | "reasoning", text: of.text, opens }];
}

function missed(attempt: Attempt, items: readonly RecordedItem[], chunks: Chunks): AnswerPiece[] {
  const offsets = items.map(() => 0);
  const pieces: AnswerPiece[] = [];
  for (const [ordinal, [index, length]] of chunks.entries()) {
    const item = items[index];
    if (item === undefined) continue;
    const from = offsets[index]!;
    offsets[index] = from + length;
    if (ordinal < attempt.nextChunk) continue;
    pieces.push(...piece(attempt, { item: index, kind: kindOf(item), text: textOf(item).slice(from, from + length) }));
  }
  return pieces;
}

function failureOf(code: string, message: string): MainspringError {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "internal";
  return new MainspringError(known, message, { reason: "run_failed", retry: "never" });
}

function sum(a: ResponseUsage, b: ResponseUsage): ResponseUsage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  };
}
