/**
 * The deployment of real processes under faults. Load runs all the time; each effect is reported to an outside witness.
 * Whatever is killed, frozen or emptied: every run finishes, and no effect that must not happen twice does.
 */
import { setTimeout as pause } from "node:timers/promises";

import { Seeded } from "@mainspring/testkit";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { Deployment } from "../support/deployment.ts";
import type { MemberName } from "../support/deployment.ts";
import { withServer } from "../support/adapters.ts";
import { api, checkStream, readToEnd, startRun } from "../support/run-reader.ts";
import { Witness, WITNESS_TOOLS_DIR } from "../support/witness.ts";

const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
/** The nightly command sets more. */
const KILLS = Number(process.env["MAINSPRING_KILLS"] ?? 20);
const RUNS_AT_ONCE = 8;
const RUN_TIMEOUT_MS = 180_000;

const { redis, mongo } = inject("servers");
const both = redis.url === null ? redis : mongo;

withServer("the deployment under faults", both, () => {
  let witness: Witness;
  let deployment: Deployment;
  let named = 0;

  beforeAll(async () => {
    witness = await Witness.start();
    deployment = await Deployment.start({ toolsDir: WITNESS_TOOLS_DIR, environment: { WITNESS_URL: witness.url } });
  }, 180_000);

  afterAll(async () => {
    await deployment.stop();
    await witness.stop();
  });

  /** Runs of two rounds with three kinds of tools, a bounded number at a time, while `until` is not done. */
  async function load(until: Promise<unknown>): Promise<Promise<void>[]> {
    let over = false;
    void until.finally(() => (over = true)).catch(() => undefined);
    const runs: Promise<void>[] = [];
    const lane = async (): Promise<void> => {
      do {
        const run = oneRun();
        // What fails is reported when all are waited for.
        run.catch(() => undefined);
        runs.push(run);
        await Promise.race([run.catch(() => undefined), until]);
      } while (!over);
    };
    await Promise.all(Array.from({ length: RUNS_AT_ONCE }, lane));
    return runs;
  }

  /** What each unfinished run was last seen at. */
  const stages = new Map<string, string>();

  async function oneRun(): Promise<void> {
    const name = `r${(named += 1)}`;
    stages.set(name, "starting");
    const round = (step: number): string[] => [
      `say round ${step}`,
      `call witness_never {"id":"${name}-${step}-never"}`,
      `call witness_keyed {"id":"${name}-${step}-keyed"}`,
      `call witness_safe {"id":"${name}-${step}-safe"}`,
      "then",
    ];
    const id = await startRun(deployment.url, [...round(1), ...round(2), "say done"].join("\n"), name);
    stages.set(name, `${id} started`);
    const events = await readToEnd(
      () => deployment.url,
      id,
      ({ type, sequence_number: n }) =>
        stages.set(name, `${id} read up to ${type} ${n} at ${new Date().toISOString()}`),
    );
    checkStream(events);
    stages.delete(name);
    if (events.at(-1)!.type !== "response.completed") {
      throw new Error(`${name} (${id}) ended with ${JSON.stringify(events.at(-1)).slice(0, 500)}`);
    }
  }

  async function finish(runs: readonly Promise<void>[]): Promise<void> {
    let left = runs.length;
    for (const run of runs) void run.then(() => (left -= 1)).catch(() => undefined);
    const limit = pause(RUN_TIMEOUT_MS, "late", { ref: false });
    const result = await Promise.race([Promise.all(runs), limit]);
    if (result === "late")
      throw new Error(
        `${left} of ${runs.length} runs did not finish (SEED=${SEED})\n${await unfinished()}${deployment.logs()}`,
      );
    expect(twice(), `SEED=${SEED}`).toEqual([]);
  }

  async function unfinished(): Promise<string> {
    const lines = [...stages].map(async ([name, stage]) => {
      const id = stage.split(" ", 1)[0]!;
      const seen = await api(deployment.url, `/v1/responses/${id}`).then(
        (response) => response.text(),
        (error: unknown) => String(error),
      );
      return `${name} ${stage}; the server says: ${seen.slice(0, 300)}`;
    });
    return `${(await Promise.all(lines)).join("\n")}\n`;
  }

  /** Effects that must not happen twice and did: never_retry calls at all, keyed ones under two keys. */
  function twice(): string[] {
    const seen = new Map<string, Set<string>>();
    const wrong: string[] = [];
    for (const { tool, id, key, call, attempt } of witness.effects) {
      const keys = seen.get(id) ?? new Set();
      seen.set(id, keys);
      if (tool === "witness_never" && keys.size > 0) wrong.push(`${id} again: ${call}/${attempt}`);
      keys.add(key);
      if (keys.size > 1) wrong.push(`${id} under ${keys.size} keys`);
    }
    return wrong;
  }

  async function under(fault: () => Promise<void>): Promise<void> {
    const faulting = fault();
    const runs = await load(faulting);
    await faulting;
    await finish(runs);
  }

  test(`members killed in turn at ${KILLS} random moments`, { timeout: 900_000 }, async () => {
    console.log(`SEED=${SEED}`);
    const rng = new Seeded(SEED);
    await under(async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(rng.int(400));
        await deployment.killAndRestart(deployment.names[kill % deployment.names.length]!);
      }
    });
  });

  test("Redis emptied in mid-run", { timeout: 300_000 }, async () => {
    await under(async () => {
      const client = new Redis(deployment.redis.url);
      for (let time = 0; time < 5; time += 1) {
        await pause(300);
        await client.flushall();
      }
      client.disconnect();
    });
  });

  describe("frozen for longer than their leases and woken again", () => {
    for (const name of ["engine-worker-1", "tool-runner-2"] as const satisfies readonly MemberName[]) {
      test(name, { timeout: 300_000 }, async () => {
        await under(async () => {
          await pause(300);
          deployment.process(name).signal("SIGSTOP");
          await pause(8_000);
          deployment.process(name).signal("SIGCONT");
          await pause(1_000);
        });
      });
    }
  });

  test("Redis gone for 20 s", { timeout: 300_000 }, async () => {
    await under(async () => {
      await pause(300);
      await deployment.redis.control!.kill("SIGKILL");
      await pause(20_000);
      await deployment.redis.control!.start();
      await pause(500);
    });
  });

  test("the database frozen for 20 s", { timeout: 300_000 }, async () => {
    await under(async () => {
      await pause(300);
      deployment.mongo.control!.freeze();
      await pause(20_000);
      deployment.mongo.control!.thaw();
      await pause(500);
    });
  });

  test(
    "500 runs of three tool rounds at once: each tool called exactly once, none lost",
    { timeout: 600_000 },
    async () => {
      const before = witness.effects.length;
      const names = Array.from({ length: 500 }, (_, index) => `mass-${index}`);
      const runs = names.map(async (name) => {
        const rounds = [1, 2, 3].map((step) => `call witness_never {"id":"${name}-${step}"}\nthen`);
        const id = await startRun(deployment.url, [...rounds, "say done"].join("\n"), name);
        const events = await readToEnd(() => deployment.url, id);
        if (events.at(-1)!.type !== "response.completed") throw new Error(`${name} ended with ${events.at(-1)!.type}`);
      });
      await finish(runs);
      const counts = new Map<string, number>();
      for (const { id } of witness.effects.slice(before)) counts.set(id, (counts.get(id) ?? 0) + 1);
      expect(counts.size, deployment.logs()).toBe(1_500);
      expect([...counts.values()].filter((count) => count !== 1)).toEqual([]);
    },
  );
});
