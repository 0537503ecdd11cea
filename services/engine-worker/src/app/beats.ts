/**
 * Who lives. Each process raises its own row; another is dead once *this* process has seen its row unchanged for the
 * lease, on its own monotonic clock. Wall clocks of two machines are never compared.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";

export interface BeatRow {
  readonly id: string;
  readonly count: number;
}

/** Pure: what has been seen of others' beats. */
export class BeatWatch {
  readonly #seen = new Map<string, { count: number; sinceMs: number }>();
  readonly #leaseMs: number;
  readonly #aloneProof: boolean;

  /** `aloneProof`: the lock on the data directory proves that nobody else lives, so every other is dead at once. */
  constructor(leaseMs: number, aloneProof = false) {
    this.#leaseMs = leaseMs;
    this.#aloneProof = aloneProof;
  }

  observe(rows: readonly BeatRow[], monotonicMs: number): void {
    for (const { id, count } of rows) {
      if (this.#seen.get(id)?.count !== count) this.#seen.set(id, { count, sinceMs: monotonicMs });
    }
  }

  /** A holder without a row is watched from the moment it is first asked for. */
  isDead(id: string, monotonicMs: number): boolean {
    if (this.#aloneProof) return true;
    const seen = this.#seen.get(id);
    if (seen === undefined) {
      this.#seen.set(id, { count: -1, sinceMs: monotonicMs });
      return false;
    }
    return monotonicMs - seen.sinceMs >= this.#leaseMs;
  }

  forget(id: string): void {
    this.#seen.delete(id);
  }

  dead(monotonicMs: number): string[] {
    return [...this.#seen.keys()].filter((id) => this.isDead(id, monotonicMs));
  }
}

/** Calls `beat` with a rising count every `everyMs`, one at a time, until stopped. A failing beat is tried next time. */
export function startBeating(clock: Clock, everyMs: number, beat: (count: number) => Promise<void>): CancelTimer {
  let count = 0;
  let cancel: CancelTimer = () => undefined;
  let stopped = false;
  const run = (): void => {
    count += 1;
    beat(count)
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancel = clock.after(everyMs, run);
      });
  };
  run();
  return () => {
    stopped = true;
    cancel();
  };
}
