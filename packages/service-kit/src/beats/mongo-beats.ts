/** Beats in MongoDB, on a connection of their own: a store that is busy with work must not make its workers look dead. */
import type { Collection } from "mongodb";

import type { MongoConnection } from "../mongo/mongo-connection.ts";
import { MongoStore } from "../mongo/mongo-connection.ts";
import type { BeatRow } from "./beats.ts";

interface BeatDocument {
  readonly _id: string;
  readonly count: number;
}

export class MongoBeats {
  readonly #store: MongoStore<Collection<BeatDocument>>;

  constructor(connection: MongoConnection, collection: string) {
    // A beat says that its process lives now; after a crash of the server the next one says it again.
    this.#store = new MongoStore(connection, async ({ db }) =>
      db.collection<BeatDocument>(collection, { writeConcern: { w: 1, journal: false } }),
    );
  }

  write({ id, count }: BeatRow): Promise<void> {
    return this.#store.use(async (beats) => {
      await beats.updateOne({ _id: id }, { $set: { count } }, { upsert: true });
    });
  }

  read(): Promise<BeatRow[]> {
    return this.#store.use(async (beats) => {
      const found = await beats.find().toArray();
      return found.map(({ _id, count }) => ({ id: _id, count }));
    });
  }

  delete(id: string): Promise<void> {
    return this.#store.use(async (beats) => void (await beats.deleteOne({ _id: id })));
  }
}
