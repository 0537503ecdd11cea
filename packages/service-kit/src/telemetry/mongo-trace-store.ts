/** Recent traces in MongoDB, shared by all processes of a deployment. */
import type { Collection } from "mongodb";

import type { MongoConnection } from "../mongo/mongo-connection.ts";
import { MongoStore } from "../mongo/mongo-connection.ts";
import type { SpanRecord, TraceStore } from "./trace-store.ts";
import { SPANS_PER_TRACE_MAX } from "./trace-store.ts";

type SpanDocument = { readonly _id: string } & Omit<SpanRecord, "attributes"> & { readonly attributes: string };

export class MongoTraceStore implements TraceStore {
  readonly #store: MongoStore<Collection<SpanDocument>>;

  constructor(connection: MongoConnection) {
    this.#store = new MongoStore(connection, async ({ db }) => {
      // A lost span is no loss of work: nobody waits for a journal.
      const spans = db.collection<SpanDocument>("spans", { writeConcern: { w: 1, journal: false } });
      await spans.createIndex({ traceId: 1 });
      await spans.createIndex({ startMs: 1 });
      return spans;
    });
  }

  async put(records: readonly SpanRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#store.use(async (spans) => {
      const writes = records.map((record) => {
        const { traceId, spanId, attributes } = record;
        const _id = `${traceId}/${spanId}`;
        const replacement = { ...record, attributes: JSON.stringify(attributes) };
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      });
      await spans.bulkWrite(writes, { ordered: false });
    });
  }

  async read(traceId: string, tenant: string): Promise<SpanRecord[]> {
    return this.#store.use(async (spans) => {
      const found = spans.find({ traceId, tenant }, { projection: { _id: 0 } });
      const documents = await found.sort({ startMs: 1 }).limit(SPANS_PER_TRACE_MAX).toArray();
      return documents.map((document) => {
        const { attributes, ...rest } = document as Omit<SpanDocument, "_id">;
        return { ...rest, attributes: JSON.parse(attributes) as SpanRecord["attributes"] };
      });
    });
  }

  /** By age only: every process prunes, and a count of a large collection is a scan. */
  async prune(beforeMs: number): Promise<void> {
    await this.#store.use(async (spans) => void (await spans.deleteMany({ startMs: { $lt: beforeMs } })));
  }
}
