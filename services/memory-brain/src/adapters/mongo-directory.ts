/** The directory on MongoDB: one document a Space, changed by single atomic writes. */
import { isDuplicateKey, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection } from "@mainspring/service-kit";
import type { Collection, Filter } from "mongodb";

import type { Directory, Hold, SpaceChange, SpaceRow, WorkerBeat } from "../ports/directory.ts";

interface SpaceDocument extends Omit<SpaceRow, "id"> {
  readonly _id: string;
}

interface BeatDocument extends Omit<WorkerBeat, "worker"> {
  readonly _id: string;
}

export class MongoDirectory implements Directory {
  readonly #store: MongoStore<{ readonly spaces: Collection<SpaceDocument> }>;
  readonly #beats: MongoStore<Collection<BeatDocument>>;

  /** `beats`: a connection of their own, so that a store that is busy makes no worker look dead. */
  constructor(connection: MongoConnection, beats: MongoConnection) {
    this.#store = new MongoStore(connection, async (database) => {
      const spaces = database.collection<SpaceDocument>("spaces");
      await spaces.createIndex({ tenant: 1, _id: 1 });
      await spaces.createIndex({ "hold.worker": 1, _id: 1 });
      return { spaces };
    });
    // A beat says that its process lives now; after a crash of the server the next one says it again.
    this.#beats = new MongoStore(beats, async ({ db }) =>
      db.collection<BeatDocument>("space_workers", { writeConcern: { w: 1, journal: false } }),
    );
  }

  create({ id, ...row }: SpaceRow): Promise<"created" | "exists"> {
    return this.#store.use(async ({ spaces }) => {
      try {
        await spaces.insertOne({ _id: id, ...row });
        return "created";
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const found = await spaces.findOne({ _id: id });
        return found?.creation === row.creation ? "created" : "exists";
      }
    });
  }

  get(id: string): Promise<SpaceRow | null> {
    return this.#store.use(async ({ spaces }) => {
      const found = await spaces.findOne({ _id: id });
      return found === null ? null : rowOf(found);
    });
  }

  list(tenant: string, after: string, limit: number): Promise<SpaceRow[]> {
    return this.#find({ tenant, _id: { $gt: after }, loading: false }, limit);
  }

  update(id: string, change: SpaceChange, creation?: string): Promise<SpaceRow | null> {
    const row = { _id: id, ...(creation === undefined ? {} : { creation }) };
    return this.#store.use(async ({ spaces }) => {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length > 0) await spaces.updateOne(row, { $set: given });
      const found = await spaces.findOne(row);
      return found === null ? null : rowOf(found);
    });
  }

  remove({ id, creation }: Pick<SpaceRow, "id" | "creation">): Promise<void> {
    return this.#store.use(async ({ spaces }) => void (await spaces.deleteOne({ _id: id, creation })));
  }

  countByShard(): Promise<ReadonlyMap<number, number>> {
    return this.#store.use(async ({ spaces }) => {
      const groups = spaces.aggregate<{ _id: number; spaces: number }>([
        { $group: { _id: "$shard", spaces: { $sum: 1 } } },
      ]);
      return new Map((await groups.toArray()).map((group) => [group._id, group.spaces]));
    });
  }

  take(id: string, expected: Hold | null, next: Hold): Promise<boolean> {
    return this.#store.use(async ({ spaces }) => {
      const before: Filter<SpaceDocument> =
        expected === null ? { _id: id, hold: null } : { _id: id, "hold.claim": expected.claim };
      const change = { $set: { hold: next, epoch: next.epoch } };
      if ((await spaces.updateOne(before, change)).matchedCount === 1) return true;
      return (await spaces.findOne({ _id: id }))?.hold?.claim === next.claim;
    });
  }

  release(id: string, hold: Hold, shard?: number): Promise<boolean> {
    return this.#store.use(async ({ spaces }) => {
      const change = { $set: shard === undefined ? { hold: null } : { hold: null, shard } };
      return (await spaces.updateOne({ _id: id, "hold.claim": hold.claim }, change)).matchedCount === 1;
    });
  }

  heldBy(worker: string, limit: number): Promise<SpaceRow[]> {
    return this.#find({ "hold.worker": worker }, limit);
  }

  writeBeat({ worker, ...beat }: WorkerBeat): Promise<void> {
    return this.#beats.use(
      async (workers) => void (await workers.updateOne({ _id: worker }, { $set: beat }, { upsert: true })),
    );
  }

  readBeats(): Promise<WorkerBeat[]> {
    return this.#beats.use(async (workers) => {
      const found = await workers.find().toArray();
      return found.map(({ _id, ...beat }) => ({ worker: _id, ...beat }));
    });
  }

  deleteBeat(worker: string): Promise<void> {
    return this.#beats.use(async (workers) => void (await workers.deleteOne({ _id: worker })));
  }

  #find(filter: Filter<SpaceDocument>, limit: number): Promise<SpaceRow[]> {
    return this.#store.use(async ({ spaces }) => {
      const found = await spaces.find(filter).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(rowOf);
    });
  }
}

function rowOf({ _id, ...row }: SpaceDocument): SpaceRow {
  return { id: _id, ...row };
}
