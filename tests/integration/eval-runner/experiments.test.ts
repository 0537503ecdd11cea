/** eval-runner against a gateway that behaves as the test says: what is retried, what is not, and what is never doubled. */
import { evalRunnerContract, InProcessServer } from "@mainspring/contracts";
import type { CallOptions, Connected, Principal } from "@mainspring/contracts";
import type { Experiment__Output } from "@mainspring/contracts/eval-runner";
import { composeEvalRunner } from "@mainspring/eval-runner";
import { InProcessQueue } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { FakeGateway } from "../../support/fake-gateway.ts";
import type { FakeEnd } from "../../support/fake-gateway.ts";
import { testPlatform } from "../../support/test-platform.ts";
import type { TestPlatform } from "../../support/test-platform.ts";

type Client = Connected<typeof evalRunnerContract>;

let gateway: FakeGateway;
let platform: TestPlatform;
let runners: { readonly client: Client; readonly stop: () => Promise<void> }[];
let ends: Record<string, FakeEnd | number | ((ofInput: number) => FakeEnd | number)>;
const unexpected: unknown[] = [];

beforeEach(async () => {
  ends = {};
  unexpected.length = 0;
  gateway = await FakeGateway.start(({ body }, ofInput) => {
    const end = ends[body.input] ?? { status: "completed", text: "yes" };
    return typeof end === "function" ? end(ofInput) : end;
  });
  platform = await testPlatform();
  runners = [];
});

afterEach(async () => {
  for (const { stop } of runners) await stop();
  await platform.close();
  await gateway.stop();
  expect(platform.fatal).toEqual([]);
  expect(unexpected).toEqual([]);
});

async function startRunner(more: Partial<Platform> = {}, concurrency = 4): Promise<Client> {
  const own = { ...platform, metrics: (await testPlatform()).metrics, ...more };
  const composed = await composeEvalRunner(own, () => ({ url: gateway.url, key: "secret" }), {
    evalConcurrency: concurrency,
  });
  const server = new InProcessServer(composed.registrations, { onUnexpected: (_, error) => unexpected.push(error) });
  await composed.start();
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopped ??= composed.drain(1_000).then(() => server.drain(1_000)));
  runners.push({ client: server.connect(evalRunnerContract), stop });
  return runners.at(-1)!.client;
}

const by = (tenant: string, ...scopes: string[]): CallOptions => ({
  principal: { tenant, subject: "key_1", scopes } satisfies Principal,
});
const ACME = by("acme");

function definition(inputs: readonly string[], more: object = {}): string {
  const tasks = inputs.map((input) => ({ id: `task ${input}`, input, expected: "yes" }));
  const subjects = [
    { name: "a", model: "model-a", params: { temperature: 0.5 } },
    { name: "b", model: "agent/b" },
  ];
  return JSON.stringify({ name: "n", subjects, tasks, ...more });
}

/** The experiment when it has ended. */
async function ended(client: Client, id: string, as = ACME): Promise<Experiment__Output> {
  let last: Experiment__Output | null = null;
  for await (const { experiment } of client.WatchExperiment({ experiment_id: id }, as)) last = experiment;
  return last!;
}

async function create(client: Client, json: string, as = ACME, concurrency = 0): Promise<Experiment__Output> {
  return (await client.CreateExperiment({ definition_json: json, concurrency }, as)).experiment!;
}

async function attemptsOf(client: Client, id: string) {
  const attempts = [];
  let token = "";
  do {
    const page = await client.ListAttempts({ experiment_id: id, page_size: 3, page_token: token }, ACME);
    attempts.push(...page.attempts);
    token = page.next_page_token;
  } while (token !== "");
  return attempts;
}

