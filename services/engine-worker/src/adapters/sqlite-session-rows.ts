/** Records to rows and back. */
import type { Commit, Mail, MailKind } from "../domain/records.ts";
import type { Head } from "../ports/session-store.ts";
import { packEvents, unpackEvents } from "./packed-events.ts";
import type { CommitRow, HeadRow, MailRow } from "./sqlite-session-schema.ts";

export function toCommitBody(commit: Commit): string {
  const { session: _session, n: _n, ...body } = commit;
  return JSON.stringify({ ...body, events: packEvents(commit) });
}

export function fromCommitRow(session: string, { n, body }: CommitRow): Commit {
  const packed = JSON.parse(body) as Omit<Commit, "events"> & { readonly events: ReturnType<typeof packEvents> };
  return { ...packed, session, n, events: unpackEvents(packed.events, n, packed.at) };
}

export function fromMailRow(row: MailRow): Mail {
  return {
    session: row.session,
    k: row.k,
    postId: row.post_id,
    kind: row.kind as MailKind,
    digest: row.digest,
    body: row.body === null ? null : JSON.parse(row.body),
    at: row.at,
    trace: row.trace,
  };
}

export function fromHeadRow(row: HeadRow): Head {
  return {
    session: row.session,
    tenant: row.tenant,
    gen: row.gen,
    wakeAt: row.wake_at,
    hold: row.holder === "" ? null : { worker: row.holder, epoch: row.hold_epoch, tries: row.hold_tries },
    epoch: row.epoch,
    mailHint: row.mail_hint,
    tipHint: row.tip_hint,
    agent: row.agent,
    title: row.title,
    status: row.status,
    statusReason: row.status_reason,
    lastRun: row.last_run,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
