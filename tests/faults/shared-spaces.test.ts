/**
 * Memory workers as real processes over a Redis and a MongoDB of their own, under faults: whoever is killed, frozen or
 * away, what was acknowledged is there, whole, once; the sequence has no hole; the copies are what the log says.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { connectGrpc, memoryBrainContract } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { Seeded } from "@mainspring/testkit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { withOwnServer } from "../support/adapters.ts";
import { ADMIN, by, cwt, KEY } from "../support/brain.ts";
import type { BrainClient } from "../support/brain.ts";
import { freePort } from "../support/free-port.ts";
import { MainspringProcess } from "../support/mainspring-process.ts";
import { startMongo } from "../support/mongo.ts";
import { startRedis } from "../support/redis.ts";
import type { TestServer } from "../support/server-process.ts";

/** The nightly command asks for a hundred. */
const KILLS = Number(process.env["SPACE_KILLS"] ?? 5);
const FREEZE_MS = Number(process.env["SPACE_FREEZE_MS"] ?? 30_000);
const SEED = Number(process.env["SPACE_SEED"] ?? Date.now() % 1_000_000);
const LANES = 4;
const S = { space_id: "garden" };
const OWNER = by(cwt("*"));
/** Longest until a Space is served again after its owner was killed. */
const TAKE_OVER_MS = 10_000;
const CALL_MS = 15_000;

const { redis: providedRedis, mongo: providedMongo } = inject("servers");
const missing = providedRedis.url === null ? providedRedis : providedMongo;

interface Worker {
  process: MainspringProcess;
  readonly client: BrainClient;
  readonly environment: Readonly<Record<string, string>>;
}