describe("attempts", () => {
  test("a wrong answer is a result, an error is tried three times, one that would come again once", async () => {
    ends = {
      right: { status: "completed", text: " yes\n" },
      wrong: { status: "completed", text: "no" },
      broken: { status: "failed", code: "internal" },
      refused: 400,
      flaky: (ofInput) =>
        ofInput <= 2 ? { status: "failed", code: "unavailable" } : { status: "completed", text: "yes" },
      long: { status: "exhausted" },
    };
    const client = await startRunner();
    const { id } = await create(client, definition(Object.keys(ends)));
    const { status, progress } = await ended(client, id);
    expect(status).toBe("completed");
    // flaky: whichever subject comes first, together they are asked until each has an answer.
    expect(progress).toEqual({ cells: 12, passed: 4, failed: 4, errors: 4, running: 0, waiting: 0 });
    const attempts = await attemptsOf(client, id);
    const outcomes = (input: string) =>
      attempts.filter(({ task, subject }) => task === `task ${input}` && subject === "a").map(({ outcome }) => outcome);
    expect(outcomes("right")).toEqual(["passed"]);
    expect(outcomes("wrong")).toEqual(["failed"]);
    expect(outcomes("broken")).toEqual(["error", "error", "error"]);
    expect(outcomes("refused")).toEqual(["error"]);
    expect(outcomes("long")).toEqual(["failed"]);
    expect(outcomes("flaky").at(-1)).toBe("passed");
    const selected = attempts.filter((each) => each.selected);
    expect(selected).toHaveLength(8);
    expect(new Set(selected.map(({ cell_id }) => cell_id)).size).toBe(8);
    expect(attempts.find(({ task, subject }) => task === "task right" && subject === "a")).toMatchObject({
      text: " yes\n",
      text_chars: 5,
      input_tokens: 5,
      cached_input_tokens: 1,
      output_tokens: 2,
      duration_ms: 1_500,
      trace_id: "f".repeat(32),
      run_id: expect.stringMatching(/^run_/),
      error_code: "",
    });
    expect(attempts.find(({ task }) => task === "task refused")).toMatchObject({ error_code: "invalid_argument" });
  });

  test("ask for what the definition says, for the tenant, with the rights of who made the experiment", async () => {
    const client = await startRunner();
    const { id } = await create(client, definition(["x"]), by("acme", "admin"));
    await ended(client, id);
    await ended(client, (await create(client, definition(["x"]))).id);
    const asked = [...gateway.runs.values()];
    expect(asked.map(({ actAs }) => actAs).sort()).toEqual(["acme", "acme", "acme; scope=admin", "acme; scope=admin"]);
    const run = asked.find(({ actAs, body }) => actAs === "acme; scope=admin" && body.model === "model-a")!;
    const metadata = { experiment: id, cell: expect.any(String), attempt: "1" };
    expect(run.body).toEqual({ model: "model-a", input: "x", temperature: 0.5, background: true, metadata });
  });

  test("a run that takes too long is cancelled and its cell failed", async () => {
    ends = { slow: { status: "held" } };
    const client = await startRunner();
    const { id } = await create(client, definition(["slow"], { timeout_seconds: 1 }));
    expect((await ended(client, id)).progress).toMatchObject({ failed: 2 });
    expect(gateway.of("slow").map(({ end }) => end.status)).toEqual(["cancelled", "cancelled"]);
    expect((await attemptsOf(client, id)).map(({ error_code }) => error_code)).toEqual(["timeout", "timeout"]);
  });

  test("a gateway that is away is waited for, within one attempt", async () => {
    gateway.broken = 503;
    const client = await startRunner();
    const { id } = await create(client, definition(["x"]));
    const over = ended(client, id);
    let refused = 0;
    await gateway.until(() => (refused += 1) > 4);
    gateway.broken = null;
    expect((await over).progress).toMatchObject({ passed: 2 });
    expect(await attemptsOf(client, id)).toHaveLength(2);
  });
});

