/** The job queue of a single process. What waits is lost with the process, as a job may be. */
import { AsyncLocalStorage } from "node:async_hooks";

import { BoundedQueue } from "@mainspring/kernel";

import { checkJobSize } from "./job-bytes.ts";
import type { Consumer, ConsumeOptions, Job, JobQueue, OnJobFailed } from "./job-queue.ts";

/** Jobs that may wait in one queue. */
export const JOBS_WAITING_MAX = 100_000;

type Handler = (job: Job) => Promise<void>;

/** The consumer whose place the work under way has. */
const placeOf = new AsyncLocalStorage<LocalConsumer>();

/**
 * For work that waits for other jobs of this process: its place is lent to them, or all places might be taken by work that
 * waits. Returns what takes the place back, to be called once. Nothing outside of a job.
 */
export function lendPlace(): () => void {
  return placeOf.getStore()?.lend() ?? (() => undefined);
}

class LocalConsumer implements Consumer {
  readonly #concurrency: number;
  readonly #run: Handler;
  readonly #onFree: () => void;
  readonly #onClose: (consumer: LocalConsumer) => void;
  readonly #closed = Promise.withResolvers<void>();
  #running = 0;
  /** Of those running: how many wait for others. */
  #lent = 0;
  #closing = false;

  constructor(concurrency: number, run: Handler, onFree: () => void, onClose: (consumer: LocalConsumer) => void) {
    this.#concurrency = concurrency;
    this.#run = run;
    this.#onFree = onFree;
    this.#onClose = onClose;
  }

  get isFree(): boolean {
    return !this.#closing && this.#running - this.#lent < this.#concurrency;
  }

  async take(job: Job): Promise<void> {
    this.#running += 1;
    await placeOf.run(this, () => this.#run(job));
    this.#running -= 1;
    if (this.#closing && this.#running === 0) this.#closed.resolve();
    else this.#onFree();
  }

  /** Whoever comes back goes on at once, over the number of places if need be. */
  lend(): () => void {
    this.#lent += 1;
    this.#onFree();
    return () => void (this.#lent -= 1);
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#onClose(this);
      if (this.#running === 0) this.#closed.resolve();
    }
    await this.#closed.promise;
  }
}

class Lane {
  readonly waiting: BoundedQueue<Job>;
  readonly consumers = new Set<LocalConsumer>();
  #scheduled = false;

  constructor(name: string) {
    this.waiting = new BoundedQueue(`the queue ${name}`, JOBS_WAITING_MAX);
  }

  /** Hands out jobs after the caller's own turn, one consumer after the other. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#handOut();
    });
  }

  #handOut(): void {
    while (this.waiting.length > 0) {
      let taken = false;
      for (const consumer of this.consumers) {
        if (!consumer.isFree) continue;
        const job = this.waiting.shift();
        if (job === undefined) return;
        taken = true;
        void consumer.take(job);
      }
      if (!taken) return;
    }
  }
}

export class InProcessQueue implements JobQueue {
  readonly #lanes = new Map<string, Lane>();
  readonly #onFailed: OnJobFailed;

  constructor(onFailed: OnJobFailed = () => undefined) {
    this.#onFailed = onFailed;
  }

  async add(queue: string, job: Job): Promise<void> {
    checkJobSize(queue, job);
    const lane = this.#lane(queue);
    lane.waiting.push({ ...job });
    lane.schedule();
  }

  consume(queue: string, options: ConsumeOptions, handler: Handler): Consumer {
    const lane = this.#lane(queue);
    const run = async (job: Job): Promise<void> => {
      try {
        await handler(job);
      } catch (thrown) {
        this.#onFailed(queue, job, thrown);
      }
    };
    const consumer = new LocalConsumer(
      options.concurrency,
      run,
      () => lane.schedule(),
      (closed) => lane.consumers.delete(closed),
    );
    lane.consumers.add(consumer);
    lane.schedule();
    return consumer;
  }

  async depth(queue: string): Promise<number> {
    return this.#lane(queue).waiting.length;
  }

  async ping(): Promise<void> {
    // It is there as long as the process is.
  }

  async close(): Promise<void> {
    const consumers = [...this.#lanes.values()].flatMap((lane) => [...lane.consumers]);
    await Promise.all(consumers.map((consumer) => consumer.close()));
    this.#lanes.clear();
  }

  #lane(queue: string): Lane {
    let lane = this.#lanes.get(queue);
    if (lane === undefined) this.#lanes.set(queue, (lane = new Lane(queue)));
    return lane;
  }
}
