/** Reading runs back from the log. */
import { isSessionId } from "@mainspring/kernel";

import { commitOfSeq } from "../domain/events.ts";
import type { SessionEvent } from "../domain/events.ts";
import { newRunView, viewEvent } from "../domain/run-view.ts";
import type { RunView } from "../domain/run-view.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { readLog } from "./log.ts";

/** Runs whose first commit is remembered, so that asking again does not read the log before it. */
const REMEMBERED_RUNS_MAX = 10_000;

export class RunReader {
  readonly #store: SessionStore;
  readonly #firstCommit = new Map<string, number>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Null when the log of the session knows no such run. */
  async read(session: string, run: string): Promise<RunView | null> {
    const view = newRunView(run);
    for await (const page of readLog(this.#store, session, this.#firstCommit.get(run) ?? 1)) {
      for (const commit of page) {
        for (const event of commit.events) if (event.run === run) viewEvent(view, event);
      }
    }
    if (view.firstSeq === 0) return null;
    this.#remember(run, commitOfSeq(view.firstSeq));
    return view;
  }

  /** Every run of the session, oldest first. */
  async list(session: string): Promise<RunView[]> {
    const views = new Map<string, RunView>();
    if (!isSessionId(session)) return [];
    for await (const page of readLog(this.#store, session, 1)) {
      for (const commit of page) {
        for (const event of commit.events) {
          if (event.run === undefined) continue;
          const view = views.get(event.run) ?? newRunView(event.run);
          views.set(event.run, view);
          viewEvent(view, event);
        }
      }
    }
    return [...views.values()];
  }

  /** Events after a seq, page by page; `run` empty for all. */
  async page(session: string, afterSeq: number, run: string, size: number): Promise<EventPage> {
    const events: SessionEvent[] = [];
    let lastSeq = afterSeq;
    for await (const commits of readLog(this.#store, session, Math.max(1, commitOfSeq(afterSeq)))) {
      for (const event of commits.flatMap((commit) => commit.events)) {
        if (event.seq <= afterSeq) continue;
        if (events.length >= size) return { events, lastSeq, atTip: false };
        lastSeq = event.seq;
        if (run === "" || event.run === run) events.push(event);
      }
    }
    return { events, lastSeq, atTip: true };
  }

  #remember(run: string, n: number): void {
    this.#firstCommit.set(run, n);
    if (this.#firstCommit.size <= REMEMBERED_RUNS_MAX) return;
    this.#firstCommit.delete(this.#firstCommit.keys().next().value!);
  }
}

export interface EventPage {
  readonly events: readonly SessionEvent[];
  readonly lastSeq: number;
  readonly atTip: boolean;
}
