/** A stream of bytes in frames that a message can carry. */
import { MainspringError } from "@mainspring/kernel";

/** Largest dump that is loaded, 64 GiB. */
export const DUMP_BYTES_MAX = 64 * 1024 ** 3;
export const FRAME_BYTES_MAX = 1024 * 1024;

/** Frames of at most FRAME_BYTES_MAX, as fast as they are taken. Throws `invalid_argument` past `bytesMax`. */
export async function* framesOf(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax = DUMP_BYTES_MAX,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > bytesMax) {
      throw new MainspringError("invalid_argument", `a dump holds at most ${bytesMax} bytes`, {
        reason: "body_too_large",
      });
    }
    for (let at = 0; at < chunk.length; at += FRAME_BYTES_MAX) yield chunk.subarray(at, at + FRAME_BYTES_MAX);
  }
}
