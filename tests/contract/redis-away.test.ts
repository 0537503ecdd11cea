/** Redis goes away, freezes, comes back empty: callers are told in time, and everything mends itself. */
import { BullmqQueue, RedisBus } from "@mainspring/service-kit";
import type { Job } from "@mainspring/service-kit";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";

import { withOwnServer } from "../support/adapters.ts";
import { startRedis } from "../support/redis.ts";
import type { ServerControl, TestServer } from "../support/server-process.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };

withOwnServer("Redis that goes away", inject("servers").redis, () => {
  let server: TestServer;
  let control: ServerControl;
  let queue: BullmqQueue;
  let bus: RedisBus;
  const jobs: Job[] = [];
  const messages: string[] = [];

  /** Adds jobs until one is accepted, then waits until that one was handled. */
  async function jobPasses(name: string): Promise<void> {
    await vi.waitFor(async () => await queue.add("lane", { name }), PATIENCE);
    await vi.waitFor(() => expect(jobs).toContainEqual({ name }), PATIENCE);
  }

  /** Publishes until a message comes through. */
  async function messagePasses(text: string): Promise<void> {
    await vi.waitFor(() => {
      bus.publish("channel", text);
      expect(messages).toContain(text);
    }, PATIENCE);
  }

  beforeAll(async () => {
    server = await startRedis();
    control = server.control as ServerControl;
    queue = new BullmqQueue({ url: server.url, prefix: "test" });
    bus = new RedisBus({ url: server.url, prefix: "test" });
    queue.consume("lane", { concurrency: 4 }, async (job) => void jobs.push(job));
    await bus.subscribe("channel", (message) => messages.push(message));
    await jobPasses("first");
    await messagePasses("first");
  });

  afterAll(async () => {
    await queue.close();
    await bus.close();
    await server.stop();
  });

  test("everything in Redis is forgotten: the next job and message pass", async () => {
    const redis = new Redis(server.url);
    await redis.flushall();
    await redis.quit();
    await jobPasses("after flush");
    await messagePasses("after flush");
  });

  test("Redis is gone: an add fails as unavailable, a publish is dropped, reads are refused; all are back with it", async () => {
    await control.kill("SIGKILL");
    await Promise.all([
      expect(queue.add("lane", { name: "refused" })).rejects.toMatchObject({ code: "unavailable", retry: "safe" }),
      expect(queue.ping()).rejects.toMatchObject({ code: "unavailable" }),
      expect(bus.ping()).rejects.toMatchObject({ code: "unavailable" }),
      expect(bus.retained("channel")).rejects.toMatchObject({ code: "unavailable" }),
    ]);
    const before = bus.dropped;
    bus.publish("channel", "dropped");
    bus.publishRetained("channel", "dropped", { entriesMax: 1, ttlMs: 1000 });
    bus.forget("channel");
    await vi.waitFor(() => expect(bus.dropped).toBe(before + 3));
    const late: string[] = [];
    await bus.subscribe("late channel", (message) => late.push(message));
    await control.start();
    await jobPasses("after restart");
    await messagePasses("after restart");
    await vi.waitFor(() => {
      bus.publish("late channel", "a");
      expect(late).toContain("a");
    }, PATIENCE);
  });

  test("Redis is frozen: calls fail in time, and work again when it thaws", async () => {
    control.freeze();
    await Promise.all([
      expect(queue.add("lane", { name: "frozen" })).rejects.toMatchObject({ code: "unavailable" }),
      expect(bus.retained("channel")).rejects.toMatchObject({ code: "unavailable" }),
    ]);
    bus.publish("channel", "into the ice");
    control.thaw();
    await jobPasses("after thaw");
    await messagePasses("after thaw");
  });

  test("what was begun while Redis was away from the start works once it is there", async () => {
    await control.kill("SIGKILL");
    const early = new BullmqQueue({ url: server.url, prefix: "early" });
    const seen: Job[] = [];
    early.consume("lane", { concurrency: 1 }, async (job) => void seen.push(job));
    await expect(early.add("lane", { n: 1 })).rejects.toMatchObject({ code: "unavailable" });
    await control.start();
    await vi.waitFor(async () => await early.add("lane", { n: 2 }), PATIENCE);
    await vi.waitFor(() => expect(seen).toContainEqual({ n: 2 }), PATIENCE);
    await early.close();
  });
});
