/** Who gets the places of the runners: tenants take turns, then the experiments of a tenant. */
import { evalRunnerContract, InProcessServer } from "@mainspring/contracts";
import type { CallOptions, Connected } from "@mainspring/contracts";
import type { Experiment__Output } from "@mainspring/contracts/eval-runner";
import { composeEvalRunner } from "@mainspring/eval-runner";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeGateway } from "../../support/fake-gateway.ts";
import type { FakeEnd } from "../../support/fake-gateway.ts";
import { testPlatform } from "../../support/test-platform.ts";
import type { TestPlatform } from "../../support/test-platform.ts";

type Client = Connected<typeof evalRunnerContract>;
interface Runner {
  readonly client: Client;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const HELD = { status: "held" } as const;
const DONE = { status: "completed", text: "yes" } as const;

let gateway: FakeGateway;
let platform: TestPlatform;
let runners: Runner[];
let endOf: (tenant: string, runs: number) => FakeEnd;

beforeEach(async () => {
  endOf = () => DONE;
  gateway = await FakeGateway.start(({ actAs }) => endOf(actAs, gateway.runs.size + 1));
  platform = await testPlatform();
  runners = [];
});

afterEach(async () => {
  for (const { stop } of runners) await stop();
  await platform.close();
  await gateway.stop();
  expect(platform.fatal).toEqual([]);
});

/** Not started yet: what is made before that is there at once. */
async function runner(places: number, alone = true): Promise<Runner> {
  const own = { ...platform, metrics: (await testPlatform()).metrics, alone };
  const address = () => ({ url: gateway.url, key: "secret" });
  const composed = await composeEvalRunner(own, address, { evalConcurrency: places });
  const server = new InProcessServer(composed.registrations);
  let stopped: Promise<void> | null = null;
  const made = {
    client: server.connect(evalRunnerContract),
    start: async () => await composed.start(),
    stop: () => (stopped ??= composed.drain(1_000).then(() => server.drain(1_000))),
  };
  runners.push(made);
  return made;
}

const by = (tenant: string): CallOptions => ({ principal: { tenant, subject: "key_1", scopes: [] } });

/** Two cells a task. */
async function make(client: Client, tenant: string, name: string, tasks: number, concurrency = 0): Promise<string> {
  const definition = {
    name,
    subjects: [{ model: "a" }, { model: "b" }],
    tasks: Array.from({ length: tasks }, (_, index) => ({
      id: `${index}`,
      input: `${name} ${index}`,
      expected: "yes",
    })),
  };
  const request = { definition_json: JSON.stringify(definition), concurrency };
  return (await client.CreateExperiment(request, by(tenant))).experiment!.id;
}

async function ended(client: Client, tenant: string, id: string): Promise<Experiment__Output> {
  let last: Experiment__Output | null = null;
  for await (const { experiment } of client.WatchExperiment({ experiment_id: id }, by(tenant))) last = experiment;
  return last!;
}

const asked = () => [...gateway.runs.values()];
const tenants = () => asked().map(({ actAs }) => actAs);
const names = (tenant: string) =>
  asked().flatMap(({ actAs, body }) => (actAs === tenant ? [body.input.split(" ")[0]] : []));

test("tenants take turns, and within one its experiments, however many cells and experiments somebody has", async () => {
  const { client, start } = await runner(1);
  const big = await make(client, "acme", "big", 20);
  const second = await make(client, "acme", "second", 2);
  const small = await make(client, "other", "small", 2);
  await start();
  const done = { status: "completed", progress: { errors: 0, waiting: 0 } };
  expect(await ended(client, "other", small)).toMatchObject(done);
  expect(await ended(client, "acme", second)).toMatchObject(done);
  expect(await ended(client, "acme", big)).toMatchObject(done);
  expect(tenants().slice(0, 8)).toEqual(["acme", "other", "acme", "other", "acme", "other", "acme", "other"]);
  expect(names("acme").slice(0, 8)).toEqual(["big", "second", "big", "second", "big", "second", "big", "second"]);
});

test.each([
  ["one runner", 1, 2],
  ["two runners", 2, 1],
])("%s: a small experiment ends while a big one of another tenant has every place", async (_name, count, places) => {
  endOf = (tenant) => (tenant === "acme" ? HELD : DONE);
  for (let index = 0; index < count; index += 1) await (await runner(places, count === 1)).start();
  const { client } = runners[0]!;
  const big = await make(client, "acme", "big", 100);
  await gateway.until(() => gateway.runs.size === 2);
  const small = await make(client, "other", "small", 3);
  gateway.release("yes");
  expect(await ended(client, "other", small)).toMatchObject({ status: "completed", progress: { passed: 6 } });
  const { experiment } = await client.GetExperiment({ experiment_id: big }, by("acme"));
  expect(experiment).toMatchObject({ status: "running", progress: { passed: 2 } });
  // Those that ended had both places; one at most was given to the big one before the small one had its first.
  expect(names("acme").length).toBeLessThanOrEqual(2 + 2);
  await client.CancelExperiment({ experiment_id: big }, by("acme"));
  await ended(client, "acme", big);
});

test("a tenant with long cells has no more places than others", async () => {
  endOf = (tenant) => (tenant === "acme" ? HELD : DONE);
  const { client, start } = await runner(4);
  const long = await make(client, "acme", "long", 20);
  const short = await make(client, "other", "short", 20);
  await start();
  expect((await ended(client, "other", short)).progress).toMatchObject({ passed: 40 });
  // As soon as the other had nothing left to start they were its own again: until then it had two.
  const last = tenants().lastIndexOf("other");
  expect(
    tenants()
      .slice(0, last)
      .filter((tenant) => tenant === "acme"),
  ).toHaveLength(2);
  await client.CancelExperiment({ experiment_id: long }, by("acme"));
  await ended(client, "acme", long);
});

test("many experiments of one tenant keep nobody else waiting", async () => {
  endOf = (tenant) => (tenant === "acme" ? HELD : DONE);
  const { client, start } = await runner(2);
  for (let index = 0; index < 40; index += 1) await make(client, "acme", `many${index}`, 1, 1);
  const small = await make(client, "other", "small", 1);
  await start();
  expect(await ended(client, "other", small)).toMatchObject({ progress: { passed: 2 } });
});

test("after a restart it is the turn of whoever was next", async () => {
  endOf = (_tenant, runs) => (runs === 3 ? HELD : DONE);
  const first = await runner(1);
  await make(first.client, "acme", "one", 5);
  const other = await make(first.client, "other", "two", 5);
  await first.start();
  await gateway.until(() => gateway.runs.size === 3);
  expect(tenants()).toEqual(["acme", "other", "acme"]);
  await first.stop();
  const second = await runner(1);
  await second.start();
  // The attempt that was left behind waits for the turn of its tenant.
  await gateway.until(() => gateway.runs.size === 4);
  expect(tenants()[3]).toBe("other");
  expect(asked()[2]!.asked).toBe(1);
  await gateway.until(() => asked()[2]!.asked === 2);
  gateway.release("yes");
  expect(await ended(second.client, "other", other)).toMatchObject({ progress: { passed: 10 } });
});
