/** Agents from files and over the API, and one with a memory: what it is told in one session it knows in the next. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { MainspringProcess, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { api } from "../support/run-reader.ts";
import { chainOf, traceOfRun } from "../support/traces.ts";

let server: EmbeddedServer;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "mainspring-agents-"));
  const files = join(directory, "agents");
  rmSync(files, { force: true, recursive: true });
  const { mkdirSync } = await import("node:fs");
  mkdirSync(files);
  writeFileSync(
    join(files, "librarian.yaml"),
    "description: Knows what it was told.\nmodel: offline/extractive\nmemory: library\nexported: true\n",
  );
  writeFileSync(join(files, "lost.yaml"), "model: offline/extractve\nexported: true\n");
  server = await startUp(join(directory, "data"), { MAINSPRING_AGENTS_DIR: files });
  expect((await api(server.url, "/v1/spaces", { id: "library" })).status).toBe(201);
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
});

interface Answer {
  readonly status: string;
  readonly output?: readonly { readonly type: string; readonly name?: string; readonly content?: { text: string }[] }[];
}

async function ask(agent: string, input: string): Promise<{ text: string; answer: Answer; run: string }> {
  const response = await api(server.url, "/v1/responses", { model: `agent/${agent}`, input });
  const answer = (await response.json()) as Answer;
  const text = answer.output?.find(({ type }) => type === "message")?.content?.[0]?.text ?? "";
  return { text, answer, run: response.headers.get("x-mainspring-run")! };
}

test("an agent with a memory keeps what it is told, recalls it with its source, and says what it does not know", async () => {
  expect((await ask("librarian", "What is the capital of Atlantis?")).text).toContain("found nothing");
  expect((await ask("librarian", "Remember that Ana moved to Lisbon in May.")).text).toMatch(
    /I will remember that\. \[E-\d+\]/,
  );
  const { text, answer, run } = await ask("librarian", "Where did Ana move to?");
  expect(text).toMatch(/^- Ana moved to Lisbon in May\. \[E-\d+\]$/);
  expect(answer.output!.map(({ name }) => name)).toContain("memory_recall");

  const spans = await traceOfRun(server.url, run, ["POST /v1/responses", "invoke_agent librarian"]);
  const recall = spans.find(({ service }) => service === "memory-brain")!;
  expect(chainOf(spans, recall)).toEqual([
    "memory-brain: mainspring.memory_brain.v1.MemoryBrainService/Recall",
    "tool-runner: execute_tool memory_recall",
    "engine-worker: invoke_agent librarian",
    "gateway: POST /v1/responses",
  ]);
});

test("an agent without a memory has no memory tools, whatever it may call", async () => {
  const { answer } = await ask("script", 'call memory_recall {"query":"Ana"}\nthen\nsay {{result}}');
  expect(answer.output!.at(-1)!.content![0]!.text).not.toContain("Lisbon");
});

test("agents are defined, replaced and removed over the API", async () => {
  const definition = { name: "poet", model: "offline/script", instructions: "Rhyme.", tools: ["calculator"] };
  expect((await api(server.url, "/v1/agents", definition)).status).toBe(201);
  expect((await api(server.url, "/v1/agents", definition)).status).toBe(200);
  expect((await api(server.url, "/v1/agents", { ...definition, model: "default" })).status).toBe(409);
  expect((await ask("poet", "say hello")).text).toBe("hello");
  const changed = await api(server.url, "/v1/agents/poet", { ...definition, exported: true }, "PUT");
  expect([changed.status, await changed.json()]).toMatchObject([200, { exported: true, fixed: false }]);
  const models = (await (await api(server.url, "/v1/models")).json()) as { data: { id: string }[] };
  expect(models.data.map(({ id }) => id)).toEqual(expect.arrayContaining(["agent/librarian", "agent/poet"]));
  expect((await api(server.url, "/v1/agents/poet", undefined, "DELETE")).status).toBe(204);
  expect((await api(server.url, "/v1/agents/poet")).status).toBe(404);
  expect((await ask("poet", "say hello")).answer).toMatchObject({ error: { code: "model_not_found" } });
});

test.each([
  [{}, "name: is required"],
  [{ name: "Bad Name" }, "name: must be 1 to 64"],
  [{ name: "x", tools: ["nonsense"] }, 'there is no tool \\"nonsense\\"'],
  [
    { name: "x", model: "offline/scrip" },
    'there is no model \\"offline/scrip\\": is \\"offline/script\\" meant? There are',
  ],
  [{ name: "x", tools: ["memory_recall"] }, "needs a Space"],
  [{ name: "x", memory: "Not A Space" }, "must be the id of a Space"],
  [{ name: "x", surprise: 1 }, "surprise"],
  [{ name: "script" }, "comes with the server"],
])("%j is refused with a reason", async (definition, message) => {
  const response = await api(server.url, "/v1/agents", definition);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(await response.text()).toContain(message);
});

test("an agent of a file whose model is not known is warned of, listed with its problem, and fails its runs with it", async () => {
  const problem = 'there is no model "offline/extractve": is "offline/extractive" meant? There are ';
  await server.process.line(/the runs of the agent lost will fail: there is no model/);
  const agent = (await (await api(server.url, "/v1/agents/lost")).json()) as { problem: string };
  expect(agent.problem).toContain(problem);
  const { data } = (await (await api(server.url, "/v1/agents")).json()) as {
    data: { name: string; problem: unknown }[];
  };
  expect(data.filter((one) => one.problem !== null).map(({ name }) => name)).toEqual(["lost"]);
  const { answer } = await ask("lost", "hello");
  expect(answer).toMatchObject({ status: "failed", error: { message: expect.stringContaining(problem) } });
});

test("replacing an agent looks at its model too, and leaves it as it was", async () => {
  await api(server.url, "/v1/agents", { name: "kept", model: "offline/script" });
  const refused = await api(server.url, "/v1/agents/kept", { model: "offline/scribt" }, "PUT");
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: "invalid_argument", param: "model" }]);
  expect(await (await api(server.url, "/v1/agents/kept")).json()).toMatchObject({ model: "offline/script" });
});

test.each(["/v1/responses", "/v1/chat/completions", "/v1/messages", "/v1/sessions/new/runs"])(
  "an unknown model on %s is answered with the agents that the caller may run",
  async (path) => {
    await api(server.url, "/v1/agents", { name: "hidden-one", model: "offline/script" });
    const { key } = (await (await api(server.url, "/v1/keys", { name: "plain" })).json()) as { key: string };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const messages = [{ role: "user", content: "hello" }];
    const session = await fetch(`${server.url}/v1/sessions`, { method: "POST", headers, body: "{}" });
    const { id } = (await session.json()) as { id: string };
    const bodies: Readonly<Record<string, object>> = {
      "/v1/responses": { input: "hello" },
      "/v1/chat/completions": { messages },
      "/v1/messages": { messages, max_tokens: 10 },
      "/v1/sessions/new/runs": { input: "hello" },
    };
    const body = JSON.stringify({ model: "librarian", ...bodies[path] });
    const response = await fetch(server.url + path.replace("new", id), { method: "POST", headers, body });
    const text = (await response.text()).replaceAll('\\"', "'");
    expect([response.status, text]).toEqual([404, expect.stringContaining("is 'agent/librarian' meant?")]);
    expect(text).toContain("agent/script");
    expect(text).not.toContain("hidden-one");
  },
);

test("what is not exported looks missing to others, and only admins define agents", async () => {
  await api(server.url, "/v1/agents", { name: "secret", model: "offline/script" });
  await api(server.url, "/v1/agents", { name: "open", model: "offline/script", exported: true });
  const { key } = (await (await api(server.url, "/v1/keys", { name: "plain" })).json()) as { key: string };
  const plain = (path: string, body?: unknown): Promise<Response> =>
    fetch(server.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  expect((await plain("/v1/agents/secret")).status).toBe(404);
  expect((await plain("/v1/agents/open")).status).toBe(200);
  expect(await (await plain("/v1/agents")).text()).not.toContain("secret");
  expect((await plain("/v1/responses", { model: "agent/secret", input: "say x" })).status).toBe(404);
  expect((await plain("/v1/responses", { model: "agent/open", input: "say x" })).status).toBe(200);
  expect((await plain("/v1/agents", { name: "mine" })).status).toBe(403);
  expect((await plain("/v1/agents", { name: "open", model: "m" })).status).toBe(403);
});

test("a directory with mistakes stops the start with all of them", async () => {
  const wrong = mkdtempSync(join(tmpdir(), "mainspring-agents-wrong-"));
  writeFileSync(join(wrong, "a.yaml"), "tools: 7\n");
  writeFileSync(join(wrong, "b.yaml"), "- not an agent\n");
  writeFileSync(join(wrong, "script.yaml"), "model: m\n");
  const failed = new MainspringProcess("up", ["packages/cli/bin/mainspring.js", "up"], {
    PORT: "0",
    MAINSPRING_DATA_DIR: "memory",
    MAINSPRING_AGENTS_DIR: wrong,
  });
  await failed.ended();
  const said = failed.lines.join("\n");
  for (const file of ["a.yaml: tools: must be", "b.yaml: ", "script.yaml: there is an agent script"])
    expect(said).toContain(file);
  rmSync(wrong, { recursive: true });
});

async function keyOf(body: unknown, key = "test-admin-key"): Promise<string> {
  const response = await withKey(key, "/v1/keys", body);
  return ((await response.json()) as { key: string }).key;
}

function withKey(key: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test("a key that only reads Spaces writes none through an agent either, and one that only writes reads none", async () => {
  const say = async (key: string, input: string): Promise<string> =>
    (await withKey(key, "/v1/responses", { model: "agent/librarian", input })).text();
  const reader = await keyOf({ name: "reader", scopes: ["space:read"] });
  expect(await say(reader, "Remember that zebras are striped.")).toContain("no memory to keep that in");
  const writer = await keyOf({ name: "writer", scopes: ["space:write"] });
  expect(await say(writer, "Remember that zebras are striped.")).toContain("I will remember that");
  expect(await say(writer, "What are zebras?")).not.toContain("striped");
  expect(await say(reader, "What are zebras?")).toContain("zebras are striped");
});

test("what an agent remembers is said by whoever started the run, and kept by the agent", async () => {
  const created = await withKey("test-admin-key", "/v1/keys", { name: "teller", scopes: ["space:write"] });
  const { key, id } = (await created.json()) as { key: string; id: string };
  const input = "Remember that okapis are shy.";
  expect(await (await withKey(key, "/v1/responses", { model: "agent/librarian", input })).text()).toContain("I will");
  const ask = async (command: string): Promise<unknown> => {
    const response = await withKey("test-admin-key", "/v1/library/execute_kip_readonly", {
      kip: "2.0",
      operations: [{ command }],
    });
    return ((await response.json()) as { results: { result: unknown }[] }).results[0]!.result;
  };
  const said =
    'FIND(?e.evidence_class, ?who.key) WHERE { ?e EVIDENCE {} FILTER(CONTAINS(?e.payload.inline, "okapis")) STRUCTURAL (?e, "source", ?who) }';
  expect(await ask(said)).toEqual([["agent_statement", id]]);
  const kept =
    'FIND(?x.activity_class, ?by.key) WHERE { ?e EVIDENCE {} FILTER(CONTAINS(?e.payload.inline, "okapis")) STRUCTURAL (?e, "generated_by", ?x) STRUCTURAL (?x, "associated_actors", ?by) }';
  expect(await ask(kept)).toEqual([["remember", "agent/librarian"]]);
});

test("an admin of a tenant sees to its own keys only, and acts for no other", async () => {
  const acme = await keyOf({ tenant: "acme", name: "boss", scopes: ["admin"] });
  expect((await withKey(acme, "/v1/keys", { tenant: "default", name: "theft" })).status).toBe(403);
  expect((await withKey(acme, "/v1/keys", { name: "own" })).status).toBe(201);
  const listed = (await (await withKey(acme, "/v1/keys")).json()) as { data: { tenant: string }[] };
  expect(new Set(listed.data.map(({ tenant }) => tenant))).toEqual(new Set(["acme"]));
  const all = (await (await api(server.url, "/v1/keys")).json()) as { data: { id: string; tenant: string }[] };
  const foreign = all.data.find(({ tenant }) => tenant === "default")!;
  const revoked = await fetch(`${server.url}/v1/keys/${foreign.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${acme}` },
  });
  expect(revoked.status).toBe(404);
  const asDefault = { "x-mainspring-act-as": "default" };
  expect((await withKey(acme, "/v1/sessions", undefined, asDefault)).status).toBe(403);
  expect((await withKey(acme, "/v1/spaces/library/memories?query=Ana", undefined, asDefault)).status).toBe(403);
});

test("an operator who acts for a tenant is no more than its key, on Spaces too", async () => {
  const acting = (path: string, as: string, body?: unknown): Promise<Response> =>
    withKey("test-admin-key", path, body, { "x-mainspring-act-as": as });
  expect((await acting("/v1/spaces", "t2", { id: "t2space" })).status).toBe(403);
  expect((await acting("/v1/spaces", "t2; scope=admin", { id: "t2space" })).status).toBe(201);
  expect((await api(server.url, "/v1/spaces/t2space")).status).toBe(404);
  expect((await acting("/v1/spaces/t2space", "t2")).status).toBe(200);
  expect((await acting("/v1/spaces/library/memories?query=Ana", "t2")).status).toBe(404);
  expect((await acting("/v1/spaces/library", "../x")).status).toBe(400);
});
