/** Reading and appending the log by exact keys. */
import type { Clock } from "@mainspring/kernel";
import type { Commit } from "../domain/records.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { KEYS_PER_READ_MAX } from "../ports/session-store.ts";
import { persist } from "@mainspring/service-kit";

/**
 * Inserts the commit and makes sure whose it is. `lost`: another writer has that number, so this one lost the session.
 * While the store is out of reach it tries on until the signal aborts.
 */
export function appendCommit(
  store: SessionStore,
  clock: Clock,
  commit: Commit,
  signal: AbortSignal,
): Promise<"own" | "lost"> {
  return persist(clock, signal, async () => {
    if ((await store.insertCommit(commit)) === "inserted") return "own";
    const found = (await store.readCommits(commit.session, commit.n, 1))[0];
    return found?.commitId === commit.commitId ? "own" : "lost";
  });
}

/** Every commit from `fromN` on, page by page, to the tip. */
export async function* readLog(store: SessionStore, session: string, fromN: number): AsyncGenerator<Commit[]> {
  for (let n = fromN; ;) {
    const page = await store.readCommits(session, n, KEYS_PER_READ_MAX);
    if (page.length > 0) yield page;
    if (page.length < KEYS_PER_READ_MAX) return;
    n = page.at(-1)!.n + 1;
  }
}
