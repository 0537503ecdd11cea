import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";

import { expect, test } from "vitest";

import { CapturedOutput, HEAD_BYTES_MAX, TAIL_BYTES_MAX } from "./captured-output.ts";

const KEPT = HEAD_BYTES_MAX + TAIL_BYTES_MAX;

/** Byte i is i mod 251, so that a byte in the wrong place shows. */
function pattern(length: number, from = 0): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => (from + index) % 251));
}

async function captured(total: number, part: number) {
  const stream = new PassThrough();
  const output = new CapturedOutput(stream);
  const whole = pattern(total);
  for (let at = 0; at < total; at += part) stream.write(whole.subarray(at, at + part));
  stream.end();
  await finished(stream);
  return { ...output.result(), whole };
}

test.each([0, 10, HEAD_BYTES_MAX, HEAD_BYTES_MAX + 5, KEPT])("%i bytes are kept whole", async (total) => {
  const { bytes, whole, totalBytes } = await captured(total, 60_001);
  expect(totalBytes).toBe(total);
  expect(Buffer.compare(bytes as Buffer, whole)).toBe(0);
});

test.each([60_001, TAIL_BYTES_MAX, KEPT + 3])(
  "of a flood in parts of %i the first and the last are kept",
  async (part) => {
    const total = KEPT * 2 + 77;
    const { bytes, gapAt, totalBytes, whole } = await captured(total, part);
    expect([totalBytes, bytes.length, gapAt]).toEqual([total, KEPT, HEAD_BYTES_MAX]);
    expect(Buffer.compare(bytes.subarray(0, gapAt) as Buffer, whole.subarray(0, gapAt))).toBe(0);
    expect(Buffer.compare(bytes.subarray(gapAt) as Buffer, whole.subarray(total - TAIL_BYTES_MAX))).toBe(0);
  },
);
