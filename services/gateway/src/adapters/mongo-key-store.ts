/** API keys on MongoDB. `_id`: the key's public name. */
import { isDuplicateKey, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection } from "@mainspring/service-kit";
import type { Collection } from "mongodb";

import type { ApiKey, KeyStore } from "../ports/key-store.ts";

interface KeyDocument extends Omit<ApiKey, "id"> {
  readonly _id: string;
}

export class MongoKeyStore implements KeyStore {
  readonly #store: MongoStore<Collection<KeyDocument>>;

  constructor(connection: MongoConnection) {
    this.#store = new MongoStore(connection, async (database) => {
      const keys = database.collection<KeyDocument>("api_keys");
      await keys.createIndex({ hash: 1 }, { unique: true });
      return keys;
    });
  }

  insert({ id, ...rest }: ApiKey): Promise<void> {
    return this.#store.use(async (keys) => {
      try {
        await keys.insertOne({ _id: id, ...rest });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    });
  }

  findByHash(hash: string): Promise<ApiKey | null> {
    return this.#store.use(async (keys) => {
      const document = await keys.findOne({ hash });
      return document === null ? null : fromDocument(document);
    });
  }

  list(limit: number, tenant: string | null): Promise<ApiKey[]> {
    return this.#store.use(async (keys) => {
      const found = keys.find(tenant === null ? {} : { tenant }).sort({ createdAt: -1 });
      return (await found.limit(limit).toArray()).map(fromDocument);
    });
  }

  revoke(id: string, at: number, tenant: string | null): Promise<boolean> {
    return this.#store.use(async (keys) => {
      const whose = tenant === null ? {} : { tenant };
      const { matchedCount } = await keys.updateOne({ _id: id, revokedAt: 0, ...whose }, { $set: { revokedAt: at } });
      return matchedCount === 1;
    });
  }

  ping(): Promise<void> {
    return this.#store.use(async (keys) => void (await keys.findOne({ _id: "-" })));
  }
}

function fromDocument({ _id, ...rest }: KeyDocument): ApiKey {
  return { id: _id, ...rest };
}
