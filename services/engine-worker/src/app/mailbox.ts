/**
 * Posting to a session. Order: insert the mail; raise the head; acknowledge; then wake somebody. A repeated post
 * repeats all of it and finds its first insert by its post id.
 */
import { hashParts, MainspringError } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";
import type { Mail, MailKind } from "../domain/records.ts";
import type { Hints } from "../ports/hints.ts";
import type { Head, SessionStore } from "../ports/session-store.ts";

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
  /** Row to make when the session has no head yet (a new session). */
  readonly newHead?: Head;
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
}

export async function post(ports: MailboxPorts, item: Post): Promise<Posted> {
  const posted = await insertMail(ports, item);
  const head = await raiseHead(ports, item, posted.k);
  wake(ports, item.session, head, posted.k);
  return posted;
}

async function insertMail(ports: MailboxPorts, item: Post): Promise<Posted> {
  const digest = hashParts([item.kind, JSON.stringify(item.identity ?? item.body)], 16);
  for (let tried = 0; tried < MAIL_TRIES_MAX; tried += 1) {
    const k = item.knownK + 1 + tried;
    const result = await ports.store.insertMail(mailOf(item, k, digest, ports.clock.now()));
    if (result === "inserted") return { k, created: true };
    if (result === "duplicate_post") return earlierPost(ports, item, digest);
  }
  throw new MainspringError("aborted", "too many posts to this session at once; try again");
}

function mailOf(item: Post, k: number, digest: string, at: number): Mail {
  const { session, postId, kind, body, trace } = item;
  return { session, k, postId, kind, digest, body, at, trace };
}

async function earlierPost(ports: MailboxPorts, item: Post, digest: string): Promise<Posted> {
  const earlier = await ports.store.findMailByPost(item.session, item.postId);
  if (earlier === null) throw new MainspringError("unavailable", "the post was repeated while it was being read");
  if (earlier.digest !== digest) {
    throw new MainspringError("already_exists", "the same id was used before with another content", {
      reason: "idempotency_conflict",
    });
  }
  return { k: earlier.k, created: false };
}

async function raiseHead(ports: MailboxPorts, item: Post, k: number): Promise<Head | null> {
  const { store, clock } = ports;
  if (item.newHead !== undefined) {
    const head = { ...item.newHead, mailHint: k, wakeAt: clock.now() };
    if ((await store.insertHead(head)) === "inserted") return head;
  }
  return store.bumpHead(item.session, { wakeAt: clock.now(), mailHint: k, updatedAt: clock.now() });
}

/** A hint only: a wake-up that is lost is made good by the holder's own look and by the sweepers. */
function wake(ports: MailboxPorts, session: string, head: Head | null, k: number): void {
  if (head !== null && head.hold !== null) ports.hints.wakeWorker(head.hold.worker, session, k);
  else ports.hints.requestActivation(session).catch(() => undefined);
}