describe("several runners", () => {
  test("ask for every run once, and a cell has one result, though every job comes twice", async () => {
    class DoublingQueue extends InProcessQueue {
      override async add(...args: Parameters<InProcessQueue["add"]>): Promise<void> {
        await super.add(...args);
        await super.add(...args);
      }
    }
    const queue = new DoublingQueue((_queue, _job, error) => platform.fatal.push(error));
    const clients = [await startRunner({ queue, alone: false }), await startRunner({ queue, alone: false })];
    const { id } = await create(clients[0]!, definition(["1", "2", "3", "4", "5"], { repetitions: 2 }));
    expect((await ended(clients[1]!, id)).progress).toMatchObject({ cells: 20, passed: 20 });
    expect(gateway.runs.size).toBe(20);
    expect([...gateway.runs.values()].filter(({ asked }) => asked !== 1)).toEqual([]);
    const attempts = await attemptsOf(clients[0]!, id);
    expect(attempts).toHaveLength(20);
    expect(attempts.every(({ selected }) => selected)).toBe(true);
  });

  test("what a runner left another goes on with, under the same key", async () => {
    ends = { x: { status: "held" }, y: { status: "held" } };
    const first = await startRunner();
    const { id } = await create(first, definition(["x", "y"]));
    await gateway.until(() => gateway.runs.size === 4);
    await runners[0]!.stop();
    const second = await startRunner();
    await gateway.until(() => [...gateway.runs.values()].every(({ asked }) => asked === 2));
    gateway.release("yes");
    expect((await ended(second, id)).progress).toMatchObject({ passed: 4 });
    expect(gateway.runs.size).toBe(4);
    expect(await attemptsOf(second, id)).toHaveLength(4);
  });
});

