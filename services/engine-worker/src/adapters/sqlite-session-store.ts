/** The session store on SQLite: one statement a method, which the store thread makes durable. */
import { assert } from "@mainspring/kernel";
import type { SqliteThread } from "@mainspring/service-kit";

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
import { fromCommitRow, fromHeadRow, fromMailRow, toCommitBody } from "./sqlite-session-rows.ts";
import { SESSION_SCHEMA } from "./sqlite-session-schema.ts";
import type { CommitRow, HeadRow, MailRow } from "./sqlite-session-schema.ts";
import { withoutHole } from "./without-hole.ts";

const INSERT_COMMIT = "INSERT INTO commits VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
const READ_COMMITS = "SELECT n, body FROM commits WHERE session = ? AND n >= ? AND n < ? ORDER BY n";
const INSERT_MAIL = "INSERT INTO mail VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
const FIND_MAIL = "SELECT * FROM mail WHERE session = ? AND post_id = ?";
const READ_MAIL = "SELECT * FROM mail WHERE session = ? AND k >= ? AND k < ? ORDER BY k";
// What was emptied before lies below what was not: the search for it goes down from throughK and stops there.
const DROP_BODIES = `UPDATE mail SET body = NULL WHERE session = ?1 AND k <= ?2 AND k >
  coalesce((SELECT max(k) FROM mail WHERE session = ?1 AND k <= ?2 AND body IS NULL), 0)`;
