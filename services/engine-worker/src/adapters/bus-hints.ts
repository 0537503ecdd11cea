/** Hints over the job queue and the live bus. Channel names and message shapes are private to the engine. */
import type { JobQueue, LiveBus } from "@mainspring/service-kit";

import type { Commit, Mail } from "../domain/records.ts";
import type { Hints, ModelDelta, ToolJob } from "../ports/hints.ts";
import type { FeedMessage, SessionFeed } from "../ports/session-feed.ts";

export const ACTIVATIONS_QUEUE = "activations";
export const TOOLS_QUEUE = "tools";

/** Events of a commit travel with its announcement up to this many characters; readers fetch larger ones. */
const ANNOUNCED_CHARS_MAX = 16 * 1024;
const RETAIN_DELTAS = { entriesMax: 4_200, ttlMs: 60 * 60 * 1000 };

export function workerChannel(worker: string): string {
  return `worker:${worker}`;
}

function sessionChannel(session: string): string {
  return `session:${session}`;
}

/** A wake-up as it travels on a worker's channel. */
export interface WakeMessage {
  readonly session: string;
  readonly k: number;
  readonly mail?: Mail;
}

/** Mail up to this many characters travels with its wake-up. */
const WAKE_MAIL_CHARS_MAX = 16 * 1024;

export class BusHints implements Hints, SessionFeed {
  readonly #queue: JobQueue;
  readonly #bus: LiveBus;

  constructor(queue: JobQueue, bus: LiveBus) {
    this.#queue = queue;
    this.#bus = bus;
  }

  wakeWorker(worker: string, session: string, k: number, mail?: Mail): void {
    const plain: WakeMessage = { session, k };
    const text = JSON.stringify(mail === undefined ? plain : { ...plain, mail });
    this.#bus.publish(workerChannel(worker), text.length <= WAKE_MAIL_CHARS_MAX ? text : JSON.stringify(plain));
  }

  requestActivation(session: string): Promise<void> {
    return this.#queue.add(ACTIVATIONS_QUEUE, { session });
  }

  enqueueTool(job: ToolJob): Promise<void> {
    return this.#queue.add(TOOLS_QUEUE, { ...job });
  }

  announceCommit(commit: Commit): void {
    const { n, events } = commit;
    const whole = JSON.stringify({ n, events } satisfies FeedMessage);
    const message = whole.length <= ANNOUNCED_CHARS_MAX ? whole : JSON.stringify({ n } satisfies FeedMessage);
    this.#bus.publish(sessionChannel(commit.session), message);
  }

  announceDelta(session: string, delta: ModelDelta): void {
    this.#bus.publishRetained(sessionChannel(session), JSON.stringify({ delta } satisfies FeedMessage), RETAIN_DELTAS);
  }

  forgetDeltas(session: string): void {
    this.#bus.forget(sessionChannel(session));
  }

  subscribe(session: string, listener: (message: FeedMessage) => void): Promise<() => void> {
    return this.#bus.subscribe(sessionChannel(session), (text) => listener(JSON.parse(text) as FeedMessage));
  }

  async retainedDeltas(session: string): Promise<ModelDelta[]> {
    const texts = await this.#bus.retained(sessionChannel(session));
    return texts.flatMap((text) => {
      const message = JSON.parse(text) as FeedMessage;
      return "delta" in message ? [message.delta] : [];
    });
  }
}
