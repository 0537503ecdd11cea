/**
 * Takes all that a command writes and keeps as much as is allowed, its beginning and its end: a flood is counted, never
 * held.
 */
import type { Readable } from "node:stream";

import type { CapturedStream } from "../../ports/sandbox.ts";

/** First bytes of one stream that are kept, 6 MiB. */
export const HEAD_BYTES_MAX = 6 * 1024 * 1024;
/** Last bytes that are kept of a longer one, 2 MiB. */
export const TAIL_BYTES_MAX = 2 * 1024 * 1024;

export class CapturedOutput {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  readonly #tail = new Ring(TAIL_BYTES_MAX);
  #total = 0;

  constructor(stream: Readable) {
    stream.on("data", (part: Buffer) => this.#take(part));
    // A stream that breaks has ended; what came before it counts.
    stream.on("error", () => undefined);
  }

  #take(part: Buffer): void {
    this.#total += part.length;
    const room = HEAD_BYTES_MAX - this.#headBytes;
    const first = part.subarray(0, room);
    if (first.length > 0) this.#head.push(first);
    this.#headBytes += first.length;
    if (first.length < part.length) this.#tail.push(part.subarray(first.length));
  }

  result(): CapturedStream {
    const bytes = Buffer.concat([...this.#head, this.#tail.bytes()]);
    return { bytes, gapAt: this.#headBytes, totalBytes: this.#total };
  }
}

/** The last bytes of what was pushed, in memory that is taken at the first push. */
class Ring {
  readonly #size: number;
  #memory: Buffer | null = null;
  #pushed = 0;

  constructor(size: number) {
    this.#size = size;
  }

  push(part: Buffer): void {
    const memory = (this.#memory ??= Buffer.alloc(this.#size));
    const last = part.subarray(Math.max(0, part.length - this.#size));
    const at = (this.#pushed + part.length - last.length) % this.#size;
    const before = last.copy(memory, at);
    last.copy(memory, 0, before);
    this.#pushed += part.length;
  }

  bytes(): Buffer {
    if (this.#memory === null) return Buffer.alloc(0);
    const at = this.#pushed % this.#size;
    if (this.#pushed <= this.#size) return this.#memory.subarray(0, this.#pushed);
    return Buffer.concat([this.#memory.subarray(at), this.#memory.subarray(0, at)]);
  }
}

export const NO_OUTPUT: CapturedStream = { bytes: new Uint8Array(), gapAt: 0, totalBytes: 0 };

export function outputOf(text: string): CapturedStream {
  const bytes = new TextEncoder().encode(text);
  return { bytes, gapAt: bytes.length, totalBytes: bytes.length };
}