const INSERT_HEAD = `INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const READ_HEAD = "SELECT * FROM heads WHERE session = ?";
const BUMP_HEAD = `UPDATE heads SET gen = gen + 1, wake_at = min(wake_at, ?2), mail_hint = max(mail_hint, ?3),
  updated_at = max(updated_at, ?4) WHERE session = ?1 RETURNING *`;
const CAS_HEAD = `UPDATE heads SET gen = gen + 1,
  holder = coalesce(?3, holder), hold_epoch = coalesce(?4, hold_epoch), hold_tries = coalesce(?5, hold_tries),
  wake_at = coalesce(?6, wake_at), epoch = coalesce(?7, epoch), tip_hint = coalesce(?8, tip_hint),
  title = coalesce(?9, title), status = coalesce(?10, status), status_reason = coalesce(?11, status_reason),
  last_run = coalesce(?12, last_run), updated_at = coalesce(?13, updated_at), agent = coalesce(?14, agent)
  WHERE session = ?1 AND gen = ?2`;
const DUE_HEADS = `SELECT * FROM heads WHERE holder = '' AND wake_at <= ? AND status NOT IN ('quarantined', 'deleted')
  ORDER BY wake_at LIMIT ?`;
const HELD_HEADS = "SELECT * FROM heads WHERE holder = ? AND holder <> '' LIMIT ?";
const HOLDERS = "SELECT DISTINCT holder FROM heads WHERE holder > '' LIMIT ?";
const LIST_HEADS = `SELECT * FROM heads WHERE tenant = ? AND (created_at, session) < (?, ?) AND status <> 'deleted'
  ORDER BY created_at DESC, session DESC LIMIT ?`;
const WRITE_BEAT = "INSERT INTO worker_beats VALUES (?, ?) ON CONFLICT DO UPDATE SET count = excluded.count";
const READ_BEATS = "SELECT worker, count FROM worker_beats";
const DELETE_BEAT = "DELETE FROM worker_beats WHERE worker = ?";
const PUT_SNAPSHOT = `INSERT INTO snapshots VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET n = excluded.n, state = excluded.state WHERE excluded.n > snapshots.n`;
const GET_SNAPSHOT = `SELECT session, projector_version AS projectorVersion, n, state FROM snapshots
  WHERE session = ? AND projector_version = ?`;
const PUT_PARTIAL = `INSERT INTO partials VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET run = excluded.run,
  step = excluded.step, attempt = excluded.attempt, output = excluded.output`;
const GET_PARTIAL = "SELECT session, run, step, attempt, output FROM partials WHERE session = ?";

/** After every session that was created now or before. */
const NEWEST = { createdAt: Number.MAX_SAFE_INTEGER, session: "" };

export async function openSqliteSessionStore(thread: SqliteThread): Promise<SessionStore> {
  await thread.migrate("sessions", SESSION_SCHEMA);
  return new SqliteSessionStore(thread);
}

class SqliteSessionStore implements SessionStore {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async insertCommit(commit: Commit): Promise<"inserted" | "duplicate"> {
    const changes = await this.#thread.run(INSERT_COMMIT, commit.session, commit.n, toCommitBody(commit));
    return changes === 1 ? "inserted" : "duplicate";
  }

  async readCommits(session: string, fromN: number, count: number): Promise<Commit[]> {
    assert(count <= KEYS_PER_READ_MAX, "a keyed read names at most 64 keys");
    const rows = await this.#thread.all<CommitRow>(READ_COMMITS, session, fromN, fromN + count);
    return withoutHole(rows, fromN, (row) => row.n).map((row) => fromCommitRow(session, row));
  }

  async insertMail(mail: Mail): Promise<"inserted" | "duplicate_post" | "duplicate_number"> {
    const { session, k, postId, kind, digest, at, trace } = mail;
    const body = JSON.stringify(mail.body ?? null);
    const changes = await this.#thread.run(INSERT_MAIL, session, k, postId, kind, digest, body, at, trace);
    if (changes === 1) return "inserted";
    // Rows of the mailbox never go away, so the second look sees what refused the first.
    return (await this.findMailByPost(session, postId)) === null ? "duplicate_number" : "duplicate_post";
  }

  async findMailByPost(session: string, postId: string): Promise<Mail | null> {
    const row = await this.#thread.get<MailRow>(FIND_MAIL, session, postId);
    return row === undefined ? null : fromMailRow(row);
  }

  async readMail(session: string, fromK: number, count: number): Promise<Mail[]> {
    assert(count <= KEYS_PER_READ_MAX, "a keyed read names at most 64 keys");
    const rows = await this.#thread.all<MailRow>(READ_MAIL, session, fromK, fromK + count);
    return withoutHole(rows, fromK, (row) => row.k).map(fromMailRow);
  }

  async dropMailBodies(session: string, throughK: number): Promise<void> {
    await this.#thread.run(DROP_BODIES, session, throughK);
  }

  async insertHead(head: Head): Promise<"inserted" | "duplicate"> {
    const { worker, epoch, tries } = head.hold ?? { worker: "", epoch: 0, tries: 0 };
    const held = [worker, epoch, tries] as const;
    const hints = [head.epoch, head.mailHint, head.tipHint] as const;
    const listed = [head.agent, head.title, head.status, head.statusReason, head.lastRun] as const;
    const { session, tenant, gen, wakeAt, createdAt, updatedAt } = head;
    const values = [session, tenant, gen, wakeAt, ...held, ...hints, ...listed, createdAt, updatedAt];
    return (await this.#thread.run(INSERT_HEAD, ...values)) === 1 ? "inserted" : "duplicate";
  }

  async readHead(session: string): Promise<Head | null> {
    const row = await this.#thread.get<HeadRow>(READ_HEAD, session);
    return row === undefined ? null : fromHeadRow(row);
  }

  async bumpHead(session: string, { wakeAt, mailHint, updatedAt }: HeadBump): Promise<Head | null> {
    const row = await this.#thread.get<HeadRow>(BUMP_HEAD, session, wakeAt, mailHint, updatedAt);
    return row === undefined ? null : fromHeadRow(row);
  }

  async casHead(session: string, expectedGen: number, patch: HeadPatch): Promise<boolean> {
    const free = { worker: "", epoch: 0, tries: 0 };
    const hold = patch.hold === undefined ? null : (patch.hold ?? free);
    const held = [hold?.worker, hold?.epoch, hold?.tries];
    const { wakeAt, epoch, tipHint, title, status, statusReason, lastRun, updatedAt, agent } = patch;
    const rest = [wakeAt, epoch, tipHint, title, status, statusReason, lastRun, updatedAt, agent];
    const values = [...held, ...rest].map((value) => value ?? null);
    return (await this.#thread.run(CAS_HEAD, session, expectedGen, ...values)) === 1;
  }

  async scanDueHeads(now: number, limit: number): Promise<Head[]> {
    return (await this.#thread.all<HeadRow>(DUE_HEADS, now, limit)).map(fromHeadRow);
  }

  async scanHeadsHeldBy(worker: string, limit: number): Promise<Head[]> {
    return (await this.#thread.all<HeadRow>(HELD_HEADS, worker, limit)).map(fromHeadRow);
  }

  async listHeads({ tenant, before, limit }: ListHeads): Promise<Head[]> {
    const { createdAt, session } = before ?? NEWEST;
    return (await this.#thread.all<HeadRow>(LIST_HEADS, tenant, createdAt, session, limit)).map(fromHeadRow);
  }

  async writeBeat({ worker, count }: Beat): Promise<void> {
    await this.#thread.run(WRITE_BEAT, worker, count);
  }

  async readBeats(): Promise<Beat[]> {
    return await this.#thread.all<Beat>(READ_BEATS);
  }

  async deleteBeat(worker: string): Promise<void> {
    await this.#thread.run(DELETE_BEAT, worker);
  }

  async scanHoldingWorkers(limit: number): Promise<string[]> {
    return (await this.#thread.all<{ holder: string }>(HOLDERS, limit)).map(({ holder }) => holder);
  }

  async putSnapshot({ session, projectorVersion, n, state }: Snapshot): Promise<void> {
    await this.#thread.run(PUT_SNAPSHOT, session, projectorVersion, n, state);
  }

  async getSnapshot(session: string, projectorVersion: number): Promise<Snapshot | null> {
    return (await this.#thread.get<Snapshot>(GET_SNAPSHOT, session, projectorVersion)) ?? null;
  }

  async putPartial({ session, run, step, attempt, output }: PartialOutput): Promise<void> {
    await this.#thread.run(PUT_PARTIAL, session, run, step, attempt, output);
  }

  async getPartial(session: string): Promise<PartialOutput | null> {
    return (await this.#thread.get<PartialOutput>(GET_PARTIAL, session)) ?? null;
  }

  async ping(): Promise<void> {
    await this.#thread.get("SELECT 1 AS alive");
  }

  async close(): Promise<void> {
    // The thread may serve other stores too; who opened it closes it.
  }
}
