/** The public HTTP API. Failures are MainspringErrors with the server's own code and sentence. */
import type { ErrorCode } from "@mainspring/kernel";
import { ERROR_CODES, MainspringError } from "@mainspring/kernel";
import { createParser } from "eventsource-parser";
import type { EventSourceMessage } from "eventsource-parser";

/** Longest wait for an answer that is no stream; cancels wait until they are effective. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Longest line of an event stream that is kept while it is incomplete, 32 MiB. */
const STREAM_BUFFER_CHARS_MAX = 32 * 1024 * 1024;

export interface ApiClientOptions {
  readonly url: string;
  /** Empty for a server without authentication. */
  readonly key: string;
  /** What carries the requests; the global `fetch` by default. */
  readonly fetch?: Fetch;
  /** What to do, appended to the sentence of an error: when no server answers, and when it wants a key. */
  readonly hints?: { readonly unreachable?: string; readonly unauthenticated?: string };
}

/** As much of `fetch` as is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiClient {
  readonly url: string;
  readonly #key: string;
  readonly #send: Fetch;
  readonly #hints: NonNullable<ApiClientOptions["hints"]>;

  constructor({ url, key, fetch: send = fetch, hints = {} }: ApiClientOptions) {
    this.url = checkedUrl(url);
    // What carries it would repeat it in its error.
    if (!/^[\x21-\x7e]*$/.test(key))
      throw new MainspringError("invalid_argument", "key has characters that no key has", { param: "key" });
    this.#key = key;
    this.#send = send;
    this.#hints = hints;
  }

  get<T>(path: string, options: CallOptions = {}): Promise<T> {
    return this.#json("GET", path, options);
  }

  post<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return this.#json("POST", path, { ...options, body });
  }

  put<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return this.#json("PUT", path, { ...options, body });
  }

  patch<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return this.#json("PATCH", path, { ...options, body });
  }

  /** The bytes of an answer as they come; throws `unavailable` when it breaks off. */
  async *download(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const response = await this.#fetch("GET", path, { signal }, {});
    try {
      yield* response.body ?? [];
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#broken(cause);
    }
  }

  /** Sends bytes as they are read, for as long as that takes. */
  async upload<T>(path: string, bytes: AsyncIterable<Uint8Array>, options: CallOptions): Promise<T> {
    const response = await this.#fetch("POST", path, { ...options, stream: bytes }, { accept: "application/json" });
    return (await response.json()) as T;
  }

  delete(path: string, options: CallOptions = {}): Promise<void> {
    return this.#json("DELETE", path, options);
  }

  /**
   * The events of a stream; those after `lastEventId` where one is given. With a body it is a POST. Ends when the server ends
   * it; throws `unavailable` when it breaks.
   */
  async *stream(
    path: string,
    options: Omit<CallOptions, "timeoutMs"> & { readonly signal: AbortSignal; readonly lastEventId?: string },
  ): AsyncGenerator<EventSourceMessage> {
    const { lastEventId = "", signal, body } = options;
    const headers = { accept: "text/event-stream", ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }) };
    const response = await this.#fetch(body === undefined ? "GET" : "POST", path, options, headers);
    const ready: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (event) => ready.push(event),
      maxBufferSize: STREAM_BUFFER_CHARS_MAX,
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        yield* ready.splice(0);
      }
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#broken(cause);
    }
  }

  #broken(cause: unknown): MainspringError {
    return new MainspringError("unavailable", `the connection to ${this.url} broke`, { cause });
  }

  async #json<T>(method: string, path: string, options: CallOptions): Promise<T> {
    const limit = AbortSignal.timeout(options.timeoutMs ?? ANSWER_TIMEOUT_MS);
    const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
    const response = await this.#fetch(method, path, { ...options, signal }, { accept: "application/json" });
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  async #fetch(
    method: string,
    path: string,
    options: CallOptions & { readonly stream?: AsyncIterable<Uint8Array> },
    headers: Record<string, string>,
  ): Promise<Response> {
    const query = new URLSearchParams(options.query).toString();
    const { body, signal, stream } = options;
    let response: Response;
    try {
      response = await this.#send(`${this.url}${path}${query === "" ? "" : `?${query}`}`, {
        method,
        headers: {
          ...headers,
          ...options.headers,
          ...(this.#key === "" ? {} : { authorization: `Bearer ${this.#key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(stream === undefined ? {} : { "content-type": "application/octet-stream" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(stream === undefined ? {} : { body: ReadableStream.from(stream), duplex: "half" as const }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      if (signal?.aborted === true && (signal.reason as Error).name !== "TimeoutError") throw signal.reason;
      throw this.#unreachable(cause);
    }
    if (response.ok) return response;
    throw problemOf(response.status, await response.text(), this.#hints.unauthenticated);
  }

  #unreachable(cause: unknown): MainspringError {
    const late = cause instanceof Error && cause.name === "TimeoutError";
    const what = late ? `${this.url} did not answer in time` : `no server answers at ${this.url}`;
    return new MainspringError("unavailable", what + (this.#hints.unreachable ?? ""), { cause });
  }
}

/** What the server says of a failure: problem details, or the shape of a compatible route. */
export function problemOf(status: number, text: string, unauthenticated = ""): MainspringError {
  let body: Readonly<Record<string, unknown>> = {};
  try {
    body = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // No JSON: something between here and the server answers.
  }
  const error = (body["error"] ?? {}) as Readonly<Record<string, unknown>>;
  const given = body["detail"] ?? error["message"];
  const detail = typeof given === "string" ? given : `the server answered ${status}`;
  const data = (error["data"] ?? {}) as Readonly<Record<string, unknown>>;
  const reason = body["reason"] ?? data["reason"] ?? error["code"];
  const hint = status === 401 ? unauthenticated : "";
  return new MainspringError(codeOf(body["code"] ?? data["code"], status), `${detail}${hint}`, {
    ...(typeof reason === "string" ? { reason } : {}),
  });
}

function codeOf(given: unknown, status: number): ErrorCode {
  if (typeof given === "string" && given in ERROR_CODES) return given as ErrorCode;
  const match = Object.entries(ERROR_CODES).find(([, row]) => row.http === status);
  return (match?.[0] ?? (status >= 500 ? "unavailable" : "invalid_argument")) as ErrorCode;
}

function checkedUrl(url: string): string {
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  const message = `${JSON.stringify(url)} is no address of a server: http://host:port`;
  throw new MainspringError("invalid_argument", message, { param: "url" });
}
