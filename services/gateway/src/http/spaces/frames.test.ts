import { expect, test } from "vitest";

import { FRAME_BYTES_MAX, framesOf } from "./frames.ts";

async function* chunksOf(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) yield new Uint8Array(size).fill(index + 1);
}

async function all(frames: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const list: Uint8Array[] = [];
  for await (const frame of frames) list.push(frame);
  return list;
}

test("chunks of any size become frames that fit, with every byte in its place", async () => {
  const sizes = [3, 2 * FRAME_BYTES_MAX + 5, 0, FRAME_BYTES_MAX];
  const frames = await all(framesOf(chunksOf(...sizes)));
  expect(Math.max(...frames.map(({ length }) => length))).toBe(FRAME_BYTES_MAX);
  const whole = Buffer.concat(await all(chunksOf(...sizes)));
  expect(Buffer.concat(frames).equals(whole)).toBe(true);
});

test("what is larger than a dump may be is broken off", async () => {
  await expect(all(framesOf(chunksOf(4, 4, 4), 11))).rejects.toMatchObject({ reason: "body_too_large" });
  expect(await all(framesOf(chunksOf(4, 4, 3), 11))).toHaveLength(3);
});
