/** Time, passed in so that it can be virtual. */
export type CancelTimer = () => void;

export interface Clock {
  /** Unix milliseconds. May jump; never compared between machines. */
  now(): number;
  /** Milliseconds that only go forward, for durations within this process. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`. */
  after(delayMs: number, run: () => void): CancelTimer;
}

/** Longest delay of one timer; longer waits are cut to it and looked at again. */
export const TIMER_DELAY_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), TIMER_DELAY_MAX_MS));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or rejects with the signal's reason when it aborts first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal!.reason as Error);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
