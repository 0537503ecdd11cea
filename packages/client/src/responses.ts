/** The Responses API, with streams that go on where their connection broke. */
import { randomUUID } from "node:crypto";

import type { EventSourceMessage } from "eventsource-parser";

import type { ApiClient } from "./api-client.ts";
import type { CallSettings, WriteSettings } from "./settings.ts";
import { written } from "./settings.ts";
import { persistently } from "./persistently.ts";

/** As long as a run may take: an answer that is not streamed comes with its end. */
const RESPONSE_TIMEOUT_MS = 24 * 3_600_000;
const ENDS: ReadonlySet<string> = new Set(["response.completed", "response.failed", "response.incomplete"]);

export interface NewResponse {
  /** `agent/<name>`, or a model's name or label. */
  readonly model: string;
  readonly input: string | readonly object[];
  readonly instructions?: string;
  readonly previous_response_id?: string;
  readonly background?: boolean;
  readonly tools?: readonly object[];
  readonly [field: string]: unknown;
}

export interface ResponseView {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly output: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly [field: string]: unknown;
}

export interface ResponseStreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

export class Responses {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Resolves with the end of the run, or at once with `background`. */
  create(response: NewResponse, settings: WriteSettings = {}): Promise<ResponseView> {
    return this.#api.post("/v1/responses", response, { ...written(settings), timeoutMs: RESPONSE_TIMEOUT_MS });
  }

  retrieve(id: string, settings: CallSettings = {}): Promise<ResponseView> {
    return this.#api.get(`/v1/responses/${id}`, settings);
  }

  /** A background response; resolves with its end. */
  cancel(id: string, settings: CallSettings = {}): Promise<ResponseView> {
    return this.#api.post(`/v1/responses/${id}/cancel`, undefined, settings);
  }

  /** The events of a new response, none missed and none twice. */
  async *stream(response: NewResponse, settings: WriteSettings = {}): AsyncGenerator<ResponseStreamEvent> {
    const { signal = new AbortController().signal, idempotencyKey = randomUUID() } = settings;
    let [id, last] = ["", -1];
    // Under the same key a repeated request finds the response that the first one made.
    const begin = (): AsyncGenerator<EventSourceMessage> =>
      this.#api.stream("/v1/responses", {
        signal,
        body: { ...response, stream: true },
        headers: { "idempotency-key": idempotencyKey },
      });
    const open = (): AsyncGenerator<EventSourceMessage> => {
      if (id === "") return begin();
      const query = { stream: "true", starting_after: String(last) };
      return this.#api.stream(`/v1/responses/${id}`, { signal, query });
    };
    for await (const { data } of persistently(this.#api.url, open, signal)) {
      const event = JSON.parse(data) as ResponseStreamEvent;
      if (event.sequence_number <= last) continue;
      last = event.sequence_number;
      if (event.type === "response.created") id = (event["response"] as ResponseView).id;
      yield event;
      if (ENDS.has(event.type)) return;
    }
  }
}

/** The text of a response: that of its messages. */
export function outputText({ output }: ResponseView): string {
  return output
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? ""))
    .join("");
}
