/**
 * The session store: the log, the mailbox, the heads and what else an engine-worker keeps.
 *
 * Every method is ONE operation on ONE document (reads of at most 64 by exact key count as one), because that is
 * all the protocol may rely on. Any of them may be done, done with its reply lost (it then throws), or not done
 * (it then throws too). A method throws `MainspringError` with code `unavailable` when the outcome is not known and
 * the caller finds out by reading. Methods named `scan…` and `list…` are indexed scans that carry no promise.
 *
 * An acknowledged write is durable: SQLite WAL with synchronous=FULL, MongoDB w:majority j:true on a replica set.
 */
import type { Commit, Mail } from "../domain/records.ts";

/** A head that never wakes by itself. Kept as a number so that `min` works on every store. */
export const NEVER_MS = Number.MAX_SAFE_INTEGER;
/** Most keys that one keyed read may name. */
export const KEYS_PER_READ_MAX = 64;

export interface Hold {
  readonly worker: string;
  readonly epoch: number;
  /** Take-overs in a row that died before they got anywhere; 0 for a hold taken of a free session. */
  readonly tries: number;
}

/** One small row a session. A hint about everything but the hold, and even that is only an optimisation. */
export interface Head {
  readonly session: string;
  readonly tenant: string;
  /** Rises with every post and every change of the hold. */
  readonly gen: number;
  /** Unix ms of the earliest timer, `NEVER_MS` for none. */
  readonly wakeAt: number;
  readonly hold: Hold | null;
  /** Highest epoch ever given out here; survives a release. */
  readonly epoch: number;
  readonly mailHint: number;
  readonly tipHint: number;
  readonly agent: string;
  readonly title: string;
  /** idle, running, quarantined or deleted. */
  readonly status: string;
  readonly statusReason: string;
  readonly lastRun: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Fields that a CAS may set besides `gen` (always raised by one). */
export type HeadPatch = Partial<
  Pick<
    Head,
    "hold" | "wakeAt" | "epoch" | "tipHint" | "title" | "status" | "statusReason" | "lastRun" | "updatedAt" | "agent"
  >
>;

export interface HeadBump {
  /** Lowers `wakeAt` to this when it is earlier. `NEVER_MS` leaves it alone. */
  readonly wakeAt: number;
  /** Raises `mailHint` to this when it is higher. */
  readonly mailHint: number;
  readonly updatedAt: number;
}

export interface Snapshot {
  readonly session: string;
  /** Snapshots of another projector version are ignored. */
  readonly projectorVersion: number;
  /** The commit up to which the state is projected. */
  readonly n: number;
  /** JSON, at most 256 KiB. */
  readonly state: string;
}

/** Text of a model attempt under way, replaced every half second. Never the truth. */
export interface PartialOutput {
  readonly session: string;
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
  /** JSON of the items and chunks so far. */
  readonly output: string;
}

export interface Beat {
  readonly worker: string;
  /** Rises with each beat; only a change means anything. */
  readonly count: number;
}

export interface ListHeads {
  readonly tenant: string;
  /** Sessions created strictly before this (createdAt, session) pair, newest first. */
  readonly before: { readonly createdAt: number; readonly session: string } | null;
  /** At most 200. */
  readonly limit: number;
}

export interface SessionStore {
  /** `duplicate`: commit n of that session exists (whoever wrote it). */
  insertCommit(commit: Commit): Promise<"inserted" | "duplicate">;
  /** Commits fromN, fromN+1, … as far as they exist without a hole, at most `count` (≤ 64). */
  readCommits(session: string, fromN: number, count: number): Promise<Commit[]>;

  /** Unique by (session, k) and by (session, postId). A taken postId is reported before a taken number. */
  insertMail(mail: Mail): Promise<"inserted" | "duplicate_post" | "duplicate_number">;
  findMailByPost(session: string, postId: string): Promise<Mail | null>;
  /** Mail fromK, fromK+1, … without a hole, at most `count` (≤ 64). */
  readMail(session: string, fromK: number, count: number): Promise<Mail[]>;
  /** Housekeeping: empties the bodies of mail ≤ throughK. Rows stay, so their numbers stay taken. */
  dropMailBodies(session: string, throughK: number): Promise<void>;

  insertHead(head: Head): Promise<"inserted" | "duplicate">;
  readHead(session: string): Promise<Head | null>;
  /** gen + 1, wakeAt lowered, mailHint raised. The returned row is a hint (it may be later than the bump). */
  bumpHead(session: string, bump: HeadBump): Promise<Head | null>;
  /** Sets the patch and gen = expectedGen + 1 if gen is still expectedGen. False: it was not. */
  casHead(session: string, expectedGen: number, patch: HeadPatch): Promise<boolean>;
  /** Heads without a hold and wakeAt ≤ now, most overdue first. Deleted and quarantined ones are left out. */
  scanDueHeads(now: number, limit: number): Promise<Head[]>;
  /** Heads held by that worker. */
  scanHeadsHeldBy(worker: string, limit: number): Promise<Head[]>;
  listHeads(list: ListHeads): Promise<Head[]>;

  writeBeat(beat: Beat): Promise<void>;
  readBeats(): Promise<Beat[]>;
  deleteBeat(worker: string): Promise<void>;
  /** Distinct workers named in holds, at most `limit`: a hold may outlive its worker's beat row. */
  scanHoldingWorkers(limit: number): Promise<string[]>;

  /** Replaces the session's snapshot of that projector version unless a later one is there. */
  putSnapshot(snapshot: Snapshot): Promise<void>;
  getSnapshot(session: string, projectorVersion: number): Promise<Snapshot | null>;
  putPartial(partial: PartialOutput): Promise<void>;
  getPartial(session: string): Promise<PartialOutput | null>;

  /** Resolves when the store answers; rejects with `unavailable`. For readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
