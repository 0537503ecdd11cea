/** The session store on MongoDB: one single-document operation a method (keyed reads of at most 64 count as one). */
import { assert } from "@mainspring/kernel";
import { isDuplicateKey, MongoBeats, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection } from "@mainspring/service-kit";
import type { Filter } from "mongodb";

import type { Commit, Mail } from "../domain/records.ts";
import { KEYS_PER_READ_MAX } from "../ports/session-store.ts";
import type {
  Beat,
  Head,
  HeadBump,
  HeadPatch,
  ListHeads,
  PartialOutput,
  SessionStore,
  Snapshot,
} from "../ports/session-store.ts";
import {
  commitId,
  fromCommitDocument,
  fromHeadDocument,
  fromMailDocument,
  mailId,
  prepareSessionCollections,
  snapshotId,
  toCommitDocument,
  toHeadDocument,
  toMailDocument,
} from "./mongo-session-documents.ts";
import type { HeadDocument, SessionCollections } from "./mongo-session-documents.ts";
import { withoutHole } from "./without-hole.ts";

/** A mailbox rarely has more that is new; each key asked for in vain costs a look-up. */
const MAIL_FIRST_READ = 4;

export class MongoSessionStore implements SessionStore {
  readonly #store: MongoStore<SessionCollections>;
  readonly #beats: MongoBeats;

  constructor(connection: MongoConnection, beats: MongoConnection) {
    this.#store = new MongoStore(connection, prepareSessionCollections);
    this.#beats = new MongoBeats(beats, "worker_beats");
  }

  insertCommit(commit: Commit): Promise<"inserted" | "duplicate"> {
    return this.#store.use(async ({ commits }) => await insertOnce(commits.insertOne(toCommitDocument(commit))));
  }

