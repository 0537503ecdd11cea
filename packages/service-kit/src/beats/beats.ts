/**
 * Who lives. Each process raises its own row; another is dead once *this* process has seen its row unchanged for the
 * lease, on its own monotonic clock. Wall clocks of two machines are never compared.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";

export interface BeatRow {
  readonly id: string;
  readonly count: number;
}

/** What has been seen of others' beats. Time in which nothing could be seen counts for nobody's death. */
export class BeatWatch {
  readonly #seen = new Map<string, { count: number; sinceMs: number }>();
  readonly #leaseMs: number;
  readonly #aloneProof: boolean;
  #observedMs = -Infinity;

  /** `aloneProof`: the lock on the data directory proves that nobody else lives, so every other is dead at once. */
  constructor(leaseMs: number, aloneProof = false) {
    this.#leaseMs = leaseMs;
    this.#aloneProof = aloneProof;
  }

  /** One successful look. A look that comes late (the store was away, this process slept) starts every lease anew. */
  observe(rows: readonly BeatRow[], monotonicMs: number): void {
    const blind = monotonicMs - this.#observedMs > this.#leaseMs / 2;
    this.#observedMs = monotonicMs;
    if (blind) for (const seen of this.#seen.values()) seen.sinceMs = monotonicMs;
    for (const { id, count } of rows) {
      if (this.#seen.get(id)?.count !== count) this.#seen.set(id, { count, sinceMs: monotonicMs });
    }
  }

  /** A process without a row is watched from the moment it is first asked for. Never ask for oneself. */
  isDead(id: string): boolean {
    if (this.#aloneProof) return true;
    const seen = this.#seen.get(id);
    if (seen !== undefined) return this.#observedMs - seen.sinceMs >= this.#leaseMs;
    if (this.#observedMs > -Infinity) this.#seen.set(id, { count: -1, sinceMs: this.#observedMs });
    return false;
  }

  forget(id: string): void {
    this.#seen.delete(id);
  }
}

export interface BeatingOptions {
  readonly everyMs: number;
  /** Called with true when no beat was written for `fenceMs`, with false when one is again. Default: not called. */
  readonly fenceMs?: number;
  readonly onFence?: (fenced: boolean) => void;
}

/** Calls `beat` with a rising count, one at a time, until stopped. A beat that fails is tried again at its next time. */
export function startBeating(
  clock: Clock,
  options: BeatingOptions,
  beat: (count: number) => Promise<void>,
): CancelTimer {
  const { everyMs, fenceMs = Infinity, onFence } = options;
  let count = 0;
  let writtenMs = clock.monotonicMs();
  let fenced = false;
  let stopped = false;
  let cancelBeat: CancelTimer = () => undefined;
  let cancelFence: CancelTimer = () => undefined;
  const guard = (): void => {
    if (stopped || fenceMs === Infinity) return;
    cancelFence();
    const left = writtenMs + fenceMs - clock.monotonicMs();
    if (left > 0) cancelFence = clock.after(left, guard);
    else if (!fenced) {
      fenced = true;
      onFence?.(true);
    }
  };
  const run = (): void => {
    count += 1;
    const startedMs = clock.monotonicMs();
    guard();
    beat(count)
      .then(() => {
        writtenMs = startedMs;
        if (fenced && clock.monotonicMs() - startedMs < fenceMs) {
          fenced = false;
          onFence?.(false);
        }
        guard();
      })
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancelBeat = clock.after(everyMs, run);
      });
  };
  run();
  return () => {
    stopped = true;
    cancelBeat();
    cancelFence();
  };
}
