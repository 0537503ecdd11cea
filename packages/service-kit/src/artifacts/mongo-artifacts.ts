/**
 * Artifacts in MongoDB, in chunks `<tenant hash>/<digest>/<i>`. Chunk 0 is written last and knows how many there
 * are: an artifact is there when its chunk 0 is.
 */
import { MainspringError } from "@mainspring/kernel";
import { Binary } from "mongodb";
import type { Collection } from "mongodb";

import { MongoStore } from "../mongo/mongo-connection.ts";
import type { MongoConnection } from "../mongo/mongo-connection.ts";
import { isDuplicateKey } from "../mongo/mongo-errors.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { checkArtifactSize, isDigest, sha256, tenantKey, verified } from "./digest.ts";

export const CHUNK_BYTES_MAX = 1024 * 1024;
/** Chunks read with one operation: below the largest message of the protocol. */
const CHUNKS_PER_READ = 8;

interface Chunk {
  readonly _id: string;
  readonly bytes: Binary;
  /** In chunk 0: how many chunks there are. */
  readonly count?: number;
}

export class MongoArtifacts implements ArtifactStore {
  readonly #store: MongoStore<Collection<Chunk>>;

  constructor(connection: MongoConnection) {
    this.#store = new MongoStore(connection, async (database) => database.collection<Chunk>("artifact_chunks"));
  }

  async put(tenant: string, bytes: Uint8Array): Promise<string> {
    checkArtifactSize(bytes);
    const digest = await sha256(bytes);
    const key = `${tenantKey(tenant)}/${digest}`;
    await this.#store.use(async (chunks) => {
      if ((await chunks.findOne({ _id: `${key}/0` }, { projection: { _id: 1 } })) !== null) return;
      const count = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES_MAX));
      for (let index = count - 1; index >= 0; index -= 1) {
        const part = bytes.subarray(index * CHUNK_BYTES_MAX, (index + 1) * CHUNK_BYTES_MAX);
        const chunk = { _id: `${key}/${index}`, bytes: new Binary(part) };
        await insertOnce(chunks, index === 0 ? { ...chunk, count } : chunk);
      }
    });
    return digest;
  }

  async get(tenant: string, digest: string): Promise<Uint8Array | null> {
    if (!isDigest(digest)) return null;
    const key = `${tenantKey(tenant)}/${digest}`;
    const parts = await this.#store.use(async (chunks) => {
      const first = await chunks.findOne({ _id: `${key}/0` });
      if (first === null) return null;
      const read = [first.bytes.value()];
      const count = first.count ?? 1;
      for (let from = 1; from < count; from += CHUNKS_PER_READ) {
        const until = Math.min(from + CHUNKS_PER_READ, count);
        read.push(...(await readChunks(chunks, key, from, until)));
      }
      return read;
    });
    return parts === null ? null : await verified(Buffer.concat(parts), digest);
  }

  async ping(): Promise<void> {
    await this.#store.ping();
  }

  async close(): Promise<void> {
    // The connection is closed by who opened it.
  }
}

/** The same key has the same bytes, whoever wrote it. */
async function insertOnce(chunks: Collection<Chunk>, chunk: Chunk): Promise<void> {
  try {
    await chunks.insertOne(chunk);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

async function readChunks(chunks: Collection<Chunk>, key: string, from: number, until: number): Promise<Uint8Array[]> {
  const ids = Array.from({ length: until - from }, (_, index) => `${key}/${from + index}`);
  const found = new Map<string, Uint8Array>();
  for await (const { _id, bytes } of chunks.find({ _id: { $in: ids } })) found.set(_id, bytes.value());
  return ids.map((id) => {
    const bytes = found.get(id);
    if (bytes === undefined) throw new MainspringError("data_loss", "a part of the stored artifact is missing");
    return bytes;
  });
}
