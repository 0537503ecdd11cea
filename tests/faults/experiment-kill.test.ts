/** kill -9 of eval-runners in the middle of experiments: they complete, nothing is run twice or lost, nobody is starved. */
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { Deployment } from "../support/deployment.ts";
import { withServer } from "../support/adapters.ts";
import { api } from "../support/run-reader.ts";

const { redis, mongo } = inject("servers");

interface Experiment {
  readonly id: string;
  readonly status: string;
  readonly progress: Readonly<Record<"cells" | "passed" | "failed" | "errors" | "running" | "waiting", number>>;
}

interface Attempt {
  readonly cell_id: string;
  readonly number: number;
  readonly outcome: string;
  readonly selected: boolean;
  readonly run_id: string | null;
}

withServer("experiments under kill -9", redis.url === null ? redis : mongo, () => {
  let deployment: Deployment;
  beforeAll(async () => void (deployment = await Deployment.start({ evals: true })), 180_000);
  afterAll(() => deployment.stop());

  async function ask<T>(path: string, body?: unknown): Promise<T> {
    for (;;) {
      const response = await api(deployment.url, path, body);
      if (response.ok) return (await response.json()) as T;
      const text = await response.text();
      // The address of a runner that is dead is tried before that of the other.
      if (response.status !== 503) throw new Error(`${path}: ${response.status} ${text}`);
      await pause(100);
    }
  }

  async function all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let next: string | null = ""; next !== null;) {
      const page: { data: T[]; next: string | null } = await ask(`${path}?limit=50&after=${next}`);
      found.push(...page.data);
      next = page.next;
    }
    return found;
  }

  /** 40 cells: 2 subjects × 10 tasks × 2 repetitions, half of which are answered wrongly by the one subject. */
  function experiment(name: string): object {
    const tasks = Array.from({ length: 10 }, (_, index) => ({
      id: `${index}`,
      input: `wait 300\ncall calculator {"expression": "${index} + 1"}\nsay It is {{result}}.`,
      expected: `It is ${index + 1}.`,
    }));
    const subjects = [
      { name: "with tools", model: "agent/script" },
      { name: "without", model: "offline/script" },
    ];
    return { name, repetitions: 2, subjects, tasks };
  }

  async function until(id: string, isSo: (experiment: Experiment) => boolean): Promise<Experiment> {
    for (;;) {
      const seen = await ask<Experiment>(`/v1/experiments/${id}`);
      if (isSo(seen)) return seen;
      await pause(50);
    }
  }

  const done = ({ progress }: Experiment): number => progress.passed + progress.failed;

  /** Kills at half, lets `recover` do something, and checks what there is in the end. */
  async function survives(name: string, kill: () => Promise<void>, recover: () => Promise<void>): Promise<void> {
    const sessionsBefore = (await all("/v1/sessions")).length;
    const { id } = await ask<Experiment>("/v1/experiments", experiment(name));
    await until(id, (seen) => done(seen) >= 20 && seen.progress.running > 0);
    const before = await all<Attempt>(`/v1/experiments/${id}/attempts`);
    await kill();
    await recover();
    const over = await until(id, ({ status }) => status !== "running");
    expect(over).toMatchObject({
      status: "completed",
      progress: { cells: 40, passed: 20, failed: 20, errors: 0, running: 0, waiting: 0 },
    });
    const attempts = await all<Attempt>(`/v1/experiments/${id}/attempts`);
    expect(attempts.filter(({ outcome }) => outcome !== "passed" && outcome !== "failed")).toEqual([]);
    // One selected attempt a cell, and no cell without.
    const selected = attempts.filter((attempt) => attempt.selected).map(({ cell_id }) => cell_id);
    expect(selected).toHaveLength(40);
    expect(new Set(selected).size).toBe(40);
    // No attempt is lost, and what had ended is as it was.
    for (const { cell_id, number, outcome, run_id } of before) {
      const now = attempts.find((attempt) => attempt.cell_id === cell_id && attempt.number === number);
      expect(now).toMatchObject(outcome === "running" ? { cell_id } : { outcome, run_id });
    }
    // Every attempt is a run of its own, and there is no run that no attempt knows of.
    expect(new Set(attempts.map(({ run_id }) => run_id)).size).toBe(attempts.length);
    expect((await all("/v1/sessions")).length - sessionsBefore).toBe(attempts.length);
  }

  test("a small one of another tenant ends while a big one has both runners, though one of them is killed", async () => {
    const { key } = await ask<{ key: string }>("/v1/keys", { tenant: "other" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const ofOther = async (path: string, body?: object): Promise<Experiment> => {
      for (;;) {
        const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
        const response = await fetch(deployment.url + path, { headers, ...sent });
        if (response.ok) return (await response.json()) as Experiment;
        if (response.status !== 503) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        await pause(100);
      }
    };
    const big = { ...experiment("big"), repetitions: 100 };
    const { id } = await ask<Experiment>("/v1/experiments", big);
    await until(id, ({ progress }) => progress.running >= 8);
    const small = await ofOther("/v1/experiments", { ...experiment("small"), repetitions: 1 });
    await deployment.process("eval-runner-1").kill("SIGKILL");
    for (let seen = small; seen.status === "running"; await pause(50))
      seen = await ofOther(`/v1/experiments/${small.id}`);
    expect((await ofOther(`/v1/experiments/${small.id}`)).progress).toMatchObject({
      cells: 20,
      passed: 10,
      failed: 10,
    });
    const under = await until(id, () => true);
    expect(under.status).toBe("running");
    expect(under.progress.waiting).toBeGreaterThan(1_000);
    await ask(`/v1/experiments/${id}/cancel`, {});
    await until(id, ({ status }) => status === "cancelled");
    await deployment.startMember("eval-runner-1");
  });

  test("every runner is killed at half, and one is started again", async () => {
    const kill = (): Promise<unknown> =>
      Promise.all(
        (["eval-runner-1", "eval-runner-2"] as const).map((name) => deployment.process(name).kill("SIGKILL")),
      );
    await survives(
      "all killed",
      async () => void (await kill()),
      () => deployment.startMember("eval-runner-2"),
    );
  });

  test("one of two is killed at half, and the other goes on with its cells", async () => {
    await deployment.startMember("eval-runner-1");
    const kill = async (): Promise<void> => void (await deployment.process("eval-runner-1").kill("SIGKILL"));
    await survives("one killed", kill, async () => undefined);
  });
});
