/**
 * Posting to a session. Order: insert the mail; raise the head; acknowledge; then wake somebody. A repeated post
 * repeats all of it and finds its first insert by its post id.
 */
import { hashParts, MainspringError } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";
import { persist } from "@mainspring/service-kit";
import type { Mail, MailKind } from "../domain/records.ts";
import type { Hints } from "../ports/hints.ts";
import type { Head, Hold, SessionStore } from "../ports/session-store.ts";

/** Numbers tried past the first guess before the post gives up as `aborted`; each try means another poster was faster. */
export const MAIL_TRIES_MAX = 1000;

export interface Post {
  readonly session: string;
  readonly postId: string;
  readonly kind: MailKind;
  readonly body: unknown;
  readonly trace: string;
  /** What the poster knows of the highest mail number, 0 for nothing. */
  readonly knownK: number;
  /** What must be the same in a repeat of this post; default the body. */
  readonly identity?: unknown;
  /** Who held the session when that was last known, or empty. */
  readonly knownHolder?: string;
  /** Row to make when the session has no head yet (a new session). */
  readonly newHead?: Head | undefined;
}

export interface Posted {
  readonly k: number;
  /** False when this repeats an earlier post. */
  readonly created: boolean;
}

export interface MailboxPorts {
  readonly store: SessionStore;
  readonly hints: Hints;
  readonly clock: Clock;
  /** The sessions that this process holds; absent where it holds none. */
  readonly local?: LocalSessions;
}

/** What a poster may do at once with a session of its own process. Each only saves time. */
export interface LocalSessions {
  /** Hands mail that is in the mailbox to its holder. False: the session is not held here. */
  offer(mail: Mail): boolean;
  /** Aborted when the process gives its sessions up. */
  readonly signal: AbortSignal;
  /** The hold that a new session's head may be born with, null when there is no room. */
  birthHold(): Hold | null;
  /**
   * Takes up a session whose head was born with our hold, and lets nothing go before its first mail is known to be there
   * or not. Its log is empty. False: it is being taken up in another way, so the mail has to be announced.
   */
  adoptNew(head: Head, firstMail: Promise<Mail>): boolean;
  /** Takes up a session that nobody held when `head` was read. False: no room, so somebody else must be asked. */
  adopt(head: Head): boolean;
}

export async function post(ports: MailboxPorts, item: Post): Promise<Posted> {
  const hold = item.newHead === undefined ? null : (ports.local?.birthHold() ?? null);
  if (item.newHead !== undefined && hold !== null) return postToNewborn(ports, item, item.newHead, hold);
  const { mail, created } = await insertMail(ports, item);
  const taken = created && wakeEarly(ports, item, mail);
  const head = await raiseHead(ports, item, mail.k);
  // The holder that took it may have parked before the head was raised.
  if (!taken || head?.hold === null) wake(ports, item.session, head, mail.k);
  return { k: mail.k, created };
}

/**
 * A new session is born held by the process that was asked for it, so it need not be looked for. Mail and head are
 * written side by side: mail without a head is not acknowledged, and a head waits for its mail. The head is not raised
 * for this mail, so a holder that parked before the mail came would never be told.
 */
async function postToNewborn(ports: MailboxPorts, item: Post, newHead: Head, hold: Hold): Promise<Posted> {
  // The hint stays behind: it may only name mail that is known to be there.
  const head: Head = { ...newHead, hold, epoch: hold.epoch, mailHint: item.knownK, status: "running" };
  const inserting = insertMail(ports, item);
  const firstMail = inserting.then(({ mail }) => mail);
  firstMail.catch(() => undefined);
  const bearing = bear(ports, head, firstMail);
  const [posted, adopted] = await Promise.allSettled([inserting, bearing]);
  if (adopted.status === "rejected") throw adopted.reason;
  if (posted.status === "rejected") throw posted.reason;
  const { mail, created } = posted.value;
  if (!adopted.value) {
    wake(ports, item.session, await raiseHead(ports, { ...item, newHead: undefined }, mail.k), mail.k);
  }
  return { k: mail.k, created };
}

/**
 * Inserts the head until it is known whether it is ours, and takes the session up then: a head that names a living
 * worker which does not know of it would wait for ever. False: its holder does not wait for the mail.
 */
async function bear(ports: MailboxPorts, head: Head, firstMail: Promise<Mail>): Promise<boolean> {
  const born = await persist(ports.clock, ports.local!.signal, async () => {
    if ((await ports.store.insertHead(head)) === "inserted") return true;
    // Others may have raised it since; what counts is that it names us with the epoch of birth.
    const found = await ports.store.readHead(head.session);
    return found?.hold?.worker === head.hold?.worker && found?.hold?.epoch === head.epoch;
  });
  return born && ports.local!.adoptNew(head, firstMail);
}

interface Inserted {
  readonly mail: Mail;
  readonly created: boolean;
}

async function insertMail(ports: MailboxPorts, item: Post): Promise<Inserted> {
  const digest = hashParts([item.kind, JSON.stringify(item.identity ?? item.body)], 16);
  for (let tried = 0; tried < MAIL_TRIES_MAX; tried += 1) {
    const mail = mailOf(item, item.knownK + 1 + tried, digest, ports.clock.now());
    const result = await ports.store.insertMail(mail);
    if (result === "inserted") return { mail, created: true };
    if (result === "duplicate_post") return { mail: await earlierPost(ports, item, digest), created: false };
  }
  throw new MainspringError("aborted", "too many posts to this session at once; try again");
}

function mailOf(item: Post, k: number, digest: string, at: number): Mail {
  const { session, postId, kind, body, trace } = item;
  return { session, k, postId, kind, digest, body, at, trace };
}

async function earlierPost(ports: MailboxPorts, item: Post, digest: string): Promise<Mail> {
  const earlier = await ports.store.findMailByPost(item.session, item.postId);
  if (earlier === null) throw new MainspringError("unavailable", "the post was repeated while it was being read");
  if (earlier.digest !== digest) {
    throw new MainspringError("already_exists", "the same id was used before with another content", {
      reason: "idempotency_conflict",
    });
  }
  return earlier;
}

async function raiseHead(ports: MailboxPorts, item: Post, k: number): Promise<Head | null> {
  const { store, clock } = ports;
  if (item.newHead !== undefined) {
    const head = { ...item.newHead, mailHint: k, wakeAt: clock.now() };
    if ((await store.insertHead(head)) === "inserted") return head;
  }
  return store.bumpHead(item.session, { wakeAt: clock.now(), mailHint: k, updatedAt: clock.now() });
}

/**
 * The holder may begin before the head is raised: the mail is durable, and it is the poster alone who waits for the head.
 * True: the holder here has it, so nobody else need be told.
 */
function wakeEarly(ports: MailboxPorts, item: Post, mail: Mail): boolean {
  if (ports.local?.offer(mail) === true) return true;
  const holder = item.knownHolder ?? "";
  if (holder !== "") ports.hints.wakeWorker(holder, item.session, mail.k, mail);
  return false;
}

/** A hint only: a wake-up that is lost is made good by the holder's own look and by the sweepers. */
function wake(ports: MailboxPorts, session: string, head: Head | null, k: number): void {
  if (head !== null && head.hold !== null) ports.hints.wakeWorker(head.hold.worker, session, k);
  else if (head === null || ports.local?.adopt(head) !== true) {
    ports.hints.requestActivation(session).catch(() => undefined);
  }
}
