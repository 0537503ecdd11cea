/** The job queue on BullMQ. Redis may go away or forget everything: jobs may be lost, the queue mends itself. */
import { MainspringError } from "@mainspring/kernel";
import { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";

import { openCommandConnection, openWaitingConnection, withinTimeout } from "../redis/redis-connection.ts";
import type { OpenRedis } from "../redis/redis-connection.ts";
import { checkJobSize } from "./job-bytes.ts";
import type { Consumer, ConsumeOptions, Job, JobQueue, OnJobFailed } from "./job-queue.ts";

/** A job whose worker is silent for this long goes to another one. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 2_500;
/** A job that lost its worker this often is dropped: whoever added it has a timer. */
const STALLED_MAX = 3;
const FAILED_JOBS_KEPT = 100;
const EVENTS_KEPT = 100;
const RETRY_FETCH_MS = 250;
const CLOSE_TIMEOUT_MS = 2_000;
/** Adds that may wait for Redis; the next one is refused. */
export const ADDS_IN_FLIGHT_MAX = 10_000;

export interface BullmqQueueOptions extends OpenRedis {
  /** Namespace of all keys. */
  readonly prefix: string;
  readonly onFailed?: OnJobFailed;
}

export class BullmqQueue implements JobQueue {
  readonly #options: BullmqQueueOptions;
  readonly #redis: Redis;
  readonly #queues = new Map<string, Queue>();
  readonly #consumers = new Set<BullmqConsumer>();
  #adding = 0;

  constructor(options: BullmqQueueOptions) {
    this.#options = options;
    this.#redis = openCommandConnection(options);
  }

  async add(queue: string, job: Job): Promise<void> {
    checkJobSize(queue, job);
    if (this.#adding >= ADDS_IN_FLIGHT_MAX) {
      throw new MainspringError("resource_exhausted", "too many jobs wait for Redis", { retry: "safe" });
    }
    this.#adding += 1;
    try {
      await withinTimeout(this.#queue(queue).add("job", job));
    } finally {
      this.#adding -= 1;
    }
  }

  consume(queue: string, options: ConsumeOptions, handler: (job: Job) => Promise<void>): Consumer {
    const run = async (job: Job): Promise<void> => {
      try {
        await handler(job);
      } catch (thrown) {
        this.#options.onFailed?.(queue, job, thrown);
      }
    };
    const consumer = new BullmqConsumer(queue, this.#options, options.concurrency, run, () =>
      this.#consumers.delete(consumer),
    );
    this.#consumers.add(consumer);
    return consumer;
  }

  async depth(queue: string): Promise<number> {
    return await withinTimeout(this.#queue(queue).getWaitingCount());
  }

  async ping(): Promise<void> {
    await withinTimeout(this.#redis.ping());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    const closing = Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
    await settledOrLate(closing);
    this.#redis.disconnect();
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const made = new Queue(name, {
      connection: this.#redis,
      prefix: this.#options.prefix,
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: { count: FAILED_JOBS_KEPT } },
      streams: { events: { maxLen: EVENTS_KEPT } },
    });
    made.on("error", (error) => this.#options.onError?.(error));
    this.#queues.set(name, made);
    return made;
  }
}

class BullmqConsumer implements Consumer {
  readonly #redis: Redis;
  readonly #worker: Worker;
  readonly #onClose: () => void;
  readonly #running = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(
    queue: string,
    options: BullmqQueueOptions,
    concurrency: number,
    run: (job: Job) => Promise<void>,
    onClose: () => void,
  ) {
    this.#onClose = onClose;
    this.#redis = openWaitingConnection(options);
    const process = async (job: { readonly data: Job }): Promise<void> => {
      const running = run(job.data);
      this.#running.add(running);
      await running;
      this.#running.delete(running);
    };
    this.#worker = new Worker(queue, process, {
      connection: this.#redis,
      prefix: options.prefix,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: STALLED_MAX,
      runRetryDelay: RETRY_FETCH_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: FAILED_JOBS_KEPT },
    });
    this.#worker.on("error", (error) => options.onError?.(error));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#onClose();
    const closing = this.#worker.close();
    closing.catch(() => undefined);
    // The jobs under way are waited for however long they take; Redis is not.
    while (this.#running.size > 0) await Promise.all(this.#running);
    await settledOrLate(closing);
    this.#redis.disconnect();
  }
}

/** Resolves when the promise settles, or after CLOSE_TIMEOUT_MS: closing does not wait for a Redis that is away. */
async function settledOrLate(closing: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
  await Promise.race([closing.then(undefined, () => undefined), late]);
  clearTimeout(timer);
}
