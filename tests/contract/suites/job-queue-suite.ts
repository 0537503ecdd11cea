/** What every job queue keeps to while its server is there. */
import type { Consumer, Job, JobQueue } from "@mainspring/service-kit";
import { JOB_BYTES_MAX } from "@mainspring/service-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

/** Collects jobs and resolves when there are enough of them. */
class Inbox {
  readonly jobs: Job[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];

  take(job: Job): void {
    this.jobs.push(job);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.jobs.length < count) return true;
      resolve();
      return false;
    });
  }

  async reached(count: number): Promise<readonly Job[]> {
    if (this.jobs.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.jobs;
  }
}

export interface QueueFeatures {
  /** Jobs that wait outlive the process. */
  readonly durable: boolean;
}

export function describeJobQueue(
  name: string,
  features: QueueFeatures,
  open: (onFailed: (queue: string, job: Job, thrown: unknown) => void) => Promise<Harness<JobQueue>>,
): void {
  describe(`job queue: ${name}`, () => {
    let harness: Harness<JobQueue>;
    let queue: JobQueue;
    const failed: unknown[][] = [];
    const consumers: Consumer[] = [];

    beforeAll(async () => {
      harness = await open((...args) => failed.push(args));
      queue = harness.subject;
    });
    afterAll(async () => {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await harness.close();
    });

    function collect(queueName: string, concurrency = 1, handler: (job: Job) => Promise<void> = async () => undefined) {
      const inbox = new Inbox();
      const consumer = queue.consume(queueName, { concurrency }, async (job) => {
        await handler(job);
        inbox.take(job);
      });
      consumers.push(consumer);
      return { inbox, consumer };
    }

    test("a job arrives as it was added, and those of one adder in order", async () => {
      const lane = uniqueName();
      const jobs = Array.from({ length: 50 }, (_, index) => ({
        id: `j${index}`,
        n: index,
        last: index === 49,
        t: "ü☃",
      }));
      const { inbox } = collect(lane);
      for (const job of jobs) await queue.add(lane, job);
      expect(await inbox.reached(50)).toEqual(jobs);
    });

    test("jobs wait for a consumer, and are counted until then", async () => {
      const lane = uniqueName();
      for (let n = 0; n < 3; n += 1) await queue.add(lane, { n });
      expect(await queue.depth(lane)).toBe(3);
      const { inbox } = collect(lane);
      expect(await inbox.reached(3)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
      expect(await queue.depth(lane)).toBe(0);
    });

    test("queues are apart", async () => {
      const [one, two] = [uniqueName(), uniqueName()];
      const [first, second] = [collect(one), collect(two)];
      await queue.add(one, { for: "one" });
      await queue.add(two, { for: "two" });
      expect(await first.inbox.reached(1)).toEqual([{ for: "one" }]);
      expect(await second.inbox.reached(1)).toEqual([{ for: "two" }]);
    });

    test("no more jobs than its concurrency run at once, and as many do", async () => {
      const lane = uniqueName();
      let running = 0;
      let most = 0;
      const full = Promise.withResolvers<void>();
      const { inbox } = collect(lane, 4, async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 4) full.resolve();
        await full.promise;
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
      for (let n = 0; n < 20; n += 1) await queue.add(lane, { n });
      await inbox.reached(20);
      expect(most).toBe(4);
    });

    test("eight concurrent adders and two consumers: every job once", async () => {
      const lane = uniqueName();
      const inbox = new Inbox();
      for (const peer of harness.peers.slice(0, 2)) {
        consumers.push(peer.consume(lane, { concurrency: 8 }, async (job) => inbox.take(job)));
      }
      await Promise.all(
        harness.peers.map(async (peer, adder) => {
          for (let n = 0; n < 25; n += 1) await peer.add(lane, { id: `${adder}-${n}` });
        }),
      );
      const jobs = await inbox.reached(harness.peers.length * 25);
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
      expect(jobs).toHaveLength(harness.peers.length * 25);
    });

    test("a handler that throws is told of, its job is not repeated, and the next one runs", async () => {
      const lane = uniqueName();
      let calls = 0;
      const { inbox } = collect(lane, 1, async ({ bad }) => {
        calls += 1;
        if (bad === true) throw new Error("bad job");
      });
      await queue.add(lane, { bad: true });
      await queue.add(lane, { bad: false });
      expect(await inbox.reached(1)).toEqual([{ bad: false }]);
      expect(calls).toBe(2);
      expect(failed.filter(([at]) => at === lane)).toEqual([[lane, { bad: true }, expect.any(Error)]]);
    });

    test("a job that is more than a pointer is refused", async () => {
      const text = "x".repeat(JOB_BYTES_MAX);
      await expect(queue.add(uniqueName(), { text })).rejects.toMatchObject({ code: "invalid_argument" });
    });

    test("closing a consumer waits for the job under way and takes no more", async () => {
      const lane = uniqueName();
      const entered = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const first = collect(lane, 1, async () => {
        entered.resolve();
        await go.promise;
      });
      await queue.add(lane, { n: 1 });
      await queue.add(lane, { n: 2 });
      await entered.promise;
      let closed = false;
      const closing = first.consumer.close().then(() => (closed = true));
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(closed).toBe(false);
      go.resolve();
      await closing;
      expect(first.inbox.jobs).toEqual([{ n: 1 }]);
      expect(await collect(lane).inbox.reached(1)).toEqual([{ n: 2 }]);
    });

    test("a queue that is there answers a ping", async () => await queue.ping());

    if (features.durable) {
      test("jobs that wait are there after a restart", async () => {
        const lane = uniqueName();
        await queue.add(lane, { n: 1 });
        await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
        queue = await harness.reopen();
        expect(await collect(lane).inbox.reached(1)).toEqual([{ n: 1 }]);
      });
    }
  });
}