describe("experiments", () => {
  test("run so many cells at once as they may, and no more", async () => {
    ends = Object.fromEntries(["1", "2", "3", "4", "5"].map((input) => [input, { status: "held" } as const]));
    const client = await startRunner();
    const { id } = await create(client, definition(Object.keys(ends)), ACME, 2);
    const over = ended(client, id);
    for (let count = 2; count <= 10; count += 2) {
      await gateway.until(() => gateway.runs.size === count);
      gateway.release("yes");
    }
    expect((await over).progress).toMatchObject({ passed: 10 });
    expect(gateway.heldMost).toBe(2);
  });

  test("that are cancelled cancel their runs, keep their results, and go on when they are made again", async () => {
    ends = { held: { status: "held" } };
    const client = await startRunner();
    const json = definition(["done", "held"]);
    const { id } = await create(client, json);
    await gateway.until(() => gateway.of("held").length === 2);
    const cancelled = (await client.CancelExperiment({ experiment_id: id }, ACME)).experiment!;
    expect(["cancelling", "cancelled"]).toContain(cancelled.status);
    const { status, progress } = await ended(client, id);
    expect(status).toBe("cancelled");
    expect(progress).toEqual({ cells: 4, passed: 2, failed: 0, errors: 0, running: 0, waiting: 2 });
    expect(gateway.of("held").map(({ end }) => end.status)).toEqual(["cancelled", "cancelled"]);
    ends = {};
    const again = (await client.CreateExperiment({ definition_json: json, concurrency: 0 }, ACME))!;
    expect(again).toMatchObject({ created: false, experiment: { id, round: 2, status: "running" } });
    expect((await ended(client, id)).progress).toMatchObject({ passed: 4 });
    expect(gateway.of("done")).toHaveLength(2);
  });

  test("made again run only what has no result; with a repetition more they keep what they have", async () => {
    ends = { broken: { status: "failed", code: "internal" } };
    const client = await startRunner();
    const json = definition(["fine", "broken"]);
    const { id } = await create(client, json);
    expect((await ended(client, id)).progress).toMatchObject({ passed: 2, errors: 2 });
    ends = {};
    await create(client, json);
    expect(await ended(client, id)).toMatchObject({ round: 2, progress: { passed: 4, errors: 0 } });
    expect(gateway.of("fine")).toHaveLength(2);
    expect((await create(client, json)).status).toBe("completed");
    const grown = await create(client, definition(["fine", "broken"], { repetitions: 2 }));
    expect(grown.id).not.toBe(id);
    expect((await ended(client, grown.id)).progress).toMatchObject({ cells: 8, passed: 8 });
    expect(gateway.of("fine")).toHaveLength(4);
  });

  test("with cells in common: one is cancelled, the other has all its results", async () => {
    ends = { x: { status: "held" } };
    const client = await startRunner();
    const { id } = await create(client, definition(["x"]));
    await gateway.until(() => gateway.runs.size === 2);
    const { id: grown } = await create(client, definition(["x"], { repetitions: 2 }));
    await gateway.until(() => gateway.runs.size === 4);
    ends = {};
    await client.CancelExperiment({ experiment_id: id }, ACME);
    expect((await ended(client, id)).status).toBe("cancelled");
    gateway.release("yes");
    const over = { status: "completed", progress: { cells: 4, passed: 4, errors: 0 } };
    expect(await ended(client, grown)).toMatchObject(over);
  });

  test("of another tenant look like missing ones", async () => {
    const client = await startRunner();
    const { id } = await create(client, definition(["x"]));
    await ended(client, id);
    const other = by("other", "admin");
    const request = { experiment_id: id };
    const missing = { code: "not_found", message: `no experiment ${id}` };
    await expect(client.GetExperiment(request, other)).rejects.toMatchObject(missing);
    await expect(client.CancelExperiment(request, other)).rejects.toMatchObject(missing);
    await expect(client.GetReport(request, other)).rejects.toMatchObject(missing);
    await expect(client.ListAttempts({ ...request, page_size: 1 }, other)).rejects.toMatchObject(missing);
    await expect(ended(client, id, other)).rejects.toMatchObject(missing);
    expect((await client.ListExperiments({ page_size: 10 }, other)).experiments).toEqual([]);
    await expect(client.ListExperiments({ page_size: 10 })).rejects.toMatchObject({ code: "unauthenticated" });
    const own = await client.ListExperiments({}, ACME);
    expect((await client.ListAttempts(request, ACME)).attempts.length).toBeGreaterThan(0);
    expect(own.experiments).toMatchObject([{ id, status: "completed", definition_json: "" }]);
  });

  test("have a report against any of their subjects", async () => {
    ends = { x: (ofInput) => ({ status: "completed", text: ofInput === 1 ? "yes" : "no" }) };
    const client = await startRunner({}, 1);
    const { id } = await create(client, definition(["x"]));
    await ended(client, id);
    const reportOf = async (baseline: string) =>
      JSON.parse((await client.GetReport({ experiment_id: id, baseline }, ACME)).report_json) as object;
    const comparison = { baseline: "b", subject: "a", pairs: 1, only_baseline_passed: 0, only_subject_passed: 1 };
    expect(await reportOf("b")).toMatchObject({
      subjects: [
        { subject: "a", passed: 1, mean_duration_ms: 1_500 },
        { subject: "b", failed: 1 },
      ],
      comparisons: [{ ...comparison, difference: 1, p_value: 1 }],
      failures: [{ subject: "b", task: "task x", repetition: 1, outcome: "failed", text: "no" }],
    });
    await expect(reportOf("c")).rejects.toMatchObject({ code: "invalid_argument", param: "baseline" });
  });

  test("refuse what is out of bounds, with the name of the field", async () => {
    const client = await startRunner();
    const wrong = { code: "invalid_argument" };
    await expect(create(client, definition([]))).rejects.toMatchObject({ ...wrong, param: "tasks" });
    await expect(create(client, definition(["x"]), ACME, 5_000)).rejects.toMatchObject({
      ...wrong,
      param: "concurrency",
    });
    await expect(client.ListExperiments({ page_size: 101 }, ACME)).rejects.toMatchObject(wrong);
    await expect(client.ListExperiments({ page_size: 1, page_token: "x" }, ACME)).rejects.toMatchObject(wrong);
  });
});
