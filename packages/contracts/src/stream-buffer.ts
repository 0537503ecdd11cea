/**
 * A bounded buffer between one writer and one reader: what both transports put under a stream.
 *
 * It is full by messages or bytes; the writer is told and waits for `drained`. An end or failure comes after what
 * was written before it; an abort comes at once and drops the rest. Passing a message costs microtasks only.
 */
import { assert } from "@mainspring/kernel";

import { STREAM_BUFFER_BYTES_MAX, STREAM_BUFFER_MESSAGES_MAX } from "./contract.ts";

interface Entry<T> {
  readonly item: T;
  readonly bytes: number;
}

export class StreamBuffer<T> implements AsyncIterable<T> {
  #entries: Entry<T>[] = [];
  #head = 0;
  #bytes = 0;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  #reader: ((result: "again") => void) | undefined;
  #writers: (() => void)[] = [];
  #taken = false;
  readonly #onLow: () => void;
  readonly #onLeave: () => void;

  /** `onLow`: there is room again. `onLeave`: the reader stopped before the end. */
  constructor(onLow: () => void = () => undefined, onLeave: () => void = () => undefined) {
    this.#onLow = onLow;
    this.#onLeave = onLeave;
  }

  get #length(): number {
    return this.#entries.length - this.#head;
  }

  get isFull(): boolean {
    return this.#length >= STREAM_BUFFER_MESSAGES_MAX || this.#bytes >= STREAM_BUFFER_BYTES_MAX;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** False: it is full now. The message is kept all the same, so a writer may overshoot by one. */
  push(item: T, bytes: number): boolean {
    if (this.#closed) return true;
    this.#entries.push({ item, bytes });
    this.#bytes += bytes;
    this.#wakeReader();
    return !this.isFull;
  }

  /** Resolves when there is room, or nothing more will be read. */
  async drained(): Promise<void> {
    while (this.isFull && !this.#closed) await new Promise<void>((resolve) => this.#writers.push(resolve));
  }

  /** Nothing follows. With an error the reader gets it after the messages before it. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure = failure;
    this.#wakeReader();
    this.#wakeWriters();
  }

  /** Drops what was not read and fails the reader now. */
  abort(error: unknown): void {
    this.#drop();
    this.#failure = { error };
    this.#closed = true;
    this.#wakeReader();
    this.#wakeWriters();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    assert(!this.#taken, "a stream is read once");
    this.#taken = true;
    return { next: () => this.#next(), return: () => this.#leave() };
  }

  async #next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const entry = this.#entries[this.#head];
      if (entry !== undefined) return { value: this.#take(entry), done: false };
      if (this.#closed) {
        const failure = this.#failure;
        this.#failure = undefined;
        if (failure !== undefined) throw failure.error;
        return { value: undefined, done: true };
      }
      await new Promise<"again">((resolve) => (this.#reader = resolve));
    }
  }

  #take(entry: Entry<T>): T {
    const wasFull = this.isFull;
    this.#entries[this.#head] = undefined as unknown as Entry<T>;
    this.#head += 1;
    this.#bytes -= entry.bytes;
    if (this.#head === this.#entries.length) {
      this.#entries = [];
      this.#head = 0;
    }
    if (wasFull && !this.isFull) {
      this.#wakeWriters();
      this.#onLow();
    }
    return entry.item;
  }

  async #leave(): Promise<IteratorResult<T, undefined>> {
    const early = !this.#closed || this.#length > 0;
    this.#drop();
    this.#failure = undefined;
    this.#closed = true;
    this.#wakeReader();
    this.#wakeWriters();
    if (early) this.#onLeave();
    return { value: undefined, done: true };
  }

  #drop(): void {
    this.#entries = [];
    this.#head = 0;
    this.#bytes = 0;
  }

  #wakeReader(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.("again");
  }

  #wakeWriters(): void {
    const writers = this.#writers;
    if (writers.length === 0) return;
    this.#writers = [];
    for (const wake of writers) wake();
  }
}
