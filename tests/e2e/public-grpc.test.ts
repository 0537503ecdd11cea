/** Public gRPC: a plain client against the embedded server. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { status } from "@grpc/grpc-js";
import { engineContract, evalRunnerContract, memoryBrainContract } from "@mainspring/contracts";
import { service as healthDefinition } from "grpc-health-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { PlainGrpcClient } from "../support/grpc-client.ts";
import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

const run = promisify(execFile);
let server: EmbeddedServer;
let dataDir: string;
let address: string;
const open: PlainGrpcClient[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-public-grpc-"));
  server = await startUp(dataDir, { MAINSPRING_GATEWAY_GRPC_LISTEN: "127.0.0.1:0" });
  address = (await server.process.line(/gRPC of gateway: (\S+)/))[1]!;
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

type Headers = Readonly<Record<string, string | Buffer>>;
const ADMIN: Headers = { authorization: `Bearer ${ADMIN_KEY}` };
const FORGED = Buffer.from(JSON.stringify(["default", "service:engine-worker", ["service", "admin"]]));

function engine(headers: Headers = ADMIN): PlainGrpcClient {
  const client = new PlainGrpcClient(engineContract.definition(), address, headers);
  open.push(client);
  return client;
}
function memory(headers: Headers = ADMIN): PlainGrpcClient {
  const client = new PlainGrpcClient(memoryBrainContract.definition(), address, headers);
  open.push(client);
  return client;
}

function evals(headers: Headers): PlainGrpcClient {
  const client = new PlainGrpcClient(evalRunnerContract.definition(), address, headers);
  open.push(client);
  return client;
}

async function newKey(tenant: string): Promise<string> {
  const answer = await fetch(`${server.url}/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ tenant }),
  });
  return ((await answer.json()) as { key: string }).key;
}

const submit = (client: PlainGrpcClient, text: string) =>
  client.call("SubmitInput", {
    items_json: JSON.stringify([{ type: "message", role: "user", text }]),
    spec_json: JSON.stringify({ agent: "script" }),
  });

describe("the engine", () => {
  test("runs, and its events stream to the end of the run; the trace is the caller's", async () => {
    const traceId = "a".repeat(32);
    const client = engine({ ...ADMIN, traceparent: `00-${traceId}-${"b".repeat(16)}-01` });
    const { session_id, run_id, after_seq } = await submit(
      client,
      'call calculator {"expression":"6*7"}\nsay {{result}}',
    );
    const events: { type: string; data_json: string }[] = [];
    for await (const { event } of client.stream("SubscribeEvents", { session_id, run_id, after_seq })) {
      if (event) events.push(event);
    }
    expect(events.at(-1)!.type).toBe("run.completed");
    expect(events.findLast(({ type }) => type === "model.completed")!.data_json).toContain('"42"');
    const { run: ended } = await client.call("GetRun", { run_id });
    expect(ended).toMatchObject({ status: "completed", agent: "script" });
    expect(ended.traceparent).toContain(traceId);
    expect((await client.call("ListSessions", { page_size: 1 })).sessions).toMatchObject([{ session_id }]);
  });

  test("a caller that leaves its stream ends it, and the run goes on", async () => {
    const client = engine();
    const { session_id, run_id, after_seq } = await submit(client, "say one\nwait 500\nsay two");
    const first = client.stream("SubscribeEvents", { session_id, run_id, after_seq, deltas: true });
    let shown = "";
    for await (const { delta } of first) {
      shown = delta?.text ?? "";
      if (delta) break;
    }
    expect(shown).not.toBe("");
    const types: string[] = [];
    for await (const { event } of client.stream("SubscribeEvents", { session_id, run_id, after_seq })) {
      if (event) types.push(event.type);
    }
    expect(types.at(-1)).toBe("run.completed");
  });
});

describe("who calls", () => {
  test.each([
    ["nobody", {}],
    ["an unknown key", { authorization: "Bearer wrong" }],
    ["somebody who says to be a service", { "mainspring-principal-bin": FORGED }],
  ])("%s is not let in", async (_name, headers: Headers) => {
    await expect(engine(headers).call("ListSessions", {})).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    const stream = engine(headers).stream("SubscribeEvents", { session_id: "ses_x" });
    await expect(first(stream)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
  });

  test("who asks to act for another tenant is refused, not served in its own name", async () => {
    const acting = engine({ ...ADMIN, "x-mainspring-act-as": "other" });
    await expect(acting.call("ListSessions", {})).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  test("a key is its tenant's, whatever else comes with it, and another tenant's ids look missing", async () => {
    const { session_id, run_id } = await submit(engine(), "say mine");
    const key = await newKey("other");
    for (const headers of [{ "x-api-key": key }, { "x-api-key": key, "mainspring-principal-bin": FORGED }]) {
      const other = engine(headers);
      await expect(other.call("GetRun", { run_id })).rejects.toMatchObject({ code: status.NOT_FOUND });
      await expect(first(other.stream("SubscribeEvents", { session_id }))).rejects.toMatchObject({
        code: status.NOT_FOUND,
      });
      expect((await other.call("ListSessions", {})).sessions).toEqual([]);
      const definition_json = JSON.stringify({ name: "mine" });
      await expect(other.call("PutAgent", { definition_json })).rejects.toMatchObject({
        code: status.PERMISSION_DENIED,
      });
    }
  });

  test.each(["PostToolResult", "GetToolCall"])("%s is for services", async (method) => {
    await expect(engine().call(method, {})).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
      details: expect.stringContaining(method),
    });
  });
});

describe("memory", () => {
  test("is made, filled and asked; a Space token opens its Space alone", async () => {
    const admin = memory();
    await admin.call("CreateSpace", { space_id: "wire", user: "me" });
    await admin.call("Remember", { space_id: "wire", text: "Ana moved to Lisbon in May.", idempotency_key: "k" });
    const { memories } = await admin.call("Recall", { space_id: "wire", query: "where does Ana live" });
    expect(JSON.stringify(memories)).toContain("Lisbon");
    const { token } = await admin.call("AddSpaceToken", { space_id: "wire", name: "reader", scope: "read" });
    const reader = memory({ authorization: `Bearer ${token.token}` });
    expect((await reader.call("GetSpace", { space_id: "wire" })).space.id).toBe("wire");
    await expect(reader.call("Remember", { space_id: "wire", text: "x" })).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
    });
    await expect(memory({}).call("GetSpace", { space_id: "wire" })).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
  });

  test("a Space goes through as a dump, both ways", async () => {
    const admin = memory();
    await admin.call("CreateSpace", { space_id: "whole", user: "me" });
    await admin.call("Remember", { space_id: "whole", text: "Kept.", idempotency_key: "k" });
    const frames: Buffer[] = [];
    for await (const { data } of admin.stream("DumpSpace", { space_id: "whole" })) frames.push(data);
    expect(frames.length).toBeGreaterThan(0);
    const load = admin.duplex("LoadSpace");
    frames.forEach((data, index) => load.write(index === 0 ? { space_id: "copy", user: "me", data } : { data }));
    load.end();
    for await (const answer of load) expect(answer.space.id).toBe("copy");
    const { memories } = await admin.call("Recall", { space_id: "copy", query: "kept" });
    expect(JSON.stringify(memories)).toContain("Kept.");
  });
});

describe("experiments", () => {
  const definition = (name: string, models: readonly string[]) =>
    JSON.stringify({
      name,
      subjects: models.map((model) => ({ model })),
      tasks: [{ id: "hello", input: "say hello", expected: "hello" }],
    });
  const ended = async (client: PlainGrpcClient, experiment_id: string) => {
    let last: { status: string; progress: object } | null = null;
    for await (const { experiment } of client.stream("WatchExperiment", { experiment_id })) last = experiment;
    return last!;
  };

  test("are made, watched and reported by a plain key, for its tenant, with its rights", async () => {
    await engine().call("PutAgent", { definition_json: JSON.stringify({ name: "hidden", model: "offline/script" }) });
    const json = definition("rights", ["agent/hidden", "offline/script"]);
    const plain = evals({ "x-api-key": await newKey("default") });
    const { experiment, created } = await plain.call("CreateExperiment", { definition_json: json });
    expect(created).toBe(true);
    expect(await ended(plain, experiment.id)).toMatchObject({
      status: "completed",
      progress: { passed: 1, errors: 1 },
    });
    const { report_json } = await plain.call("GetReport", { experiment_id: experiment.id });
    expect(JSON.parse(report_json).subjects).toMatchObject([{ errors: 1 }, { passed: 1 }]);
    const { attempts } = await plain.call("ListAttempts", { experiment_id: experiment.id, page_size: 50 });
    expect(new Set(attempts.map(({ subject }: { subject: string }) => subject))).toEqual(
      new Set(["agent/hidden", "offline/script"]),
    );
    expect((await plain.call("ListExperiments", { page_size: 1 })).experiments).toMatchObject([{ name: "rights" }]);
    // The same experiment by an admin may run what only admins may.
    const byAdmin = (await evals(ADMIN).call("CreateExperiment", { definition_json: json })).experiment;
    expect(byAdmin.id).not.toBe(experiment.id);
    expect(await ended(evals(ADMIN), byAdmin.id)).toMatchObject({ progress: { passed: 2, errors: 0 } });
    // It is the one that HTTP has.
    const over = await fetch(`${server.url}/v1/experiments/${byAdmin.id}`, { headers: { "x-api-key": ADMIN_KEY } });
    expect(await over.json()).toMatchObject({ id: byAdmin.id, status: "completed" });
  });

  test("are nobody's without a key that is known", async () => {
    await memory().call("CreateSpace", { space_id: "evals", user: "me" });
    const { token } = await memory().call("AddSpaceToken", { space_id: "evals", name: "all", scope: "*" });
    const strangers: Headers[] = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: `Bearer ${token.token}` },
      { "mainspring-principal-bin": FORGED },
    ];
    for (const headers of strangers) {
      const refused = { code: status.UNAUTHENTICATED };
      await expect(evals(headers).call("ListExperiments", { page_size: 1 })).rejects.toMatchObject(refused);
      const made = evals(headers).call("CreateExperiment", { definition_json: definition("x", ["a", "b"]) });
      await expect(made).rejects.toMatchObject(refused);
      await expect(first(evals(headers).stream("WatchExperiment", { experiment_id: "x" }))).rejects.toMatchObject(
        refused,
      );
    }
    const acting = evals({ ...ADMIN, "x-mainspring-act-as": "other" });
    const listed = acting.call("ListExperiments", { page_size: 1 });
    await expect(listed).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  test("of another tenant look like missing ones, whatever else comes with the key", async () => {
    const json = definition("mine", ["agent/script", "offline/script"]);
    const { experiment } = await evals(ADMIN).call("CreateExperiment", { definition_json: json });
    const other = evals({ "x-api-key": await newKey("other"), "mainspring-principal-bin": FORGED });
    const request = { experiment_id: experiment.id, page_size: 1 };
    for (const method of ["GetExperiment", "CancelExperiment", "GetReport", "ListAttempts"]) {
      await expect(other.call(method, request), method).rejects.toMatchObject({ code: status.NOT_FOUND });
    }
    await expect(first(other.stream("WatchExperiment", request))).rejects.toMatchObject({ code: status.NOT_FOUND });
    expect((await other.call("ListExperiments", { page_size: 1 })).experiments).toEqual([]);
  });
});

test("health and reflection need no key, and buf finds its way by them", async () => {
  const curl = (method: string, ...args: string[]) =>
    run("npx", [
      "buf",
      "curl",
      "--protocol",
      "grpc",
      "--http2-prior-knowledge",
      ...args,
      `http://${address}/${method}`,
    ]);
  const agents = await curl("mainspring.engine.v1.EngineService/ListAgents", "-H", `x-api-key: ${ADMIN_KEY}`);
  expect(agents.stdout).toContain('"script"');
  const health = new PlainGrpcClient(healthDefinition, address, {});
  open.push(health);
  for (const { name } of [engineContract, memoryBrainContract, evalRunnerContract]) {
    expect(await health.call("Check", { service: name })).toEqual({ status: "SERVING" });
  }
});

async function first(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) return;
}
