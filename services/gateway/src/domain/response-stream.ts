/**
 * A run as the event stream of the Responses API.
 *
 * W1 The events and their numbers follow from the log alone: `model.completed` records how the output was cut, so a
 *    replay gives the same pieces under the same numbers as the live stream did.
 * W2 A live delta is the next piece or it is ignored; what was missed comes with the completion.
 * W3 Output that was seen and then lost with its worker closes as `incomplete`; the next attempt opens the next output
 *    index, and numbers jump by `ATTEMPT_STRIDE` past every number that a reader may have seen of it.
 */
import type { Chunks, FeedDelta, FeedEvent, RecordedItem } from "./run-feed.ts";
import { kindOf, textOf } from "./run-feed.ts";
import type { ResponseItem } from "./output-items.ts";
import { openItem, summaryPart, textPart } from "./output-items.ts";
import type { ResponseEcho, ResponseState, ResponseUsage } from "./response-object.ts";
import { responseErrorCode, responseIdOf, responseObject } from "./response-object.ts";

/** More numbers than one attempt can use: its chunks and a few per item. */
export const ATTEMPT_STRIDE = 10_000;

export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

interface OpenPiece {
  readonly item: ResponseItem;
  readonly outputIndex: number;
  readonly kind: FeedDelta["kind"];
  text: string;
  /** Its text or arguments are whole. A server call stays in progress after that, until its result. */
  closed: boolean;
}

interface Attempt {
  readonly step: number;
  readonly attempt: number;
  readonly baseNumber: number;
  nextChunk: number;
  /** By ordinal in the attempt. */
  readonly items: OpenPiece[];
}

export class ResponseStream {
  readonly #run: string;
  readonly #clientTools: ReadonlySet<string>;
  readonly #state: ResponseState;
  readonly #calls = new Map<string, { readonly item: ResponseItem; readonly outputIndex: number }>();
  #attempt: Attempt | null = null;
  #number = 0;
  #out: ResponseEvent[] = [];
  ended = false;

