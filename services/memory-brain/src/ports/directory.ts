/** The directory of Spaces, and who of the workers lives. Every change is one atomic write of one row. */

/** Who holds a Space. `claim` is random: it tells a taker whether the hold is its own. */
export interface Hold {
  readonly worker: string;
  readonly epoch: number;
  readonly claim: string;
}

export interface SpaceRow {
  readonly id: string;
  readonly tenant: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly public: boolean;
  readonly tier: number;
  readonly tierUpdatedAt: number;
  readonly shard: number;
  readonly createdAt: number;
  /** It is being loaded from a dump, and not there yet; or being removed, and not there any more. */
  readonly loading: boolean;
  /** The highest epoch so far, also while nobody holds it. */
  readonly epoch: number;
  readonly hold: Hold | null;
  /** Random: tells a creator whether the row is its own. */
  readonly creation: string;
}

export type SpaceChange = Partial<
  Pick<SpaceRow, "name" | "description" | "public" | "tier" | "tierUpdatedAt" | "loading">
>;

export interface WorkerBeat {
  readonly worker: string;
  readonly count: number;
  /** Where it serves gRPC; empty when nothing reaches it. */
  readonly address: string;
  readonly shard: number;
}

export interface Directory {
  /** A repeated creation (the same `creation`) is told `created` again. */
  create(row: SpaceRow): Promise<"created" | "exists">;
  get(id: string): Promise<SpaceRow | null>;
  /** By id, after the given one; those that are being loaded are left out. */
  list(tenant: string, after: string, limit: number): Promise<SpaceRow[]>;
  /** The row as it is after the change; null without one, or where it is of another creation than the given one. */
  update(id: string, change: SpaceChange, creation?: string): Promise<SpaceRow | null>;
  /** Removes that very row: one that took its place since stays. */
  remove(row: Pick<SpaceRow, "id" | "creation">): Promise<void>;
  countByShard(): Promise<ReadonlyMap<number, number>>;
  /** Puts `next` in the place of `expected`. False: somebody was faster. A repeated take is told true again. */
  take(id: string, expected: Hold | null, next: Hold): Promise<boolean>;
  /** Lets go, and puts the Space on the shard if one is given. False: the hold is no longer this one. */
  release(id: string, hold: Hold, shard?: number): Promise<boolean>;
  /** Spaces that the worker holds, by id. */
  heldBy(worker: string, limit: number): Promise<SpaceRow[]>;

  writeBeat(beat: WorkerBeat): Promise<void>;
  readBeats(): Promise<WorkerBeat[]>;
  deleteBeat(worker: string): Promise<void>;
}
