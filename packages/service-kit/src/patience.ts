/** Trying again while a store or a peer is out of reach. */
import type { Clock } from "@mainspring/kernel";
import { backoffMs, MainspringError, sleep } from "@mainspring/kernel";

const RETRY = { firstMs: 20, maxMs: 1_000, jitter: 0 };

/** Whether trying again may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof MainspringError && error.code === "unavailable";
}

/**
 * Runs `attempt` until it does not fail as unavailable. Bounded by the signal: it rejects with the signal's reason when
 * that aborts. `attempt` must find out by itself whether an earlier try took effect.
 */
export async function persist<T>(clock: Clock, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(clock, backoffMs(RETRY, retry, 0), signal);
    }
  }
}
