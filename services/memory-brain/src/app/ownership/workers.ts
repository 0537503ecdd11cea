/** The memory workers: who lives, where they are reached, and whether this one can know. */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import { BeatWatch, startBeating } from "@mainspring/service-kit";

import type { Directory, SpaceRow, WorkerBeat } from "../../ports/directory.ts";

export const BEAT_EVERY_MS = 250;
export const WATCH_EVERY_MS = 250;
/** A worker whose beat was seen unchanged for this long is dead. */
export const LEASE_MS = 2_000;
/** A worker that could not beat for this long does not say that it knows the newest. */
export const FENCE_MS = LEASE_MS / 2;
/** Longest that a start waits for the first beat. */
const FIRST_BEAT_MS = 2_000;
/** Beats between two looks at what this worker still holds. */
const CHECK_EVERY_BEATS = 4;
/** Spaces of one worker that are looked at together. */
const HELD_MAX = 10_000;

export interface WorkersPorts {
  readonly clock: Clock;
  readonly directory: Directory;
  /** After this worker was out of touch: the Spaces that it still holds. The others are no longer its own. */
  readonly onHeld: (rows: readonly SpaceRow[]) => void;
}

export class Workers {
  readonly id: string;
  readonly shard: number;
  readonly #ports: WorkersPorts;
  readonly #watch = new BeatWatch(LEASE_MS);
  #others: readonly WorkerBeat[] = [];
  #address = "";
  /** When the last beat that was written began. */
  #beat: { readonly atMs: number; readonly at: number } | null = null;
  /** What this worker holds was looked at since it was last out of touch. */
  #checked = true;
  #cancelBeat: CancelTimer = () => undefined;
  #cancelLook: CancelTimer = () => undefined;
  #stopped = false;
  readonly #begun = Promise.withResolvers<void>();

  constructor(id: string, shard: number, ports: WorkersPorts) {
    this.id = id;
    this.shard = shard;
    this.#ports = ports;
  }

  /**
   * Begins to beat; `address` is where the others reach this worker, empty when they cannot. Resolves after the first beat,
   * or after a moment without one.
   */
  async start(address: string): Promise<void> {
    this.#address = address;
    const { clock } = this.#ports;
    this.#cancelBeat = startBeating(clock, { everyMs: BEAT_EVERY_MS }, (count) => this.#write(count));
    const look = (): void => {
      this.#look()
        .catch(() => undefined)
        .finally(() => {
          if (!this.#stopped) this.#cancelLook = clock.after(WATCH_EVERY_MS, look);
        });
    };
    look();
    let cancel: CancelTimer = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = clock.after(FIRST_BEAT_MS, resolve)));
    await Promise.race([this.#begun.promise, late]);
    cancel();
  }

  async #write(count: number): Promise<void> {
    const { clock, directory } = this.#ports;
    const [atMs, at] = [clock.monotonicMs(), clock.now()];
    // What was held before a silence as long as this may be another's by now.
    if (this.#beat !== null && atMs - this.#beat.atMs >= FENCE_MS) this.#checked = false;
    await directory.writeBeat({ worker: this.id, count, address: this.#address, shard: this.shard });
    // From time to time also without a silence: somebody may take late what it once had a right to.
    if (!this.#checked || count % CHECK_EVERY_BEATS === 0) {
      this.#ports.onHeld(await directory.heldBy(this.id, HELD_MAX));
      this.#checked = true;
    }
    this.#beat = { atMs, at };
    this.#begun.resolve();
  }

  async #look(): Promise<void> {
    const { clock, directory } = this.#ports;
    const rows = await directory.readBeats();
    this.#watch.observe(
      rows.map(({ worker, count }) => ({ id: worker, count })),
      clock.monotonicMs(),
    );
    this.#others = rows.filter(({ worker }) => worker !== this.id && !this.#watch.isDead(worker));
    for (const { worker } of rows) {
      if (worker === this.id || !this.#watch.isDead(worker)) continue;
      if ((await directory.heldBy(worker, 1)).length > 0) continue;
      await directory.deleteBeat(worker);
      this.#watch.forget(worker);
    }
  }

  isDead(worker: string): boolean {
    return worker !== this.id && this.#watch.isDead(worker);
  }

  /** Where a living worker is reached; undefined for one that is not known to live. */
  addressOf(worker: string): string | undefined {
    return this.#others.find((other) => other.worker === worker)?.address;
  }

  /** A living worker of the shard that can be reached; null without one. */
  ofShard(shard: number): WorkerBeat | null {
    return this.#others.find((other) => other.shard === shard && other.address !== "") ?? null;
  }

  /** Shards with a living worker, this one's among them; a worker that has just begun counts at once. */
  async liveShards(): Promise<number[]> {
    await this.#look();
    return [...new Set([this.shard, ...this.#others.map(({ shard }) => shard)])];
  }

  /** Unix ms up to which nobody can have taken anything from this worker; null while that is now. */
  staleAsOf(): number | null {
    if (this.#beat === null) return 0;
    return this.#ports.clock.monotonicMs() - this.#beat.atMs < FENCE_MS ? null : this.#beat.at;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelBeat();
    this.#cancelLook();
    await this.#ports.directory.deleteBeat(this.id).catch(() => undefined);
  }
}
