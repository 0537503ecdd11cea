/** `@mainspring/client`: the same program against a server, and with all of it in the process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createMainspring } from "@mainspring/cli";
import { Mainspring, outputText } from "@mainspring/client";
import type { EventRow, ResponseStreamEvent } from "@mainspring/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CuttingProxy } from "../support/cutting-proxy.ts";
import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

let server: EmbeddedServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-client-"));
  server = await startUp(dataDir);
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

const OPEN = {
  "over HTTP": async () => new Mainspring({ url: server.url, key: ADMIN_KEY }),
  "in process": () => createMainspring(),
};

describe.each(["over HTTP", "in process"] as const)("%s", (way) => {
  let mainspring: Mainspring;
  beforeAll(async () => {
    mainspring = await OPEN[way]();
  });
  afterAll(() => mainspring.close());

  test("responses, whole and streamed", async () => {
    const { responses } = mainspring;
    const whole = await responses.create({
      model: "agent/script",
      input: 'call calculator {"expression":"6*7"}\nsay {{result}}',
    });
    expect(outputText(whole)).toBe("42");
    expect((await responses.retrieve(whole.id)).status).toBe("completed");
    const types: string[] = [];
    for await (const { type } of responses.stream({ model: "agent/script", input: "say hi" })) types.push(type);
    expect(types[0]).toBe("response.created");
    expect(types.at(-1)).toBe("response.completed");
    const background = await responses.create({ model: "agent/script", background: true, input: "wait 60000" });
    expect((await responses.cancel(background.id)).status).toBe("cancelled");
  });

  test("sessions, runs and their events; the same key makes one session", async () => {
    const { sessions, runs } = mainspring;
    const session = await sessions.create({ agent: "script", title: "mine" }, { idempotencyKey: way });
    expect((await sessions.create({ agent: "script", title: "mine" }, { idempotencyKey: way })).id).toBe(session.id);
    const run = await runs.start(session.id, { input: "say one" });
    const events: string[] = [];
    for await (const { event } of sessions.events(session.id, { run: run.id })) events.push(event);
    expect(events.at(-1)).toBe("run.completed");
    expect(await runs.get(run.id)).toMatchObject({ status: "completed", agent: "script" });
    expect((await runs.list(session.id)).data.map(({ id }) => id)).toEqual([run.id]);
    expect((await sessions.log(session.id, { limit: 2 })).data).toHaveLength(2);
    expect((await sessions.list({ limit: 1 })).data).toHaveLength(1);
    const waiting = await runs.start(session.id, { input: "wait 60000" });
    await runs.cancel(waiting.id);
    expect((await runs.get(waiting.id)).status).toMatch(/cancel/);
    await sessions.delete(session.id);
    const codeOf = () =>
      sessions.get(session.id).then(
        () => "",
        ({ code }: { code: string }) => code,
      );
    await expect.poll(codeOf).toBe("not_found");
  });

  test("agents, Spaces and traces", async () => {
    const { agents, spaces, responses, runs, traces } = mainspring;
    await spaces.create("notes");
    await spaces.remember("notes", "Ana moved to Lisbon.", { idempotencyKey: "k" });
    expect((await spaces.recall("notes", "where is Ana"))[0]!.text).toContain("Lisbon");
    expect((await spaces.list()).data.map(({ id }) => id)).toContain("notes");
    expect((await spaces.get("notes")).id).toBe("notes");
    const write = 'UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "tea"} SET FIELDS {name: "Tea"} }';
    expect((await spaces.kip("notes", write)).results[0]!.error).toMatchObject({ code: "ReadonlyViolation" });
    const settings = { write: true, idempotencyKey: "once" };
    const [first, again] = [await spaces.kip("notes", write, settings), await spaces.kip("notes", write, settings)];
    expect([first.status, again.status]).toEqual(["succeeded", "succeeded"]);
    const found = await spaces.kip("notes", 'FIND(?t.name) WHERE { ?t {type: "Topic", key: "tea"} }');
    expect(found.results[0]!.result).toEqual(["Tea"]);
    await spaces.create("plans", { owner: "ana", tier: 1 });
    const { entities } = await spaces.remember("plans", "Bo grows figs.");
    expect(await spaces.pin("plans", entities[0]!)).toEqual({ entity: entities[0], pinned: true, updated: true });
    await spaces.pin("plans", entities[0]!, { pinned: false });
    expect(await spaces.forget("plans", entities, { dryRun: true })).toMatchObject({ deleted_evidence: 1 });
    expect((await spaces.forget("plans", entities)).entities).toEqual([{ entity: entities[0], existed: true }]);
    expect(await spaces.recall("plans", "figs")).toEqual([]);
    expect(await spaces.update("plans", { name: "Plans", public: true, tier: 3 })).toMatchObject({
      name: "Plans",
      public: true,
      tier: 3,
      owner: "ana",
    });
    const token = await spaces.tokens.add("plans", { name: "dashboard", scope: "read" });
    expect((await spaces.tokens.list("plans")).map(({ name }) => name)).toEqual(["dashboard"]);
    expect(await spaces.tokens.revoke("plans", { token: token.token })).toBe(true);
    expect(await spaces.tokens.revoke("plans", { name: "dashboard" })).toBe(false);
    await spaces.delete("plans");
    await expect(spaces.get("plans")).rejects.toMatchObject({ code: "not_found" });
    await agents.put("librarian", { model: "offline/extractive", memory: "notes" });
    expect((await agents.list()).map(({ name }) => name)).toContain("librarian");
    expect(await agents.get("librarian")).toMatchObject({ memory: "notes" });
    const answer = await responses.create({ model: "agent/librarian", input: "Where did Ana move to?" });
    expect(outputText(answer)).toContain("Lisbon");
    const { trace_id } = await runs.get(answer.id.replace("resp_", "run_"));
    await expect
      .poll(async () => (await traces.get(trace_id!).catch(() => null))?.spans.length ?? 0)
      .toBeGreaterThan(0);
    await agents.delete("librarian");
    await expect(agents.get("librarian")).rejects.toMatchObject({ code: "not_found" });
  });

  test("experiments, followed to their end", async () => {
    const { experiments } = mainspring;
    const definition = {
      name: "echo",
      subjects: [
        { name: "model", model: "offline/script" },
        { name: "agent", model: "agent/script" },
      ],
      tasks: [
        { id: "right", input: "say yes", verify: "exact", expected: "yes" },
        { id: "wrong", input: "say no", verify: "exact", expected: "yes" },
      ],
    };
    const { id, progress } = await experiments.run(definition, { concurrency: 1 });
    expect(progress.cells).toBe(4);
    let last = await experiments.get(id);
    for await (const seen of experiments.follow(id)) last = seen;
    expect(last).toMatchObject({ status: "completed", progress: { passed: 2, failed: 2 } });
    expect((await experiments.run(definition)).id).toBe(id);
    expect((await experiments.list({ limit: 1 })).data).toMatchObject([{ id, name: "echo" }]);
    expect((await experiments.report(id, { baseline: "agent" })).comparisons).toMatchObject([
      { baseline: "agent", pairs: 2, difference: 0 },
    ]);
    const { data } = await experiments.attempts(id);
    const outcomes = data.map(({ task, outcome, text }) => `${task} ${outcome} ${text}`).sort();
    expect(outcomes).toEqual(["right passed yes", "right passed yes", "wrong failed no", "wrong failed no"]);
    expect(await experiments.cancel(id)).toMatchObject({ status: "completed" });
    const lost = experiments.follow("exp_none");
    await expect(lost.next()).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a connection that breaks", () => {
  const input = `say ${Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ")}`;
  let proxy: CuttingProxy;
  let mainspring: Mainspring;
  beforeAll(async () => {
    proxy = await CuttingProxy.start(server.url);
    mainspring = new Mainspring({ url: proxy.url, key: ADMIN_KEY });
  });
  afterAll(() => proxy.close());

  test("loses and doubles nothing of a response", async () => {
    const direct = new Mainspring({ url: server.url, key: ADMIN_KEY });
    proxy.cut(4, 8_000);
    const events: ResponseStreamEvent[] = [];
    for await (const event of mainspring.responses.stream({ model: "agent/script", input })) events.push(event);
    expect(proxy.cuts).toBeGreaterThan(1);
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const text = events.flatMap(({ type, delta }) => (type === "response.output_text.delta" ? [delta as string] : []));
    expect(`say ${text.join("")}`).toBe(input);
    const { response } = events.at(-1) as unknown as { response: { id: string } };
    expect((await direct.responses.retrieve(response.id)).status).toBe("completed");
  });

  test("nor of a session", async () => {
    const before = proxy.cuts;
    const session = await mainspring.sessions.create({ agent: "script" });
    const run = await mainspring.runs.start(session.id, { input });
    proxy.cut(4, 2_000);
    const seqs: number[] = [];
    for await (const { event, data } of mainspring.sessions.events(session.id, { run: run.id })) {
      if (event !== "delta" && event !== "caught_up") seqs.push((data as EventRow).seq);
    }
    expect(proxy.cuts).toBeGreaterThan(before);
    const { data } = await mainspring.sessions.log(session.id, { limit: 1_000, run: run.id });
    expect(seqs).toEqual(data.map(({ seq }) => seq));
  });
});

describe("a tool that runs an agent", () => {
  test("waits for it even where there is room for one call only", async () => {
    let mainspring: Mainspring | null = null;
    const delegate = {
      name: "delegate",
      description: "Asks an agent.",
      parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      async execute({ to }: Readonly<Record<string, unknown>>): Promise<string> {
        // What is asked for fills in its own results, not those of whoever asks.
        const input = String(to).replaceAll(/%([%r])/g, (_match, sign) => (sign === "r" ? "{{result}}" : "%"));
        return outputText(await mainspring!.responses.create({ model: "agent/script", input }));
      },
    };
    mainspring = await createMainspring({ tools: [delegate], variables: { MAINSPRING_TOOL_CONCURRENCY: "1" } });
    try {
      const inner = 'call calculator {"expression":"6*7"}\nsay inner %r';
      const middle = `call delegate ${JSON.stringify({ to: inner.replace("%", "%%") })}\nsay middle %r`;
      const asked = [middle, inner].map((to) => `call delegate ${JSON.stringify({ to })}\n`).join("");
      const answer = await mainspring.responses.create({
        model: "agent/script",
        input: `${asked}say {{result:1}}, {{result:2}}`,
      });
      expect(outputText(answer)).toBe("middle inner 42, inner 42");
    } finally {
      await mainspring.close();
    }
  });

  test("a tool that cannot be one is refused with its reason", async () => {
    const wrong = { name: "no spaces", description: "d", parameters: { type: "object" }, execute: () => "" };
    await expect(createMainspring({ tools: [wrong] })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("tools[0]"),
    });
  });
});
