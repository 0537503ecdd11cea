/** What goes out on a stream, at the pace of its reader. One reader; its writers wait while it is full. */
/** Messages that may wait for the reader. */
export const WAITING_MAX = 64;

export class Outbox<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #ended = false;
  #wakeReader: (() => void) | null = null;
  #wakeWriters: (() => void)[] = [];
  readonly #onLeave: () => void;

  /** `onLeave`: the reader is gone, whatever else is written is dropped. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  /** A promise when the writer has to wait for room. */
  push(message: T): Promise<void> | undefined {
    if (this.#ended) return undefined;
    this.#waiting.push(message);
    this.#wake();
    if (this.#waiting.length < WAITING_MAX) return undefined;
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  /** Nothing follows. */
  end(): void {
    this.#ended = true;
    this.#wake();
    this.#letWriters();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#letWriters();
        for (const message of batch) yield message;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    } finally {
      this.end();
      this.#waiting = [];
      this.#onLeave();
    }
  }

  #wake(): void {
    const wake = this.#wakeReader;
    this.#wakeReader = null;
    wake?.();
  }

  #letWriters(): void {
    const writers = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of writers) wake();
  }
}
