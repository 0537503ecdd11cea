/** Jobs, the ledger, stop requests and restarts, on the SQLite ledger. Effects are counted in a file of the test's own. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { InProcessServer, toolRunnerContract } from "@mainspring/contracts";
import type { CallOptions, ToolRunnerClient } from "@mainspring/contracts";
import { sleep, systemClock } from "@mainspring/kernel";
import { openSqliteThread } from "@mainspring/service-kit";
import type { SqliteThread } from "@mainspring/service-kit";
import { composeToolRunner } from "@mainspring/tool-runner";
import type { ComposedToolRunner } from "@mainspring/tool-runner";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeEngine } from "../../support/fake-engine.ts";
import { processesNamed } from "../../support/processes.ts";
import { testPlatform } from "../../support/test-platform.ts";
import type { TestPlatform } from "../../support/test-platform.ts";

const SERVICE: CallOptions = { principal: { tenant: "acme", subject: "service:engine-worker", scopes: ["service"] } };
const OTHER = { session: "ses_1", call: "other", attempt: 1 };

interface Runner extends ComposedToolRunner {
  readonly platform: TestPlatform;
  readonly client: ToolRunnerClient;
}

let directory: string;
let engine: FakeEngine;
let thread: SqliteThread;
let runners: Runner[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "mainspring-calls-"));
  const witness = join(directory, "witness");
  await writeFile(witness, "");
  await writeFile(
    join(directory, "effect.mjs"),
    `import { appendFile } from "node:fs/promises";
     export default {
       name: "effect", description: "Leaves a line.", parameters: { type: "object", properties: { hang: { type: "boolean" } } },
       async execute({ hang }, { call, attempt, idempotencyKey, signal }) {
         await appendFile(${JSON.stringify(witness)}, call + " " + attempt + " " + idempotencyKey + "\\n");
         if (hang) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
         return "done " + call;
       },
     };`,
  );
  engine = new FakeEngine();
  thread = await openSqliteThread({ path: join(directory, "ledger.db") });
  runners = [];
});

afterEach(async () => {
  for (const runner of runners) {
    await runner.drain(0);
    await runner.platform.close();
    expect(runner.platform.fatal).toEqual([]);
  }
  await thread.close();
  await rm(directory, { recursive: true, force: true });
});

async function start(more: Parameters<typeof testPlatform>[0] = {}, concurrency = 8): Promise<Runner> {
  const platform = await testPlatform({ stores: { kind: "sqlite", thread }, ...more });
  const composed = await composeToolRunner(platform, { engine: engine.client, memory: null }, settingsOf(concurrency));
  const runner = {
    ...composed,
    platform,
    client: new InProcessServer(composed.registrations).connect(toolRunnerContract),
  };
  await runner.start();
  runners.push(runner);
  return runner;
}

function settingsOf(toolConcurrency: number) {
  return {
    dataDir: directory,
    workspaces: undefined,
    toolsDir: directory,
    toolConcurrency,
    sandbox: "auto",
    sandboxNetwork: "off",
    sandboxMemoryMib: 256,
    path: "/usr/local/bin:/usr/bin:/bin",
  } as const;
}

async function add(
  runner: Runner,
  call: string,
  args: object | null = {},
  tool = "effect",
  attempt = 1,
): Promise<void> {
  const base = {
    session: "ses_1",
    run: "run_1",
    call,
    attempt,
    tenant: "acme",
    tool,
    trace: "",
    holder: "wrk_1",
    k: 4,
  };
  await runner.platform.queue.add("tools", args === null ? base : { ...base, args: JSON.stringify(args) });
}

async function effects(): Promise<string[]> {
  return (await readFile(join(directory, "witness"), "utf8")).split("\n").filter(Boolean);
}

const ref = (call: string, attempt = 1) => ({ session_id: "ses_1", call_id: call, attempt });

async function stateOf(runner: Runner, call: string): Promise<string | undefined> {
  return (await runner.client.ResolveCalls({ calls: [ref(call)] }, SERVICE)).calls[0]?.state;
}

test("a call runs, is settled and its result is posted for its tenant", async () => {
  const runner = await start();
  await add(runner, "a");
  expect(await engine.resultOf("a")).toEqual({
    session: "ses_1",
    call: "a",
    attempt: 1,
    outcome: "completed",
    output: "done a",
    artifact: "",
    late: false,
    tenant: "acme",
    holder: "wrk_1",
  });
});

test("a job that comes often has one effect", async () => {
  const first = await start();
  const second = await start({ alone: false });
  for (let time = 0; time < 5; time += 1) await Promise.all([add(first, "a"), add(second, "a")]);
  await engine.resultOf("a");
  await add(first, "a");
  await add(second, "a");
  await add(first, "b");
  await engine.resultOf("b");
  await Promise.all([first.drain(10_000), second.drain(10_000)]);
  expect((await effects()).filter((line) => line.startsWith("a "))).toHaveLength(1);
  expect(engine.posts.filter(({ call }) => call === "a")).toHaveLength(1);
});

test("another attempt of the call runs under the same key", async () => {
  const runner = await start();
  await add(runner, "a", {}, "effect", 1);
  await add(runner, "a", {}, "effect", 2);
  while (engine.posts.length < 2) await sleep(systemClock, 2);
  const keys = (await effects()).map((line) => line.split(" ")[2]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("arguments that the job does not carry are asked for; a call that is no longer open does not run", async () => {
  const runner = await start({}, 1);
  engine.calls.set("asked", "{}");
  engine.calls.set("closed", null);
  for (const call of ["closed", "unknown", "asked"]) await add(runner, call, null);
  await engine.resultOf("asked");
  expect((await effects()).map((line) => line.split(" ")[0])).toEqual(["asked"]);
});

test("a call that was cancelled before its job came never runs", async () => {
  const runner = await start({}, 1);
  const { calls } = await runner.client.CancelCalls({ calls: [ref("a")] }, SERVICE);
  expect(calls).toMatchObject([{ state: "cancelled" }]);
  await add(runner, "a");
  await add(runner, OTHER.call);
  await engine.resultOf(OTHER.call);
  expect((await effects()).map((line) => line.split(" ")[0])).toEqual([OTHER.call]);
  expect(engine.posts.map(({ call }) => call)).toEqual([OTHER.call]);
});

test("a running call is stopped at once, its processes are gone, and it says so", async () => {
  const runner = await start();
  await add(runner, "a", { command: "echo begun; sleep 1083.5" }, "shell");
  while (processesNamed("sleep 1083.5") === 0) await sleep(systemClock, 5);
  expect(await stateOf(runner, "a")).toBe("started");
  await runner.client.CancelCalls({ calls: [ref("a")] }, SERVICE);
  const result = await engine.resultOf("a");
  expect(processesNamed("sleep 1083.5")).toBe(0);
  expect(result).toMatchObject({ outcome: "cancelled", output: expect.stringContaining("begun") });
});

test("one runner can stop the calls of another", async () => {
  const first = await start();
  const second = await start({ alone: false, bus: first.platform.bus });
  await add(first, "a", { hang: true });
  while ((await effects()).length === 0) await sleep(systemClock, 2);
  await second.client.CancelCalls({ calls: [ref("a")] }, SERVICE);
  expect(await engine.resultOf("a")).toMatchObject({ outcome: "cancelled" });
});

test("an engine that is away gets the result when it is back", async () => {
  const runner = await start();
  engine.away = true;
  await add(runner, "a");
  while ((await effects()).length === 0) await sleep(systemClock, 2);
  engine.away = false;
  expect(await engine.resultOf("a")).toMatchObject({ outcome: "completed" });
});

test("what a dead runner had begun is lost, once and for all, and its job does not run again", async () => {
  const dead = await start();
  await add(dead, "a", { hang: true });
  while ((await effects()).length === 0) await sleep(systemClock, 2);
  // Its store goes away under it: from here on it can record nothing, like a process that was killed.
  await thread.close();
  thread = await openSqliteThread({ path: join(directory, "ledger.db") });
  const next = await start({}, 1);
  expect(await stateOf(next, "a")).toBe("lost");
  await add(next, "a", { hang: true });
  await add(next, OTHER.call);
  await engine.resultOf(OTHER.call);
  expect((await effects()).map((line) => line.split(" ")[0])).toEqual(["a", OTHER.call]);
  expect(await stateOf(next, "a")).toBe("lost");
});

test("a result that a dead runner did not deliver is delivered by the next", async () => {
  const dead = await start();
  engine.away = true;
  await add(dead, "a");
  while ((await stateOf(dead, "a")) !== "settled") await sleep(systemClock, 2);
  await dead.drain(0);
  await dead.platform.close();
  runners = [];
  engine.away = false;
  const later = { ...systemClock, now: () => Date.now() + 60_000 };
  await start({ clock: later });
  expect(await engine.resultOf("a")).toMatchObject({ outcome: "completed", output: "done a" });
  expect(await effects()).toHaveLength(1);
});

test("a runner that stops ends what does not end by itself, and reports nothing that it does not know", async () => {
  const runner = await start();
  await add(runner, "a", { hang: true });
  while ((await effects()).length === 0) await sleep(systemClock, 2);
  await runner.drain(0);
  expect(engine.posts).toEqual([]);
  const next = await start();
  expect(await stateOf(next, "a")).toBe("lost");
});

test("the contract: the catalogue, and who may ask for what", async () => {
  const { client } = await start();
  const { tools, catalogue_digest } = await client.ListTools({});
  expect(catalogue_digest).not.toBe("");
  expect(tools.map(({ name, recovery, exclusive }) => [name, recovery, exclusive])).toEqual([
    ["read_file", "replay_safe", false],
    ["write_file", "idempotent", false],
    ["edit_file", "never_retry", true],
    ["search_file", "replay_safe", false],
    ["shell", "never_retry", true],
    ["calculator", "replay_safe", false],
    ["note", "idempotent", true],
    ["todo", "idempotent", true],
    ["effect", "never_retry", false],
  ]);
  for (const { parameters_json } of tools) expect(JSON.parse(parameters_json)).toMatchObject({ type: "object" });
  const many = { calls: Array.from({ length: 65 }, (_, k) => ref(`c${k}`)) };
  await expect(client.ResolveCalls(many, SERVICE)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(client.CancelCalls({ calls: [ref("")] }, SERVICE)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(client.ResolveCalls({ calls: [] })).rejects.toMatchObject({ code: "permission_denied" });
  expect((await client.ResolveCalls({ calls: [ref("never")] }, SERVICE)).calls).toMatchObject([{ state: "absent" }]);
});

test("a job that makes no sense harms nobody", async () => {
  const runner = await start({}, 1);
  await runner.platform.queue.add("tools", { session: "ses_1" });
  await add(runner, OTHER.call);
  await engine.resultOf(OTHER.call);
  expect(runner.platform.fatal.splice(0)).toMatchObject([{ code: "invalid_argument" }]);
});

test("what a killed runner had running dies with it", async () => {
  const holder = fileURLToPath(new URL("../../support/sandbox-holder.ts", import.meta.url));
  const child = spawn(process.execPath, [holder, directory, "sleep 1094.5"], { stdio: "ignore" });
  while (processesNamed("sleep 1094.5") === 0) await sleep(systemClock, 5);
  child.kill("SIGKILL");
  while (processesNamed("sleep 1094.5") > 0) await sleep(systemClock, 5);
});
