/**
 * Reading a session live: committed events from the log in order, and between them the deltas of the model attempt
 * under way. The feed only says when to look and saves the look when it brings the commit along.
 *
 * S1 An event is sent once, in order, and only when its commit exists.
 * S2 A delta is sent only within its attempt, each chunk once and in order; a missing one ends the attempt's deltas,
 *    since its `model.completed` tells the whole.
 */
import { BoundedQueue, MainspringError } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";

import { commitOfSeq, TERMINAL_TYPES } from "../domain/events.ts";
import type { SessionEvent } from "../domain/events.ts";
import type { ModelDelta } from "../ports/hints.ts";
import type { FeedMessage, SessionFeed } from "../ports/session-feed.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { KEYS_PER_READ_MAX } from "../ports/session-store.ts";
import { Wakeup } from "./signal.ts";

/** Messages of the feed kept for a slow reader; past it the reader gets a gap and must come again. */
export const FEED_BACKLOG_MAX = 8_192;
/** How often the log is looked at in case the feed lost an announcement. */
const LOOK_EVERY_MS = 1_000;

export interface SubscribePorts {
  readonly store: SessionStore;
  readonly feed: SessionFeed;
  readonly clock: Clock;
}

export interface Subscription {
  readonly session: string;
  readonly afterSeq: number;
  /** Only this run's events and deltas; empty for all. */
  readonly run: string;
  /** Goes on after the run's terminal event (or for ever when no run is named). */
  readonly follow: boolean;
  readonly deltas: boolean;
}

export type StreamItem =
  | { readonly event: SessionEvent }
  | { readonly delta: ModelDelta }
  | { readonly gap: { readonly lastSeq: number } }
  | { readonly caughtUp: { readonly lastSeq: number } };

export async function* subscribe(
  ports: SubscribePorts,
  request: Subscription,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const wakeup = new Wakeup();
  const backlog = new BoundedQueue<FeedMessage>("the reader's backlog", FEED_BACKLOG_MAX);
  let overflown = false;
  const unsubscribe = await ports.feed.subscribe(request.session, (message) => {
    if (backlog.isFull) overflown = true;
    else backlog.push(message);
    wakeup.raise();
  });
  const onAbort = (): void => wakeup.raise();
  signal.addEventListener("abort", onAbort, { once: true });
  const reader = new LogReader(request);
  try {
    yield* reader.readOn(ports.store);
    reader.checkStart();
    if (reader.ended) return;
    yield { caughtUp: { lastSeq: reader.lastSeq } };
    if (request.deltas) yield* reader.takeDeltas(await ports.feed.retainedDeltas(request.session));
    while (!signal.aborted && !reader.ended) {
      if (overflown) {
        yield { gap: { lastSeq: reader.lastSeq } };
        return;
      }
      const message = backlog.shift();
      if (message !== undefined) yield* reader.take(message, ports);
      else if (!(await wakeup.wait(ports.clock, LOOK_EVERY_MS))) yield* reader.readOn(ports.store);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    unsubscribe();
  }
}

interface AttemptInFlight {
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
  nextChunk: number;
}

/** Where one reader stands in the log and in the attempt under way. */
class LogReader {
  readonly #request: Subscription;
  #nextN: number;
  #attempt: AttemptInFlight | null = null;
  lastSeq: number;
  ended = false;

  constructor(request: Subscription) {
    this.#request = request;
    this.#nextN = Math.max(1, commitOfSeq(request.afterSeq));
    this.lastSeq = request.afterSeq;
  }

  /** A cursor names a commit that exists. Throws `out_of_range` for one beyond the log. */
  checkStart(): void {
    const { afterSeq } = this.#request;
    if (commitOfSeq(afterSeq) < this.#nextN) return;
    throw new MainspringError("out_of_range", `the log has nothing at ${afterSeq} yet`, {
      reason: "cursor_out_of_range",
    });
  }

  async *readOn(store: SessionStore): AsyncGenerator<StreamItem> {
    for (;;) {
      const page = await store.readCommits(this.#request.session, this.#nextN, KEYS_PER_READ_MAX);
      for (const commit of page) {
        this.#nextN = commit.n + 1;
        yield* this.#pass(commit.events);
        if (this.ended) return;
      }
      if (page.length < KEYS_PER_READ_MAX) return;
    }
  }

  async *take(message: FeedMessage, ports: SubscribePorts): AsyncGenerator<StreamItem> {
    if ("delta" in message) {
      yield* this.takeDelta(message.delta, ports);
    } else if (message.n >= this.#nextN) {
      if (message.n === this.#nextN && message.events !== undefined) {
        this.#nextN += 1;
        yield* this.#pass(message.events);
      } else {
        yield* this.readOn(ports.store);
      }
    }
  }

  *#pass(events: readonly SessionEvent[]): Generator<StreamItem> {
    const { run, afterSeq, follow } = this.#request;
    for (const event of events) {
      this.#track(event);
      if (event.seq <= afterSeq) continue;
      this.lastSeq = event.seq;
      if (run !== "" && event.run !== run) continue;
      yield { event };
      if (run !== "" && !follow && TERMINAL_TYPES.has(event.type)) {
        this.ended = true;
        return;
      }
    }
  }

  #track(event: SessionEvent): void {
    if (event.type === "model.requested") {
      this.#attempt = { run: event.run!, step: event.step!, attempt: event.data.attempt, nextChunk: 0 };
    } else if (event.type.startsWith("model.")) {
      this.#attempt = null;
    }
  }

  *takeDeltas(deltas: readonly ModelDelta[]): Generator<StreamItem> {
    for (const delta of deltas) if (this.#isNext(delta)) yield { delta };
  }

  /** A chunk ahead of the expected one: what lies between was lost on the way, and may still be kept. */
  async *takeDelta(delta: ModelDelta, ports: SubscribePorts): AsyncGenerator<StreamItem> {
    if (!this.#request.deltas) return;
    if (this.#isNext(delta)) {
      yield { delta };
      return;
    }
    if (this.#attempt === null || !sameAttempt(this.#attempt, delta) || delta.chunk < this.#attempt.nextChunk) return;
    yield* this.takeDeltas(await ports.feed.retainedDeltas(this.#request.session));
  }

  #isNext(delta: ModelDelta): boolean {
    const attempt = this.#attempt;
    if (attempt === null || !sameAttempt(attempt, delta) || delta.chunk !== attempt.nextChunk) return false;
    if (this.#request.run !== "" && delta.run !== this.#request.run) return false;
    attempt.nextChunk += 1;
    return true;
  }
}

function sameAttempt(attempt: AttemptInFlight, delta: ModelDelta): boolean {
  return attempt.run === delta.run && attempt.step === delta.step && attempt.attempt === delta.attempt;
}