  constructor(run: string, createdAt: number, echo: ResponseEcho, clientTools: readonly string[]) {
    this.#run = run;
    this.#clientTools = new Set(clientTools);
    this.#state = {
      id: responseIdOf(run),
      createdAt,
      echo,
      status: echo.background === true ? "queued" : "in_progress",
      error: null,
      incompleteReason: null,
      output: [],
      usage: null,
      completedAt: null,
    };
  }

  get response() {
    return responseObject(this.#state);
  }

  takeDelta(delta: FeedDelta): ResponseEvent[] {
    const attempt = this.#attempt;
    if (attempt === null || delta.step !== attempt.step || delta.attempt !== attempt.attempt) return [];
    if (delta.chunk !== attempt.nextChunk) return [];
    this.#piece(attempt, delta);
    return this.#take();
  }

  takeEvent(event: FeedEvent): ResponseEvent[] {
    const { data } = event;
    switch (event.type) {
      case "run.queued":
        this.#lifecycle("response.created");
        if (this.#state.status === "queued") this.#lifecycle("response.queued");
        break;
      case "run.started":
        this.#state.status = "in_progress";
        this.#lifecycle("response.in_progress");
        break;
      case "model.requested":
        this.#attempt = {
          step: event.step,
          attempt: data["attempt"] as number,
          baseNumber: this.#number,
          nextChunk: 0,
          items: [],
        };
        break;
      case "model.completed":
        this.#complete(data);
        break;
      case "model.failed":
      case "model.abandoned":
        this.#abandon(data);
        break;
      case "tool.settled":
        this.#settle(data);
        break;
      default:
        this.#terminal(event);
        break;
    }
    return this.#take();
  }

  #take(): ResponseEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #emit(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.#out.push({ type, sequence_number: this.#number, ...fields });
    this.#number += 1;
  }

  #lifecycle(type: string): void {
    this.#emit(type, { response: this.response });
  }

  /** One piece of output: opens its item when it is the first, closing the one before. */
  #piece(attempt: Attempt, delta: Pick<FeedDelta, "item" | "kind" | "text" | "callId" | "name">): void {
    attempt.nextChunk += 1;
    let open = attempt.items[delta.item];
    if (open === undefined) {
      const before = attempt.items.at(-1);
      if (before !== undefined && !before.closed) this.#close(before, "completed");
      open = this.#open(attempt, delta);
    }
    open.text += delta.text;
    if (delta.text === "") return;
    const at = { item_id: open.item.id, output_index: open.outputIndex, delta: delta.text };
    if (open.kind === "text") this.#emit("response.output_text.delta", { ...at, content_index: 0, logprobs: [] });
    else if (open.kind === "reasoning")
      this.#emit("response.reasoning_summary_text.delta", { ...at, summary_index: 0 });
    else this.#emit(`response.${argumentsName(open.item)}.delta`, at);
  }

  #open(attempt: Attempt, delta: Pick<FeedDelta, "item" | "kind" | "callId" | "name">): OpenPiece {
    const call = this.#clientTools.has(delta.name) ? "function_call" : "mcp_call";
    const type = delta.kind === "text" ? "message" : delta.kind === "reasoning" ? "reasoning" : call;
    const place = { run: this.#run.slice(4), step: attempt.step, attempt: attempt.attempt, item: delta.item };
    const item = openItem(type, place, delta);
    const outputIndex = this.#state.output.length;
    this.#emit("response.output_item.added", { output_index: outputIndex, item: structuredClone(item) });
    this.#state.output.push(item);
    const open: OpenPiece = { item, outputIndex, kind: delta.kind, text: "", closed: false };
    attempt.items[delta.item] = open;
    const at = { item_id: item.id, output_index: outputIndex };
    if (delta.kind === "text") {
      this.#emit("response.content_part.added", { ...at, content_index: 0, part: textPart("") });
    } else if (delta.kind === "reasoning") {
      this.#emit("response.reasoning_summary_part.added", { ...at, summary_index: 0, part: summaryPart("") });
    } else {
      this.#calls.set(delta.callId, { item, outputIndex });
    }
    return open;
  }

  #close(open: OpenPiece, status: "completed" | "incomplete"): void {
    const { item, outputIndex, kind, text } = open;
    open.closed = true;
    const at = { item_id: item.id, output_index: outputIndex };
    if (kind === "text") {
      item["content"] = [textPart(text)];
      this.#emit("response.output_text.done", { ...at, content_index: 0, text, logprobs: [] });
      this.#emit("response.content_part.done", { ...at, content_index: 0, part: textPart(text) });
    } else if (kind === "reasoning") {
      item["summary"] = [summaryPart(text)];
      this.#emit("response.reasoning_summary_text.done", { ...at, summary_index: 0, text });
      this.#emit("response.reasoning_summary_part.done", { ...at, summary_index: 0, part: summaryPart(text) });
    } else {
      item["arguments"] = text;
      this.#emit(`response.${argumentsName(item)}.done`, { ...at, arguments: text, name: item["name"] });
      if (item.type === "mcp_call" && status === "completed") {
        this.#emit("response.mcp_call.in_progress", at);
        return;
      }
    }
    item.status = status;
    this.#emit("response.output_item.done", { output_index: outputIndex, item: structuredClone(item) });
  }

  /** W1, W2: the pieces that were not seen, then the ends of the items. */
  #complete(data: FeedEvent["data"]): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    this.#catchUp(attempt, data["items"] as RecordedItem[], data["chunks"] as Chunks);
    for (const open of attempt.items) if (!open.closed) this.#close(open, "completed");
    this.#attempt = null;
    this.#addUsage(data["usage"] as ResponseUsage);
  }

  /** W3. */
  #abandon(data: FeedEvent["data"]): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    this.#catchUp(attempt, data["items"] as RecordedItem[], data["chunks"] as Chunks);
    // Readers may have had pieces that were not kept: what follows is numbered past all of them.
    this.#number = Math.max(this.#number, attempt.baseNumber + ATTEMPT_STRIDE);
    for (const open of attempt.items) {
      if (open.item.type === "mcp_call")
        open.item["error"] = "The call was not made: the model's turn was interrupted.";
      if (!open.closed) this.#close(open, "incomplete");
      else if (open.item.status === "in_progress") this.#finish(open.item, open.outputIndex, "incomplete");
    }
    this.#attempt = null;
  }

  #catchUp(attempt: Attempt, items: readonly RecordedItem[], chunks: Chunks): void {
    const offsets = items.map(() => 0);
    for (const [ordinal, [index, length]] of chunks.entries()) {
      const recorded = items[index];
      if (recorded === undefined) continue;
      const offset = offsets[index]!;
      offsets[index] = offset + length;
      if (ordinal < attempt.nextChunk) continue;
      this.#piece(attempt, {
        item: index,
        kind: kindOf(recorded),
        text: textOf(recorded).slice(offset, offset + length),
        callId: recorded.call_id ?? "",
        name: recorded.name ?? "",
      });
    }
  }

  #settle(data: FeedEvent["data"]): void {
    const call = this.#calls.get(String(data["call_id"]));
    if (call === undefined || call.item.status !== "in_progress") return;
    const { item, outputIndex } = call;
    const outcome = String(data["outcome"]);
    if (outcome === "completed") item["output"] = data["output"];
    else item["error"] = data["output"];
    const event = outcome === "completed" ? "response.mcp_call.completed" : "response.mcp_call.failed";
    this.#emit(event, { item_id: item.id, output_index: outputIndex });
    this.#finish(
      item,
      outputIndex,
      outcome === "completed" ? "completed" : outcome === "cancelled" ? "incomplete" : "failed",
    );
  }

  #finish(item: ResponseItem, outputIndex: number, status: ResponseItem["status"]): void {
    item.status = status;
    this.#emit("response.output_item.done", { output_index: outputIndex, item: structuredClone(item) });
  }

  #addUsage(usage: ResponseUsage): void {
    const before = this.#state.usage ?? {
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
    };
    this.#state.usage = {
      input_tokens: before.input_tokens + usage.input_tokens,
      cached_input_tokens: before.cached_input_tokens + usage.cached_input_tokens,
      output_tokens: before.output_tokens + usage.output_tokens,
      reasoning_tokens: before.reasoning_tokens + usage.reasoning_tokens,
    };
  }

  #terminal(event: FeedEvent): void {
    const { data } = event;
    switch (event.type) {
      case "run.completed":
        this.#end(event, ...completionOf(String(data["finish"])));
        break;
      case "run.failed":
        this.#state.error = { code: responseErrorCode(String(data["code"])), message: String(data["message"]) };
        this.#end(event, "failed", null);
        break;
      case "run.cancelled":
        this.#end(event, "cancelled", null);
        break;
      case "run.exhausted":
        this.#end(event, "incomplete", String(data["limit"]));
        break;
      default:
        break;
    }
  }

  #end(event: FeedEvent, status: ResponseState["status"], incompleteReason: string | null): void {
    this.#state.status = status;
    this.#state.incompleteReason = incompleteReason;
    this.#state.completedAt = status === "completed" ? event.at : null;
    this.ended = true;
    // The API has no event of its own for a cancelled response; its status tells.
    this.#lifecycle(`response.${status === "cancelled" ? "incomplete" : status}`);
  }
}

function completionOf(finish: string): ["completed" | "incomplete", string | null] {
  if (finish === "length") return ["incomplete", "max_output_tokens"];
  return finish === "content_filter" ? ["incomplete", "content_filter"] : ["completed", null];
}

function argumentsName(item: ResponseItem): string {
  return item.type === "function_call" ? "function_call_arguments" : "mcp_call_arguments";
}
