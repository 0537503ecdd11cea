/** What the two ends of a gRPC connection agree on. */

/** A connection that is silent for KEEPALIVE_TIME_MS is asked, and dead without an answer in KEEPALIVE_TIMEOUT_MS. */
export const KEEPALIVE_TIME_MS = 5_000;
export const KEEPALIVE_TIMEOUT_MS = 5_000;
/** HTTP/2 window of a stream: what a fast writer may have on the way to a slow reader. */
export const FLOW_WINDOW_BYTES = 1024 * 1024;

/** A decoded message with its encoded size. */
export interface Sized {
  readonly message: unknown;
  readonly bytes: number;
}

export function sized(deserialize: (bytes: Buffer) => unknown): (bytes: Buffer) => Sized {
  return (bytes) => ({ message: deserialize(bytes), bytes: bytes.length });
}
