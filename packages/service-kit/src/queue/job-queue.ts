/**
 * The job queue port. A job is a pointer (ids, trace context, perhaps a copy of small data), never the truth, and
 * stays below 1 KiB. Delivery is at least once and a job may be lost: whoever adds one has a timer that adds it again.
 */
export const JOB_BYTES_MAX = 1024;

export type Job = Readonly<Record<string, string | number | boolean>>;

export interface ConsumeOptions {
  /** Jobs handled at once, default 16. */
  readonly concurrency: number;
}

/** Told of a handler that threw, for logs. */
export type OnJobFailed = (queue: string, job: Job, thrown: unknown) => void;

export interface Consumer {
  /** Stops taking jobs and resolves when those under way have ended. */
  close(): Promise<void>;
}

export interface JobQueue {
  /** Rejects with `invalid_argument` above JOB_BYTES_MAX, with `unavailable` when the queue cannot be reached. */
  add(queue: string, job: Job): Promise<void>;
  /** Calls the handler for each job. A handler that throws is not retried by the queue (it is logged). */
  consume(queue: string, options: ConsumeOptions, handler: (job: Job) => Promise<void>): Consumer;
  /** Jobs waiting, for metrics and back-pressure. */
  depth(queue: string): Promise<number>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
