/**
 * A session that kills every worker which takes it up: here by a damaged log, written behind the engine's back. It is
 * tried again, then alone in a process of its own, then put aside with a reason; after a fix it can be reopened. Its
 * neighbours go on.
 */
import { setTimeout as pause } from "node:timers/promises";

import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { withServer } from "../support/adapters.ts";
import { Deployment } from "../support/deployment.ts";
import { api, readToEnd, startRun } from "../support/run-reader.ts";

interface CommitDocument {
  readonly _id: string;
  readonly events: string;
}

const { redis, mongo } = inject("servers");

withServer("a poisonous session", redis.url === null ? redis : mongo, () => {
  let deployment: Deployment;
  let client: MongoClient;
  let supervising = true;
  let deaths = 0;

  beforeAll(async () => {
    deployment = await Deployment.start();
    client = await MongoClient.connect(deployment.mongo.url);
    for (const name of ["engine-worker-1", "engine-worker-2"] as const) void supervise(name);
  }, 180_000);

  afterAll(async () => {
    supervising = false;
    await client.close();
    await deployment.stop();
  });

  /** Starts the worker again whenever it ends, as a supervisor would. */
  async function supervise(name: "engine-worker-1" | "engine-worker-2"): Promise<void> {
    while (supervising) {
      await deployment.process(name).ended();
      if (!supervising) return;
      deaths += 1;
      await deployment.startMember(name).catch(() => undefined);
    }
  }

  test(
    "is put aside after it killed enough, visible with its reason, and goes on after a fix",
    { timeout: 300_000 },
    async () => {
      const { url } = deployment;
      const first = await startRun(url, "say fine", "poison");
      await readToEnd(() => url, first);
      const run = first.replace("resp_", "run_");
      const { session_id: session } = (await (await api(url, `/v1/runs/${run}`)).json()) as { session_id: string };
      const commits = client.db("mainspring").collection<CommitDocument>("session_commits");
      const healthy = await commits.findOne({ _id: `${session}/1` });
      const damaged = (JSON.parse(healthy!.events) as { type: string }[]).filter(({ type }) => type !== "run.queued");
      await commits.updateOne({ _id: `${session}/1` }, { $set: { events: JSON.stringify(damaged) } });
      await client.db("mainspring").collection("session_snapshots").deleteMany({ session });

      const neighbour = startRun(url, "wait 1000\nsay still here", "neighbour").then((id) => readToEnd(() => url, id));
      // Whoever answers this dies of it, so the answer may never come.
      void api(url, `/v1/sessions/${session}/runs`, {
        input: "say again",
        agent: "script",
        client_run_id: "second",
      }).catch(() => undefined);
      const quarantined = await until(async () => {
        const answer = (await (await api(url, `/v1/sessions/${session}`)).json()) as {
          status: string;
          status_reason?: string;
        };
        return answer.status === "quarantined" ? answer : null;
      });
      expect(quarantined.status_reason).toContain("workers in a row died");
      expect(deaths).toBeGreaterThanOrEqual(3);
      expect((await neighbour).at(-1)).toMatchObject({ type: "response.completed" });

      const refused = await until(async () => {
        const answer = await api(url, `/v1/sessions/${session}/runs`, { input: "say no", agent: "script" });
        return answer.status < 500 ? answer : null;
      });
      expect(refused.status).toBe(409);
      const before = deaths;
      await commits.updateOne({ _id: `${session}/1` }, { $set: { events: healthy!.events } });
      expect((await api(url, `/v1/sessions/${session}/reopen`, {})).status).toBe(200);
      const runs = await until(async () => {
        const page = (await (await api(url, `/v1/sessions/${session}/runs`)).json()) as { data: { status: string }[] };
        return page.data.length === 2 && page.data.every(({ status }) => status === "completed") ? page.data : null;
      });
      expect(runs).toHaveLength(2);
      expect(deaths).toBe(before);
    },
  );
});

/** Asks until the answer is there; a server that is away is asked again. */
async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
    await pause(200);
  }
}
