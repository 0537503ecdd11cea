/** A thread of a Space from outside: jobs in, answers out, bounded. */
import { Worker } from "node:worker_threads";
import { MainspringError } from "@mainspring/kernel";
import { KipError } from "@mainspring/kip";
import type { Recorder } from "../../app/local-space.ts";
import type { Answer, Job, Reply, Sealed, ThreadData, Verdict } from "./protocol.ts";

/** Most requests that wait for a thread. Past it a request is refused with `RateLimited`. */
export const QUEUE_MAX = 4096;
/** How long a thread has to end by itself. */
const END_WAIT_MS = 1_000;

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };
export type Unnumbered = Job extends infer J ? (J extends Job ? Omit<J, "id"> : never) : never;

export class ThreadHandle {
  readonly #worker: Worker;
  readonly #writes: boolean;
  readonly #waiting = new Map<number, Waiting>();
  /** True while words that this thread committed are not in the index. */
  unindexed = false;
  recorder: Recorder | undefined;
  #lastId = 0;
  #failed: Error | undefined;
  /** Callers have waited too long for the record of a batch. */
  #blocked = false;
  readonly #ended = Promise.withResolvers<void>();

  constructor(data: ThreadData) {
    this.#writes = data.role === "writer";
    this.#worker = new Worker(new URL("./space-thread.ts", import.meta.url), { workerData: data });
    this.#worker.on("message", (reply: Reply) => this.#take(reply));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread ended")));
  }

  /** Resolves when the thread has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #take({ answers, unindexed, sealed, erased }: Reply): void {
    this.unindexed = unindexed;
    if (sealed !== undefined) void this.#record(sealed);
    if (erased === true && this.recorder !== undefined) void this.#answerErased(this.recorder, answers);
    else this.#answer(answers);
  }

  #answer(answers: readonly Answer[]): void {
    for (const answer of answers) {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  /** What was erased is gone only when no earlier record has it. */
  async #answerErased(recorder: Recorder, answers: readonly Answer[]): Promise<void> {
    try {
      await recorder.erase();
      this.#answer(answers);
    } catch (cause) {
      for (const { id } of answers)
        this.#reject(id, unavailable("earlier records could not be rewritten yet", "safe", cause));
    }
  }

  async #record(sealed: Sealed): Promise<void> {
    const timer = setTimeout(() => this.#giveUp(new Set(sealed.jobs)), this.recorder!.waitMs);
    try {
      const at = await this.recorder!.record(sealed);
      if (at === null) this.#refuse();
      this.#tell(at === null ? { k: "lost" } : { k: "recorded", at });
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(timer);
      this.#blocked = false;
    }
  }

  /** Nothing that waits will be written: the Space is another's. */
  #refuse(): void {
    const ids = [...this.#waiting.keys()].filter((id) => id !== 0);
    this.#tell({ k: "cancel", ids });
    const moved = new MainspringError("unavailable", "another worker has taken the Space; send the request again", {
      reason: "space_moved",
      retry: "safe",
    });
    for (const id of ids) this.#reject(id, moved);
  }

  /** The record is still being written: whether it will be there, those in it are not told; the others did not begin. */
  #giveUp(inBatch: ReadonlySet<number>): void {
    this.#blocked = true;
    const others = [...this.#waiting.keys()].filter((id) => id !== 0 && !inBatch.has(id));
    this.#tell({ k: "cancel", ids: others });
    for (const id of others) this.#reject(id, unavailable("the Space cannot be written to now", "safe"));
    for (const id of inBatch) this.#reject(id, unavailable("the record was not confirmed in time", "unknownOutcome"));
  }

  #reject(id: number, error: Error): void {
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  #tell(verdict: Verdict): void {
    if (this.#failed === undefined) this.#worker.postMessage(verdict);
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    this.#ended.resolve();
    const failure = this.#writes
      ? new KipError("OutcomeUnknown", "the thread of the Space ended; look the outcome up by its idempotency key", {
          cause: error,
        })
      : notOpen(error);
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }

  /** Resolves once the thread has opened its database. */
  ready(): Promise<Answer> {
    return new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
  }

  send(job: Unnumbered): Promise<Answer> {
    if (this.#failed !== undefined) return Promise.reject(notOpen(this.#failed));
    if (this.#blocked) return Promise.reject(unavailable("the Space cannot be written to now", "safe"));
    if (this.#waiting.size >= QUEUE_MAX) {
      return Promise.reject(
        new KipError("RateLimited", `more than ${QUEUE_MAX} requests wait`, {
          details: { limit: "queue", max: QUEUE_MAX },
        }),
      );
    }
    const id = ++this.#lastId;
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...job, id });
    });
  }

  async close(): Promise<void> {
    if (this.#failed !== undefined) return;
    await this.send({ k: "close" });
    await this.#worker.terminate();
  }

  /**
   * Ends it; what was not committed is undone. It is asked first: a thread that is stopped from outside takes its native
   * handles down in any order. One that is busy for too long is stopped all the same.
   */
  async kill(): Promise<void> {
    if (this.#failed !== undefined) return void (await this.#worker.terminate());
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage({ k: "end" } satisfies Verdict);
    this.#fail(new Error("the Space was given up"));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, END_WAIT_MS)));
    await Promise.race([exited, late]);
    clearTimeout(timer);
    await this.#worker.terminate();
  }
}

/** It was closed, or lost to another worker, since the caller found it open. */
function notOpen(cause: Error): MainspringError {
  return new MainspringError("unavailable", "the Space is not open here any more; send the request again", {
    reason: "space_moved",
    retry: "safe",
    cause,
  });
}

function unavailable(message: string, retry: "safe" | "unknownOutcome", cause?: unknown): MainspringError {
  return new MainspringError("unavailable", message, { retry, cause });
}
