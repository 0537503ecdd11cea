/** The log of Spaces in MongoDB: a document a record, `<space>/<no>`. What is large lies in parts of at most 1 MiB. */
import { MainspringError } from "@mainspring/kernel";
import { isDuplicateKey, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection } from "@mainspring/service-kit";
import { Binary } from "mongodb";
import type { Collection } from "mongodb";

import type { LogRecord, Snapshot, SpaceLog } from "../ports/space-log.ts";
import { LOG_PART_BYTES_MAX } from "../ports/space-log.ts";

interface RecordDocument {
  readonly _id: string;
  readonly space: string;
  readonly no: number;
  readonly commit: string;
  readonly epoch: number;
  readonly erased: boolean;
  /** The patch is here or in parts; where it is in neither, a snapshot has it. */
  readonly patch?: Binary;
  readonly parts?: number;
}

interface PartDocument {
  readonly _id: string;
  readonly space: string;
  /** A snapshot's id, or a record's commit. */
  readonly of: string;
  /** Of a record: its number. Of a snapshot: 0. */
  readonly no: number;
  readonly epoch: number;
  readonly bytes: Binary;
}

interface SnapshotDocument extends Snapshot {
  readonly _id: string;
}

interface Collections {
  readonly records: Collection<RecordDocument>;
  readonly parts: Collection<PartDocument>;
  readonly snapshots: Collection<SnapshotDocument>;
}

const recordId = (space: string, no: number): string => `${space}/${no}`;
const partId = (space: string, of: string, index: number): string => `${space}/${of}/${index}`;

export class MongoSpaceLog implements SpaceLog {
  readonly #store: MongoStore<Collections>;

  constructor(connection: MongoConnection) {
    this.#store = new MongoStore(connection, async (database) => {
      const records = database.collection<RecordDocument>("space_records");
      const parts = database.collection<PartDocument>("space_parts");
      await records.createIndex({ space: 1, no: 1 });
      await parts.createIndex({ space: 1, no: 1 });
      return { records, parts, snapshots: database.collection<SnapshotDocument>("space_snapshots") };
    });
  }

  async append(space: string, appended: LogRecord & { readonly patch: Uint8Array }): Promise<boolean> {
    const { patch, ...record } = appended;
    const base = { _id: recordId(space, record.no), space, ...record };
    const small = patch.length <= LOG_PART_BYTES_MAX;
    const parts = Math.ceil(patch.length / LOG_PART_BYTES_MAX);
    for (let index = 0; !small && index < parts; index += 1) {
      const bytes = patch.subarray(index * LOG_PART_BYTES_MAX, (index + 1) * LOG_PART_BYTES_MAX);
      const { no, epoch, commit: of } = record;
      await this.#putPart({ _id: partId(space, of, index), space, of, no, epoch, bytes: new Binary(bytes) });
    }
    const document: RecordDocument = small ? { ...base, patch: new Binary(patch) } : { ...base, parts };
    return this.#store.use(async ({ records }) => {
      try {
        await records.insertOne(document);
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const found = await records.findOne({ _id: document._id }, { projection: { commit: 1 } });
        return found?.commit === record.commit;
      }
    });
  }

  async read(space: string, after: number, limit: number): Promise<LogRecord[]> {
    const ids = Array.from({ length: limit }, (_, index) => recordId(space, after + 1 + index));
    const found = await this.#store.use(async ({ records }) => await records.find({ _id: { $in: ids } }).toArray());
    const byNo = new Map(found.map((document) => [document.no, document]));
    const read: LogRecord[] = [];
    for (let no = after + 1; byNo.has(no); no += 1) read.push(await this.#whole(byNo.get(no)!));
    return read;
  }

  async #whole({ space, no, commit, epoch, erased, patch, parts }: RecordDocument): Promise<LogRecord> {
    const record = { no, commit, epoch, erased };
    if (patch !== undefined) return { ...record, patch: patch.value() };
    if (parts === undefined) return { ...record, patch: null };
    const read: Uint8Array[] = [];
    for (let index = 0; index < parts; index += 1) read.push(await this.readPart(space, commit, index));
    return { ...record, patch: Buffer.concat(read) };
  }

  snapshot(space: string): Promise<Snapshot | null> {
    return this.#store.use(async ({ snapshots }) => {
      const found = await snapshots.findOne({ _id: space });
      if (found === null) return null;
      const { _id, ...snapshot } = found;
      return snapshot;
    });
  }

  writePart(space: string, of: Pick<Snapshot, "id" | "epoch">, index: number, bytes: Uint8Array): Promise<void> {
    const { id, epoch } = of;
    return this.#putPart({ _id: partId(space, id, index), space, of: id, no: 0, epoch, bytes: new Binary(bytes) });
  }

  #putPart(document: PartDocument): Promise<void> {
    return this.#store.use(async ({ parts }) => {
      try {
        await parts.insertOne(document);
      } catch (error) {
        // The same name has the same bytes.
        if (!isDuplicateKey(error)) throw error;
      }
    });
  }

  readPart(space: string, id: string, index: number): Promise<Uint8Array> {
    return this.#store.use(async ({ parts }) => {
      const found = await parts.findOne({ _id: partId(space, id, index) });
      if (found === null) throw new MainspringError("aborted", "a part of the Space's log is gone", { retry: "safe" });
      return found.bytes.value();
    });
  }

  publish(space: string, snapshot: Snapshot): Promise<boolean> {
    return this.#store.use(async ({ snapshots }) => {
      const replaced = await snapshots.updateOne({ _id: space, no: { $lt: snapshot.no } }, { $set: snapshot });
      if (replaced.matchedCount === 1) return true;
      try {
        await snapshots.insertOne({ _id: space, ...snapshot });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await snapshots.findOne({ _id: space }))?.id === snapshot.id;
      }
    });
  }

  truncate(space: string, { no, id, epoch }: Snapshot, before: Snapshot | null): Promise<void> {
    return this.#store.use(async ({ records, parts }) => {
      const old = { space, no: { $gte: before?.no ?? 1, $lt: no } };
      await records.updateMany(old, { $unset: { patch: "", parts: "" } });
      await parts.deleteMany({ space, no: { $gt: 0, $lt: no } });
      if (before !== null) await parts.deleteMany({ space, no: 0, of: before.id });
      await parts.deleteMany({ space, no: 0, epoch: { $lt: epoch }, of: { $ne: id } });
    });
  }

  remove(space: string): Promise<void> {
    return this.#store.use(async ({ records, parts, snapshots }) => {
      await snapshots.deleteOne({ _id: space });
      await records.deleteMany({ space });
      await parts.deleteMany({ space });
    });
  }
}
