/** What following a stream has in common over HTTP and gRPC: it is opened again until its reader has seen the end. */
import { backoffMs, MainspringError, sleep, systemClock } from "@mainspring/kernel";

import type { EventRow, SessionMessage } from "./views.ts";

const RETRY = { firstMs: 100, maxMs: 2_000, jitter: 0 };
/** Tries in a row without an event before the server counts as gone; about half a minute. */
const RETRIES_MAX = 20;
const ENDS: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled", "run.exhausted"]);

/**
 * Opens a stream again and again: its reader leaves when it has seen the end. Throws what is not `unavailable`, and that too
 * when nothing comes any more. `server`: as the error calls it. `onRetry` hears how often in a row nothing came, from 1.
 */
export async function* persistently<T>(
  server: string,
  open: () => AsyncIterable<T>,
  signal: AbortSignal,
  onRetry: (tries: number) => void = () => undefined,
): AsyncGenerator<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      for await (const event of open()) {
        retry = 0;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof MainspringError) || error.code !== "unavailable" || retry >= RETRIES_MAX) throw error;
    }
    if (retry >= RETRIES_MAX) throw new MainspringError("unavailable", `${server} keeps ending the stream`);
    onRetry(retry + 1);
    await sleep(systemClock, backoffMs(RETRY, retry, 0), signal);
  }
}

/** Whether a stream of this run has nothing after the message; never without a run. */
export function isEndOf(run: string, { event, data }: SessionMessage): boolean {
  return run !== "" && ENDS.has(event) && (data as EventRow).run_id === run;
}
