/** Model calls over model-router's conversation stream. Items are sent once per stream; a broken one is opened anew. */
import type { DuplexCall, ModelRouterClient } from "@mainspring/contracts";
import { fromErrorDetail } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import type { OutputItem, TranscriptItem } from "../domain/items.ts";
import type {
  ConversationSpec,
  GenerateIds,
  ModelClient,
  ModelConversation,
  ModelResult,
  RouterDelta,
} from "../ports/model-client.ts";

type Stream = ReturnType<ModelRouterClient["Converse"]>;
type Request = Stream extends DuplexCall<infer Req, unknown> ? Req : never;
type Response = Stream extends DuplexCall<never, infer Res> ? Res : never;

/** Characters of items in one Append frame; with four bytes a character it stays below 1 MiB of UTF-8 mostly. */
const FRAME_CHARS_MAX = 256 * 1024;

export class RouterModelClient implements ModelClient {
  readonly #router: ModelRouterClient;

  constructor(router: ModelRouterClient) {
    this.#router = router;
  }

  open(spec: ConversationSpec): ModelConversation {
    return new RouterConversation(this.#router, spec);
  }
}

interface OpenStream {
  readonly call: Stream;
  readonly abort: AbortController;
  /** Items already sent on it. */
  sent: number;
}

interface Pending {
  readonly attempt: number;
  readonly onDelta: (delta: RouterDelta) => void;
  readonly resolve: (result: ModelResult) => void;
}

class RouterConversation implements ModelConversation {
  readonly #router: ModelRouterClient;
  readonly #spec: ConversationSpec;
  #stream: OpenStream | null = null;
  #pending: Pending | null = null;
  #attempts = 0;

  constructor(router: ModelRouterClient, spec: ConversationSpec) {
    this.#router = router;
    this.#spec = spec;
  }

  generate(
    items: readonly TranscriptItem[],
    ids: GenerateIds,
    onDelta: (delta: RouterDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelResult> {
    return new Promise((resolve) => {
      this.#attempts += 1;
      const pending: Pending = { attempt: this.#attempts, onDelta, resolve };
      this.#pending = pending;
      const onAbort = (): void => this.#abort(pending);
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      this.#send(items, pending.attempt, ids).catch((error: unknown) => this.#broken(error));
    });
  }

  close(): void {
    this.#stream?.call.end();
    this.#stream?.abort.abort();
    this.#stream = null;
  }

  /** The caller wants no more of it: leaving the stream stops the provider's call. */
  #abort(pending: Pending): void {
    if (this.#pending !== pending) return;
    this.#pending = null;
    this.close();
    pending.resolve({ kind: "failed", code: "aborted", message: "the model call was stopped", retryable: false });
  }

  async #send(items: readonly TranscriptItem[], attempt: number, ids: GenerateIds): Promise<void> {
    const stream = this.#stream ?? this.#openStream();
    for (const frame of frames(items, stream.sent)) await stream.call.send({ append: { items_json: frame } });
    stream.sent = items.length;
    await stream.call.send({ generate: { attempt, request_id: ids.requestId, traceparent: ids.trace } });
  }

  #openStream(): OpenStream {
    const abort = new AbortController();
    const { tenant, model, instructions, tools, params } = this.#spec;
    const call = this.#router.Converse({
      signal: abort.signal,
      principal: { tenant, subject: "service:engine-worker", scopes: ["service"] },
    });
    const stream = { call, abort, sent: 0 };
    this.#stream = stream;
    const open: Request = {
      open: { model, instructions, tools_json: JSON.stringify(tools), params_json: JSON.stringify(params) },
    };
    call.send(open).catch(() => undefined);
    this.#read(stream).catch((error: unknown) => {
      if (this.#stream === stream) this.#broken(error);
    });
    return stream;
  }

  async #read(stream: { readonly call: Stream }): Promise<void> {
    for await (const response of stream.call.responses) this.#take(response as Response);
    throw new MainspringError("unavailable", "model-router ended the stream");
  }

  #take(response: Response): void {
    const pending = this.#pending;
    if (pending === null || response.attempt !== pending.attempt) return;
    if (response.delta) {
      const { item, kind, text, call_id, name } = response.delta;
      pending.onDelta({ item, kind: kind as RouterDelta["kind"], text, callId: call_id, name });
    } else if (response.completed) {
      const { items_json, usage, finish_reason, served_by } = response.completed;
      this.#settle({
        kind: "completed",
        items: (JSON.parse(items_json) as OutputItem[]).map(spoken),
        usage: {
          input_tokens: usage?.input_tokens ?? 0,
          cached_input_tokens: usage?.cached_input_tokens ?? 0,
          output_tokens: usage?.output_tokens ?? 0,
          reasoning_tokens: usage?.reasoning_tokens ?? 0,
        },
        finish: finish_reason,
        servedBy: served_by,
      });
    } else if (response.failed) {
      const detail = response.failed.error;
      const error = detail ? fromErrorDetail(detail) : new MainspringError("internal", "the model call failed");
      this.#settle({ kind: "failed", code: error.code, message: error.message, retryable: error.retry !== "never" });
    }
  }

  #broken(error: unknown): void {
    this.close();
    const { code, message } = MainspringError.from(error);
    const retryable = code === "unavailable" || code === "aborted" || code === "deadline_exceeded";
    this.#settle({ kind: "failed", code, message: `model-router: ${message}`, retryable });
  }

  #settle(result: ModelResult): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve(result);
  }
}

/** What a model says is the assistant's: with its role it can be part of what the next call is made with. */
function spoken(item: OutputItem): OutputItem {
  return item.type === "message" ? { ...item, role: "assistant" } : item;
}

/** JSON arrays of the items from `from` on, each of bounded size (a single larger item goes alone). */
function* frames(items: readonly TranscriptItem[], from: number): Generator<string> {
  let frame: string[] = [];
  let chars = 0;
  for (let index = from; index < items.length; index += 1) {
    const text = JSON.stringify(items[index]);
    if (frame.length > 0 && chars + text.length > FRAME_CHARS_MAX) {
      yield `[${frame.join()}]`;
      frame = [];
      chars = 0;
    }
    frame.push(text);
    chars += text.length;
  }
  if (frame.length > 0) yield `[${frame.join()}]`;
}
