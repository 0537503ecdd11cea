/** Exponential back-off as a pure function of the attempt and one random number. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Share of the delay that is random, 0 to 1. Default 0.25. */
  readonly jitter?: number;
}

/** Delay before retry number `retry` (from 0). `random` is in [0, 1). */
export function backoffMs(policy: BackoffPolicy, retry: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(retry, 30));
  const jitter = policy.jitter ?? 0.25;
  return Math.round(full * (1 - jitter) + full * jitter * random);
}
