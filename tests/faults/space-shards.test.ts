/** Twenty Spaces on two memory workers of a shard each, as real processes; one is killed while all Spaces are written to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { connectGrpc, memoryBrainContract } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { withOwnServer } from "../support/adapters.ts";
import { ADMIN, by, KEY } from "../support/brain.ts";
import type { BrainClient } from "../support/brain.ts";
import { freePort } from "../support/free-port.ts";
import { MainspringProcess } from "../support/mainspring-process.ts";

const SPACES = Array.from({ length: 20 }, (_, n) => `space${n}`);
/** Longest until a Space of the killed worker is served by the other. */
const TAKE_OVER_MS = 10_000;
const CALL_MS = 15_000;

const { redis, mongo } = inject("servers");
const missing = redis.url === null ? redis : mongo;

withOwnServer("Spaces of two shards", missing, () => {
  const database = String(Date.now());
  let directory: string;
  let workers: { readonly process: MainspringProcess; readonly client: BrainClient }[];
  const acknowledged = new Map<string, string[]>(SPACES.map((space) => [space, []]));

  const start = async (shard: number) => {
    const address = `127.0.0.1:${await freePort()}`;
    const process = new MainspringProcess("memory-brain", ["services/memory-brain/src/main.ts"], {
      MAINSPRING_REDIS_URL: redis.url!,
      MAINSPRING_MONGO_URL: `${mongo.url!}/shards${database}`,
      MAINSPRING_DATA_DIR: join(directory, `data-${shard}`),
      MAINSPRING_MEMORY_BRAIN_LISTEN: address,
      MAINSPRING_MEMORY_SHARD: String(shard),
    });
    await process.line(/"service":"memory-brain","address":/);
    return { process, client: connectGrpc(memoryBrainContract, address) };
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "space-shards-"));
    workers = await Promise.all([0, 1].map(start));
  }, 120_000);

  afterAll(async () => {
    await Promise.all(workers.map(({ process }) => process.kill("SIGKILL")));
    rmSync(directory, { recursive: true, force: true });
  });

  const options = (principal: typeof ADMIN) => ({ ...by(principal), timeoutMs: CALL_MS });

  async function eventually<T>(attempt: () => Promise<T>, withinMs: number): Promise<T> {
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

  const remember = async (client: BrainClient, space: string, text: string): Promise<void> => {
    const request = { space_id: space, text, idempotency_key: text };
    await eventually(() => client.Remember(request, options(KEY)), 60_000);
    acknowledged.get(space)!.push(text);
  };

  const textsOf = async (client: BrainClient, space: string): Promise<string[]> => {
    const command = "FIND(?e.payload.inline) WHERE { ?e EVIDENCE {} }";
    const request_json = JSON.stringify({ kip: "2.0", operations: [{ command }] });
    const request = { space_id: space, request_json, read_only: true };
    const { response_json } = await client.ExecuteKip(request, options(KEY));
    return (JSON.parse(response_json) as { results: { result: string[] }[] }).results[0]!.result;
  };

  test("new Spaces are shared out evenly, and calls to the wrong shard arrive all the same", async () => {
    const shards: number[] = [];
    for (const space_id of SPACES) {
      const create = () => workers[0]!.client.CreateSpace({ space_id, user: "u", tier: 8 }, options(ADMIN));
      const made = await eventually(create, 30_000);
      shards.push(made.space!.shard);
    }
    expect([0, 1].map((shard) => shards.filter((one) => one === shard).length)).toEqual([10, 10]);
    for (const [index, space] of SPACES.entries()) {
      const wrong = workers[1 - shards[index]!]!.client;
      await remember(wrong, space, `first of ${space}`);
      expect(await eventually(() => textsOf(wrong, space), 30_000)).toEqual([`first of ${space}`]);
    }
  }, 120_000);

  test("a shard is killed: the other serves its Spaces within 10 s, with everything acknowledged", async () => {
    const [killed, other] = workers as [(typeof workers)[0], (typeof workers)[0]];
    let over = false;
    const lane = async (number: number): Promise<void> => {
      for (let n = number; !over; n += 4) {
        const space = SPACES[n % SPACES.length]!;
        await remember(other.client, space, `word${n} of ${space}`);
      }
    };
    const lanes = Promise.all([0, 1, 2, 3].map(lane));
    lanes.catch(() => undefined);
    const written = (): number => [...acknowledged.values()].reduce((sum, texts) => sum + texts.length, 0);
    await expect.poll(written, { timeout: 60_000 }).toBeGreaterThan(SPACES.length * 3);
    await killed.process.kill("SIGKILL");
    await Promise.all(SPACES.map((space) => eventually(() => textsOf(other.client, space), TAKE_OVER_MS)));
    over = true;
    await lanes;
    for (const space of SPACES) {
      const texts = await eventually(() => textsOf(other.client, space), TAKE_OVER_MS);
      expect(texts.toSorted()).toEqual(acknowledged.get(space)!.toSorted());
      const verify = () => other.client.VerifySpace({ space_id: space }, options(ADMIN));
      const verified = await eventually(verify, 30_000);
      expect(verified).toMatchObject({ equal: true, differences: [] });
    }
  }, 180_000);
});