withOwnServer(`Spaces under faults, SPACE_SEED=${SEED}`, missing, () => {
  const rng = new Seeded(SEED);
  let redis: TestServer;
  let mongo: TestServer;
  let directory: string;
  let workers: Worker[];

  const startProcess = async (environment: Worker["environment"]): Promise<MainspringProcess> => {
    const started = new MainspringProcess("memory-brain", ["services/memory-brain/src/main.ts"], environment);
    await started.line(/"service":"memory-brain","address":/);
    return started;
  };

  beforeAll(async () => {
    [redis, mongo] = await Promise.all([startRedis(), startMongo()]);
    directory = mkdtempSync(join(tmpdir(), "spaces-faults-"));
    workers = await Promise.all(
      [0, 1].map(async (shard) => {
        const address = `127.0.0.1:${await freePort()}`;
        const environment = {
          MAINSPRING_REDIS_URL: redis.url,
          MAINSPRING_MONGO_URL: `${mongo.url}/spaces`,
          MAINSPRING_DATA_DIR: join(directory, `data-${shard}`),
          MAINSPRING_MEMORY_BRAIN_LISTEN: address,
          MAINSPRING_MEMORY_SHARD: String(shard),
          MAINSPRING_LOG_LEVEL: "info",
        };
        return {
          process: await startProcess(environment),
          client: connectGrpc(memoryBrainContract, address),
          environment,
        };
      }),
    );
    await eventually(() => workers[0]!.client.CreateSpace({ ...S, user: "u", tier: 8, shard: 0 }, options(ADMIN)));
  }, 120_000);

  afterAll(async () => {
    await Promise.all(workers.map(({ process }) => process.kill("SIGKILL")));
    await Promise.all([redis.stop(), mongo.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  const options = (principal: typeof ADMIN) => ({ ...by(principal), timeoutMs: CALL_MS });

  /** Tries until it succeeds; what is not there for a while says `unavailable`, and nothing else. */
  async function eventually<T>(attempt: () => Promise<T>, withinMs = 30_000): Promise<T> {
    for (const until = performance.now() + withinMs; ;) {
      try {
        return await attempt();
      } catch (error) {
        const passing = error instanceof MainspringError && ["unavailable", "deadline_exceeded"].includes(error.code);
        if (!passing || performance.now() > until) throw error;
        await pause(50);
      }
    }
  }

  const any = (): BrainClient => workers[rng.int(workers.length)]!.client;
  const remember = (client: BrainClient, text: string) =>
    client.Remember({ ...S, text, idempotency_key: text }, options(KEY));
  const recall = (client: BrainClient, query: string) => client.Recall({ ...S, query, limit: 1 }, options(KEY));

  async function kip(command: string, parameters: object = {}): Promise<unknown> {
    const request_json = JSON.stringify({ kip: "2.0", operations: [{ command, parameters }] });
    const { response_json } = await eventually(() =>
      any().ExecuteKip({ ...S, request_json }, { ...OWNER, timeoutMs: CALL_MS }),
    );
    return (JSON.parse(response_json) as { results: { result: unknown }[] }).results[0]!.result;
  }

  /** Which of the two holds the Space. */
  async function ownerOf(): Promise<Worker> {
    for (;;) {
      for (const worker of workers) {
        // A forwarded call is not forwarded again: who refuses it is not the owner.
        const call = worker.client.GetFormationStatus(S, { ...options(KEY), forwarded: true });
        if (await call.then(() => true).catch(() => false)) return worker;
      }
      await pause(50);
    }
  }

  const acknowledged = new Map<string, string>();

  /** Writers that go on until they are told to stop; each repeats a write with its key until it is acknowledged. */
  function writers(round: string): { readonly stop: () => Promise<void> } {
    let over = false;
    const lane = async (number: number): Promise<void> => {
      for (let n = 0; !over; n += 1) {
        const text = `word${round}x${number}x${n}`;
        const { entities } = await eventually(() => remember(any(), text), 60_000);
        expect(acknowledged.has(text)).toBe(false);
        acknowledged.set(text, entities[0]!);
      }
    };
    const lanes = Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
    lanes.catch(() => undefined);
    return {
      stop: async () => {
        over = true;
        await lanes;
      },
    };
  }

  /** Everything that was acknowledged is there once, nothing is half there, no number is left out. */
  async function checkAll(): Promise<void> {
    const found = (await kip("FIND(?e.id, ?e.payload.inline) WHERE { ?e EVIDENCE {} }")) as [string, string][];
    const texts = new Map(found.map(([id, text]) => [text, id]));
    expect(texts.size).toBe(found.length);
    const lost = [...acknowledged].filter(([text, id]) => texts.get(text) !== id);
    expect(lost).toEqual([]);
    let after = 0;
    for (let complete = false; !complete;) {
      const page = (await kip("CHANGES AFTER SEQ :after LIMIT 1000", { after })) as {
        transactions: { space_seq: number; changes: unknown[] }[];
        complete: boolean;
      };
      for (const { space_seq: seq } of page.transactions) expect(seq).toBe((after += 1));
      complete = page.complete;
    }
    const { space } = await eventually(() => any().GetSpace(S, options(KEY)));
    expect(space).toMatchObject({ space_seq: after });
    const conversations = (JSON.parse(space!.info_json) as { conversations: number }).conversations;
    expect(conversations).toBe(found.length);
    const verified = await eventually(() => any().VerifySpace(S, options(ADMIN)));
    expect(verified).toMatchObject({ equal: true, differences: [] });
  }

  test(
    `kill -9 of the owner during writes, ${KILLS} times`,
    async () => {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const before = acknowledged.size;
        const writing = writers(`k${kill}`);
        await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 30);
        await pause(rng.int(200));
        const owner = await ownerOf();
        await owner.process.kill("SIGKILL");
        const other = workers.find((worker) => worker !== owner)!;
        await eventually(() => recall(other.client, "word"), TAKE_OVER_MS);
        owner.process = await startProcess(owner.environment);
        await writing.stop();
        await checkAll();
        const last = [...acknowledged.keys()].at(-1)!;
        expect(await eventually(() => recall(any(), last))).toMatchObject({ found: true });
      }
    },
    120_000 + KILLS * 60_000,
  );

  test("an owner that was frozen and replaced says so, writes nothing, and serves what the other wrote", async () => {
    const owner = await ownerOf();
    const other = workers.find((worker) => worker !== owner)!;
    owner.process.signal("SIGSTOP");
    await eventually(() => remember(other.client, "frozenword"), TAKE_OVER_MS + CALL_MS);
    acknowledged.set("frozenword", (await remember(other.client, "frozenword")).entities[0]!);
    // Sent while it is frozen: what it does first when it goes on.
    const write = remember(owner.client, "thawedword").then(
      ({ entities }) => acknowledged.set("thawedword", entities[0]!),
      (error: unknown) => expect(error).toMatchObject({ code: "unavailable" }),
    );
    const read = recall(owner.client, "frozenword").then(
      ({ found, freshness }) => expect(found || freshness?.stale === true).toBe(true),
      (error: unknown) => expect(error).toMatchObject({ code: "unavailable" }),
    );
    owner.process.signal("SIGCONT");
    await Promise.all([write, read]);
    await expect
      .poll(async () => (await recall(owner.client, "frozenword").catch(() => null))?.found, { timeout: 10_000 })
      .toBe(true);
    await checkAll();
  }, 120_000);

  test("without Redis everything goes on", async () => {
    await redis.control!.kill("SIGKILL");
    const writing = writers("redis");
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 10);
    await writing.stop();
    await redis.control!.start();
    await checkAll();
  }, 120_000);

  test(
    `while the database is frozen for ${FREEZE_MS / 1_000} s reads go on and say how old they are, writes fail in time; then all goes on`,
    async () => {
      const owner = await ownerOf();
      await remember(owner.client, "beforefreeze");
      await expect.poll(async () => (await recall(owner.client, "beforefreeze")).found).toBe(true);
      mongo.control!.freeze();
      const until = performance.now() + FREEZE_MS;
      try {
        const write = remember(owner.client, "duringfreeze").then(
          () => "acknowledged",
          (error: unknown) => (error as MainspringError).code,
        );
        await expect
          .poll(async () => (await recall(owner.client, "beforefreeze")).freshness, { timeout: 10_000 })
          .toMatchObject({ stale: true, as_of: expect.stringMatching(/^20\d\d-.*Z$/) });
        expect((await recall(owner.client, "beforefreeze")).found).toBe(true);
        expect(await write).toBe("unavailable");
        await expect(remember(owner.client, "another")).rejects.toMatchObject({ code: "unavailable" });
        await pause(Math.max(0, until - performance.now()));
      } finally {
        mongo.control!.thaw();
      }
      const { entities } = await eventually(() => remember(any(), "duringfreeze"), 60_000);
      acknowledged.set("duringfreeze", entities[0]!);
      await expect
        .poll(async () => (await recall(any(), "duringfreeze").catch(() => null))?.freshness, { timeout: 30_000 })
        .toMatchObject({ stale: false });
      await checkAll();
    },
    120_000 + FREEZE_MS,
  );
});
