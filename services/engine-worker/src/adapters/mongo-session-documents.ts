/** The documents of the session store. `_id`s are strings that say what they name. */
import type { MongoDatabase } from "@mainspring/service-kit";
import type { Collection } from "mongodb";

import type { Commit, Mail, MailKind } from "../domain/records.ts";
import { packEvents, unpackEvents } from "./packed-events.ts";
import type { Head, PartialOutput, Snapshot } from "../ports/session-store.ts";

/** `_id`: `<session>/<n>`. */
export interface CommitDocument extends Omit<Commit, "events"> {
  readonly _id: string;
  /** JSON of the packed events: they carry keys that a server may not take. */
  readonly events: string;
}

/** `_id`: `<session>/m/<k>`; (session, postId) is unique. */
export interface MailDocument extends Omit<Mail, "body"> {
  readonly _id: string;
  /** JSON; null once emptied. */
  readonly body: string | null;
}

/** `_id`: the session. `holder` is the hold's worker, empty for none, so that it can be indexed. */
export interface HeadDocument extends Head {
  readonly _id: string;
  readonly holder: string;
}

/** `_id`: `<session>/<projector version>`. */
export interface SnapshotDocument extends Snapshot {
  readonly _id: string;
}

/** `_id`: the session. */
export interface PartialDocument extends PartialOutput {
  readonly _id: string;
}

export interface SessionCollections {
  readonly commits: Collection<CommitDocument>;
  readonly mail: Collection<MailDocument>;
  readonly heads: Collection<HeadDocument>;
  readonly snapshots: Collection<SnapshotDocument>;
  readonly partials: Collection<PartialDocument>;
}

export async function prepareSessionCollections(database: MongoDatabase): Promise<SessionCollections> {
  const mail = database.collection<MailDocument>("session_mail");
  const heads = database.collection<HeadDocument>("session_heads");
  await mail.createIndex({ session: 1, postId: 1 }, { unique: true });
  await heads.createIndex({ holder: 1, wakeAt: 1 });
  await heads.createIndex({ tenant: 1, createdAt: -1, session: -1 });
  return {
    mail,
    heads,
    commits: database.collection<CommitDocument>("session_commits"),
    snapshots: database.collection<SnapshotDocument>("session_snapshots"),
    partials: database.collection<PartialDocument>("session_partials"),
  };
}

export const commitId = (session: string, n: number): string => `${session}/${n}`;
export const mailId = (session: string, k: number): string => `${session}/m/${k}`;
export const snapshotId = (session: string, version: number): string => `${session}/${version}`;

export function toCommitDocument(commit: Commit): CommitDocument {
  return { ...commit, _id: commitId(commit.session, commit.n), events: JSON.stringify(packEvents(commit)) };
}

export function fromCommitDocument({ _id, ...document }: CommitDocument): Commit {
  const packed = JSON.parse(document.events) as ReturnType<typeof packEvents>;
  return { ...document, events: unpackEvents(packed, document.n, document.at) };
}

export function toMailDocument(mail: Mail): MailDocument {
  return { ...mail, _id: mailId(mail.session, mail.k), body: JSON.stringify(mail.body ?? null) };
}

export function fromMailDocument({ _id, ...document }: MailDocument): Mail {
  const body: unknown = document.body === null ? null : JSON.parse(document.body);
  return { ...document, kind: document.kind satisfies MailKind, body };
}

export function toHeadDocument(head: Head): HeadDocument {
  return { ...head, _id: head.session, holder: head.hold?.worker ?? "" };
}

export function fromHeadDocument({ _id, holder: _holder, ...head }: HeadDocument): Head {
  return head;
}
