/**
 * Taking and leaving a session. The hold is an optimisation: it keeps two workers from doing the same work at once,
 * while the commit key decides who is right.
 */
import type { Clock } from "@mainspring/kernel";
import { NEVER_MS } from "../ports/session-store.ts";
import type { Head, HeadPatch, Hold, SessionStore } from "../ports/session-store.ts";
import { persist } from "@mainspring/service-kit";

/**
 * Tries to take the session as it was seen in `head`. Null: somebody was faster. The epoch is one above every epoch
 * ever given out for it, so that a later take-over always has the higher one.
 */
export async function takeHold(
  store: SessionStore,
  clock: Clock,
  head: Head,
  by: { readonly worker: string; readonly tries: number },
  signal: AbortSignal,
): Promise<Hold | null> {
  const hold: Hold = { ...by, epoch: head.epoch + 1 };
  const taken = await persist(clock, signal, async () => {
    const ok = await store.casHead(head.session, head.gen, {
      hold,
      epoch: hold.epoch,
      status: "running",
      updatedAt: clock.now(),
    });
    return ok || isHeldBy(await store.readHead(head.session), hold);
  });
  return taken ? hold : null;
}

/** Deaths in a row that a take-over of this head follows on. */
export function triesOf(head: Head, worker: string): number {
  if (head.hold === null) return 0;
  return head.hold.worker === worker ? head.hold.tries : head.hold.tries + 1;
}

/** Whether the head shows exactly this hold. Reading it after a failed CAS settles a lost reply. */
export function isHeldBy(head: Head | null, hold: Hold): boolean {
  return head?.hold?.worker === hold.worker && head.hold.epoch === hold.epoch;
}

export type LeaveResult = "left" | "mail" | "lost";

/**
 * Parks the session: read gen, read mail, release by CAS on gen. A post in between raises gen, so the CAS fails and the
 * caller goes on. `mail`: there is something to do. `lost`: the hold is another's by now.
 *
 * A release whose answer was lost may still take effect later, when the store has caught up. Before the caller goes on
 * with the session gen is raised past it, or it would be let go in the middle of its work.
 */
export async function leave(
  store: SessionStore,
  clock: Clock,
  at: { readonly session: string; readonly hold: Hold; readonly cursor: number },
  patch: HeadPatch,
  signal: AbortSignal,
): Promise<LeaveResult> {
  let uncertain = false;
  const result = await persist(clock, signal, async () => {
    const head = await store.readHead(at.session);
    if (head === null || !isHeldBy(head, at.hold)) return "lost";
    const mail = await store.readMail(at.session, at.cursor + 1, 1);
    if (mail.length > 0) return "mail";
    try {
      return (await store.casHead(at.session, head.gen, { ...patch, hold: null })) ? "left" : "mail";
    } catch (error) {
      uncertain = true;
      throw error;
    }
  });
  if (result !== "mail" || !uncertain) return result;
  return persist(clock, signal, async () => {
    const head = await store.bumpHead(at.session, { wakeAt: NEVER_MS, mailHint: 0, updatedAt: clock.now() });
    return isHeldBy(head, at.hold) ? "mail" : "lost";
  });
}
