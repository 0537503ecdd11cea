/**
 * One conversation stream: its items are kept in memory as long as it is open, and each Generate runs over all of
 * them. What is wrong with an Open or an Append is answered by the Generate that follows.
 */
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import { invalid, isRecord, parseItems, parseJson } from "../domain/items.ts";
import type { Item } from "../domain/items.ts";
import { toError } from "../domain/provider-failure.ts";
import { findModel } from "../domain/registry.ts";
import type { ModelEntry } from "../domain/registry.ts";
import type { OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { generate } from "./generate.ts";
import { endModelSpan, modelSpan } from "./model-span.ts";

/** Bytes of items that one stream may hold, 64 MiB. */
export const CONVERSATION_BYTES_MAX = 64 * 1024 * 1024;

export interface RouterPorts {
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** An id for a Generate that came without one. */
  newRequestId(): string;
  readonly models: readonly ModelEntry[];
  providerOf(entry: ModelEntry): Provider;
  onGenerate(observed: ObservedGenerate): void;
}

export interface ObservedGenerate {
  readonly provider: string;
  /** `completed`, or the code of the error. */
  readonly outcome: string;
  readonly durationMs: number;
  /** Until the first delta; null when there was none. */
  readonly firstOutputMs: number | null;
  readonly requests: number;
}

export type Answer =
  | { readonly kind: "delta"; readonly attempt: number; readonly delta: OutputDelta }
  | {
      readonly kind: "completed";
      readonly attempt: number;
      readonly result: Extract<ProviderResult, { kind: "completed" }>;
      readonly requests: number;
    }
  | { readonly kind: "failed"; readonly attempt: number; readonly error: MainspringError; readonly status: number };

export interface OpenRequest {
  readonly model: string;
  readonly instructions: string;
  readonly toolsJson: string;
  readonly paramsJson: string;
}

interface Asked {
  readonly attempt: number;
  readonly requestId: string;
  /** Traceparent, or empty. */
  readonly parent: string;
}

interface Opened {
  readonly entry: ModelEntry;
  readonly session: ProviderSession;
  readonly instructions: string;
  readonly tools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Hands an answer on; a promise when the reader is behind. */
export type Send = (answer: Answer) => Promise<void> | undefined;

export class Conversation {
  readonly #ports: RouterPorts;
  readonly #send: Send;
  readonly #tenant: string;
  readonly #items: Item[] = [];
  #bytes = 0;
  #chars = 0;
  #opened: Opened | null = null;
  #problem: MainspringError | null = null;
  #current: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(ports: RouterPorts, tenant: string, send: Send) {
    this.#ports = ports;
    this.#tenant = tenant;
    this.#send = send;
  }

  open(request: OpenRequest): void {
    this.#attempt(() => {
      if (this.#opened !== null) throw invalid("open", "the conversation is open already");
      const tools = parseJson(request.toolsJson, "tools_json", []);
      const params = parseJson(request.paramsJson, "params_json", {});
      if (!Array.isArray(tools)) throw invalid("tools_json", "it must be a JSON array");
      if (!isRecord(params)) throw invalid("params_json", "it must be a JSON object");
      const entry = findModel(this.#ports.models, request.model);
      const session = this.#ports.providerOf(entry).open();
      this.#opened = { entry, session, instructions: request.instructions, tools, params };
    });
  }

  append(itemsJson: string): void {
    this.#attempt(() => {
      this.#bytes += Buffer.byteLength(itemsJson);
      if (this.#bytes > CONVERSATION_BYTES_MAX) {
        this.#items.length = 0;
        const message = `the conversation is larger than ${CONVERSATION_BYTES_MAX} bytes`;
        throw new MainspringError("resource_exhausted", message, { reason: "conversation_too_large" });
      }
      for (const item of parseItems(itemsJson)) this.#items.push(item);
      this.#chars += itemsJson.length;
    });
  }

  /** Begins a Generate, which answers for itself. One that was stopped may still be ending: that is waited for. */
  async generate(attempt: number, requestId: string, parent: string): Promise<void> {
    if (this.#current?.abort.signal.aborted === true) await this.#current.done;
    const problem = this.#problem ?? this.#notNow();
    if (problem !== null) {
      await this.#send({ kind: "failed", attempt, error: problem, status: 0 });
      return;
    }
    const abort = new AbortController();
    const id = requestId === "" ? this.#ports.newRequestId() : requestId;
    const done = this.#run(this.#opened!, { attempt, requestId: id, parent }, abort.signal)
      .catch((error: unknown) => this.#send({ kind: "failed", attempt, error: MainspringError.from(error), status: 0 }))
      .finally(() => (this.#current = null));
    this.#current = { abort, done };
  }

  /** Stops the Generate under way, if there is one. */
  stop(): void {
    this.#current?.abort.abort();
  }

  /** Resolves when no Generate is under way. */
  async idle(): Promise<void> {
    await this.#current?.done;
  }

  #notNow(): MainspringError | null {
    if (this.#opened === null) return new MainspringError("failed_precondition", "the conversation was not opened");
    if (this.#current === null) return null;
    return new MainspringError("failed_precondition", "a model call of this conversation is under way", {
      reason: "generate_under_way",
    });
  }

  /** After the first problem the conversation is of no use: nothing hides it. */
  #attempt(action: () => void): void {
    if (this.#problem !== null) return;
    try {
      action();
    } catch (error) {
      this.#problem = MainspringError.from(error);
    }
  }

  async #run(opened: Opened, asked: Asked, signal: AbortSignal): Promise<void> {
    const { attempt, requestId } = asked;
    const { clock } = this.#ports;
    const { entry, session, instructions, tools, params } = opened;
    const span = modelSpan(entry, this.#tenant, asked);
    const startedMs = clock.monotonicMs();
    let firstOutputMs: number | null = null;
    const model = entry.providerModel;
    const request = { model, instructions, tools, params, items: this.#items, itemChars: this.#chars, requestId };
    const call = generate(this.#ports, session, request, signal);
    let step = await call.next();
    while (step.done !== true) {
      firstOutputMs ??= clock.monotonicMs() - startedMs;
      const room = signal.aborted ? undefined : this.#send({ kind: "delta", attempt, delta: step.value });
      if (room !== undefined) await room;
      step = await call.next();
    }
    const { result, requests } = step.value;
    const error = result.kind === "failed" ? toError(result.failure) : null;
    endModelSpan(span, result, error);
    const outcome = error === null ? "completed" : error.code;
    const durationMs = clock.monotonicMs() - startedMs;
    this.#ports.onGenerate({ provider: entry.provider, outcome, durationMs, firstOutputMs, requests });
    if (result.kind === "completed") await this.#send({ kind: "completed", attempt, result, requests });
    else await this.#send({ kind: "failed", attempt, error: error!, status: result.failure.status });
  }
}
