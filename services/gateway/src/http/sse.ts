/** Server-sent events with back-pressure: one write an event, keep-alives in between, an end when the reader leaves. */
import { once } from "node:events";

import type { Response } from "express";

/** A comment is sent after this long without an event, so that proxies keep the connection. */
export const KEEP_ALIVE_MS = 15_000;

export interface SseEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

export class SseWriter {
  readonly #response: Response;
  readonly #gone = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** `keepAlive`: what is sent when nothing else is; a comment by default. */
  constructor(response: Response, keepAlive = ": keep-alive\n\n") {
    this.#response = response;
    response.status(200).set({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      connection: "keep-alive",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    // The request's own `close` only says that its body was read.
    response.on("close", () => {
      clearInterval(this.#timer);
      this.#gone.abort();
    });
    this.#timer = setInterval(() => response.write(keepAlive), KEEP_ALIVE_MS);
  }

  /** Aborted when the reader has gone. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Waits while the reader is slow. */
  async write({ event, id, data }: SseEvent): Promise<void> {
    if (this.#gone.signal.aborted) return;
    const head = (event === undefined ? "" : `event: ${event}\n`) + (id === undefined ? "" : `id: ${id}\n`);
    const roomy = this.#response.write(`${head}data: ${data}\n\n`);
    if (roomy) return;
    await once(this.#response, "drain", { signal: this.#gone.signal }).catch(() => undefined);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#response.end();
  }
}
