/**
 * Puts a session aside that killed every worker that took it up. Nothing of it is projected, only its last commit is
 * read, since reading the rest may be what kills.
 */
import { newId } from "@mainspring/kernel";
import { checkEvent, EVENTS_PER_COMMIT_MAX } from "../domain/events.ts";
import type { EventData, EventType, SessionEvent } from "../domain/events.ts";
import type { Commit } from "../domain/records.ts";
import type { Head, Hold } from "../ports/session-store.ts";
import { NEVER_MS } from "../ports/session-store.ts";
import type { HolderPorts } from "./holder-ports.ts";
import { appendCommit } from "./log.ts";
import { persist } from "@mainspring/service-kit";

export async function quarantine(ports: HolderPorts, head: Head, hold: Hold, signal: AbortSignal): Promise<void> {
  const last = await lastCommit(ports, head, signal);
  if (last !== null && last.epoch >= hold.epoch) return;
  const reason = `${hold.tries} workers in a row died with this session; fix the cause and reopen it`;
  const n = (last?.n ?? 0) + 1;
  const at = Math.max(ports.clock.now(), last?.events.at(-1)?.at ?? 0);
  const events = [
    event("session.activated", { epoch: hold.epoch, worker: hold.worker, takeover: true }, n, 0, at),
    event("session.quarantined", { reason }, n, 1, at),
  ];
  const commit: Commit = {
    session: head.session,
    n,
    commitId: newId("cmt", at, ports.random),
    epoch: hold.epoch,
    worker: hold.worker,
    events,
    mailCursor: last?.mailCursor ?? 0,
    at,
    trace: "",
  };
  if ((await appendCommit(ports.store, ports.clock, commit, signal)) === "lost") return;
  ports.hints.announceCommit(commit);
  const patch = { hold: null, status: "quarantined", statusReason: reason, wakeAt: NEVER_MS, tipHint: n };
  // A post raises gen at any moment; the hold must not stay with a worker that does nothing with it.
  for (let released = false; !released;) {
    released = await persist(ports.clock, signal, async () => {
      const now = await ports.store.readHead(head.session);
      if (now?.hold?.epoch !== hold.epoch) return true;
      return ports.store.casHead(head.session, now.gen, patch);
    });
  }
}

async function lastCommit(ports: HolderPorts, head: Head, signal: AbortSignal): Promise<Commit | null> {
  return persist(ports.clock, signal, async () => {
    let last: Commit | null = null;
    for (let n = Math.max(1, head.tipHint); ; n = last!.n + 1) {
      const page = await ports.store.readCommits(head.session, n, 16);
      if (page.length === 0) return last;
      last = page.at(-1)!;
    }
  });
}

function event<T extends EventType>(type: T, data: EventData[T], n: number, index: number, at: number): SessionEvent {
  const made = { seq: n * EVENTS_PER_COMMIT_MAX + index, type, at, origin: "engine", data } as unknown as SessionEvent;
  checkEvent(made);
  return made;
}
