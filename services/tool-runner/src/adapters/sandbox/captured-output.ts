/** Takes all that a command writes and keeps as much as is allowed: a flood is counted, never held. */
import type { Readable } from "node:stream";

import type { CapturedStream } from "../../ports/sandbox.ts";

/** Bytes of one stream that are kept, 8 MiB. */
export const KEPT_BYTES_MAX = 8 * 1024 * 1024;

export class CapturedOutput {
  readonly #parts: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(stream: Readable) {
    stream.on("data", (part: Buffer) => this.#take(part));
    // A stream that breaks has ended; what came before it counts.
    stream.on("error", () => undefined);
  }

  #take(part: Buffer): void {
    this.#total += part.length;
    const room = KEPT_BYTES_MAX - this.#kept;
    if (room <= 0) return;
    const kept = part.length <= room ? part : part.subarray(0, room);
    this.#parts.push(kept);
    this.#kept += kept.length;
  }

  result(): CapturedStream {
    return { bytes: Buffer.concat(this.#parts, this.#kept), totalBytes: this.#total };
  }
}

export const NO_OUTPUT: CapturedStream = { bytes: new Uint8Array(), totalBytes: 0 };

export function outputOf(text: string): CapturedStream {
  const bytes = new TextEncoder().encode(text);
  return { bytes, totalBytes: bytes.length };
}
