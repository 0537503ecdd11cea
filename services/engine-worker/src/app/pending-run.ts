/** A run that was posted and that no commit knows yet. */
import type { InputBody } from "../domain/decision.ts";
import { newRunView } from "../domain/run-view.ts";
import type { RunView } from "../domain/run-view.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { KEYS_PER_READ_MAX } from "../ports/session-store.ts";
import { readState } from "./read-session.ts";

/** Null when the mailbox holds no such input behind the cursor. */
export async function pendingRun(store: SessionStore, session: string, run: string): Promise<RunView | null> {
  const { cursor } = await readState(store, session);
  for (let k = cursor + 1; ;) {
    const page = await store.readMail(session, k, KEYS_PER_READ_MAX);
    for (const mail of page) {
      const body = mail.body as InputBody | null;
      if ((mail.kind !== "input" && mail.kind !== "steer") || body?.run !== run) continue;
      return { ...newRunView(run), clientRunId: body.client_run_id, spec: body.spec, createdAt: mail.at };
    }
    if (page.length < KEYS_PER_READ_MAX) return null;
    k = page.at(-1)!.k + 1;
  }
}