  readCommits(session: string, fromN: number, count: number): Promise<Commit[]> {
    return this.#store.use(async ({ commits }) => {
      const ids = keys(count, (index) => commitId(session, fromN + index));
      const found = await commits.find({ _id: { $in: ids } }, { batchSize: KEYS_PER_READ_MAX + 1 }).toArray();
      return withoutHole(found, fromN, (document) => document.n).map(fromCommitDocument);
    });
  }

  insertMail(mail: Mail): Promise<"inserted" | "duplicate_post" | "duplicate_number"> {
    return this.#store.use(async (collections) => {
      const inserted = await insertOnce(collections.mail.insertOne(toMailDocument(mail)));
      if (inserted === "inserted") return inserted;
      // Rows of the mailbox never go away, so the second look sees what refused the first.
      const { session, postId } = mail;
      const post = await collections.mail.findOne({ session, postId }, { projection: { _id: 1 } });
      return post === null ? "duplicate_number" : "duplicate_post";
    });
  }

  findMailByPost(session: string, postId: string): Promise<Mail | null> {
    return this.#store.use(async ({ mail }) => {
      const document = await mail.findOne({ session, postId });
      return document === null ? null : fromMailDocument(document);
    });
  }

  async readMail(session: string, fromK: number, count: number): Promise<Mail[]> {
    // Rows are only ever added, and without a hole, so two reads see a state that was.
    const first = await this.#readMailKeys(session, fromK, Math.min(count, MAIL_FIRST_READ));
    if (first.length < MAIL_FIRST_READ || count === first.length) return first;
    const rest = await this.#readMailKeys(session, fromK + first.length, count - first.length);
    return [...first, ...rest];
  }

  dropMailBodies(session: string, throughK: number): Promise<void> {
    return this.#store.use(async ({ mail }) => {
      // Downwards, until a batch that was emptied before.
      for (let k = throughK; k > 0; k -= KEYS_PER_READ_MAX) {
        const ids = keys(Math.min(k, KEYS_PER_READ_MAX), (index) => mailId(session, k - index));
        const emptied = await mail.updateMany({ _id: { $in: ids }, body: { $ne: null } }, { $set: { body: null } });
        if (emptied.modifiedCount === 0) return;
      }
    });
  }

  insertHead(head: Head): Promise<"inserted" | "duplicate"> {
    return this.#store.use(async ({ heads }) => await insertOnce(heads.insertOne(toHeadDocument(head))));
  }

  readHead(session: string): Promise<Head | null> {
    return this.#store.use(async ({ heads }) => headOrNull(await heads.findOne({ _id: session })));
  }

  bumpHead(session: string, { wakeAt, mailHint, updatedAt }: HeadBump): Promise<Head | null> {
    return this.#store.use(async ({ heads }) => {
      const change = { $inc: { gen: 1 }, $min: { wakeAt }, $max: { mailHint, updatedAt } };
      return headOrNull(await heads.findOneAndUpdate({ _id: session }, change, { returnDocument: "after" }));
    });
  }

  casHead(session: string, expectedGen: number, patch: HeadPatch): Promise<boolean> {
    return this.#store.use(async ({ heads }) => {
      const holder = patch.hold === undefined ? {} : { holder: patch.hold?.worker ?? "" };
      const change = { $set: { ...patch, ...holder, gen: expectedGen + 1 } };
      const { matchedCount } = await heads.updateOne({ _id: session, gen: expectedGen }, change);
      return matchedCount === 1;
    });
  }

  scanDueHeads(now: number, limit: number): Promise<Head[]> {
    const due = { holder: "", wakeAt: { $lte: now }, status: { $nin: ["quarantined", "deleted"] } };
    return this.#store.use(async ({ heads }) => {
      const found = await heads.find(due).sort({ wakeAt: 1 }).limit(limit).toArray();
      return found.map(fromHeadDocument);
    });
  }

  scanHeadsHeldBy(worker: string, limit: number): Promise<Head[]> {
    if (worker === "") return Promise.resolve([]);
    return this.#store.use(async ({ heads }) => {
      const found = await heads.find({ holder: worker }).limit(limit).toArray();
      return found.map(fromHeadDocument);
    });
  }

  listHeads({ tenant, before, limit }: ListHeads): Promise<Head[]> {
    const filter: Filter<HeadDocument> = { tenant, status: { $ne: "deleted" } };
    if (before !== null) {
      const { createdAt, session } = before;
      filter.$or = [{ createdAt: { $lt: createdAt } }, { createdAt, session: { $lt: session } }];
    }
    return this.#store.use(async ({ heads }) => {
      const found = await heads.find(filter).sort({ createdAt: -1, session: -1 }).limit(limit).toArray();
      return found.map(fromHeadDocument);
    });
  }

  writeBeat({ worker, count }: Beat): Promise<void> {
    return this.#beats.write({ id: worker, count });
  }

  async readBeats(): Promise<Beat[]> {
    return (await this.#beats.read()).map(({ id, count }) => ({ worker: id, count }));
  }

  deleteBeat(worker: string): Promise<void> {
    return this.#beats.delete(worker);
  }

  scanHoldingWorkers(limit: number): Promise<string[]> {
    return this.#store.use(async ({ heads }) => {
      const holders = await heads.distinct("holder", { holder: { $gt: "" } });
      return holders.slice(0, limit);
    });
  }

  putSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#store.use(async ({ snapshots }) => {
      const _id = snapshotId(snapshot.session, snapshot.projectorVersion);
      const { n, state } = snapshot;
      const replace = async (): Promise<boolean> =>
        (await snapshots.updateOne({ _id, n: { $lt: n } }, { $set: { n, state } })).matchedCount === 1;
      if (await replace()) return;
      // Not there yet, or one as late is there: the insert tells, and another's insert may be of an earlier one.
      if ((await insertOnce(snapshots.insertOne({ _id, ...snapshot }))) === "duplicate") await replace();
    });
  }

  getSnapshot(session: string, projectorVersion: number): Promise<Snapshot | null> {
    return this.#store.use(async ({ snapshots }) => {
      const found = await snapshots.findOne({ _id: snapshotId(session, projectorVersion) });
      return found === null ? null : { session, projectorVersion, n: found.n, state: found.state };
    });
  }

  putPartial(partial: PartialOutput): Promise<void> {
    return this.#store.use(async ({ partials }) => {
      await partials.replaceOne({ _id: partial.session }, partial, { upsert: true });
    });
  }

  getPartial(session: string): Promise<PartialOutput | null> {
    return this.#store.use(async ({ partials }) => {
      const found = await partials.findOne({ _id: session }, { projection: { _id: 0 } });
      return found;
    });
  }

  #readMailKeys(session: string, fromK: number, count: number): Promise<Mail[]> {
    return this.#store.use(async ({ mail }) => {
      const ids = keys(count, (index) => mailId(session, fromK + index));
      const found = await mail.find({ _id: { $in: ids } }, { batchSize: KEYS_PER_READ_MAX + 1 }).toArray();
      return withoutHole(found, fromK, (document) => document.k).map(fromMailDocument);
    });
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  async close(): Promise<void> {
    // The connection may serve other stores too; who opened it closes it.
  }
}

async function insertOnce(insert: Promise<unknown>): Promise<"inserted" | "duplicate"> {
  try {
    await insert;
    return "inserted";
  } catch (error) {
    if (isDuplicateKey(error)) return "duplicate";
    throw error;
  }
}

function keys(count: number, id: (index: number) => string): string[] {
  assert(count <= KEYS_PER_READ_MAX, "a keyed read names at most 64 keys");
  return Array.from({ length: count }, (_, index) => id(index));
}

function headOrNull(document: HeadDocument | null): Head | null {
  return document === null ? null : fromHeadDocument(document);
}
