import { connectGrpc, InProcessServer, modelRouterContract, serveGrpc } from "@mainspring/contracts";
import type { ModelRouterClient } from "@mainspring/contracts";
import { composeModelRouter } from "@mainspring/model-router";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { callChunk, chunkOf, ending, FakeOpenAi, textReply } from "../../support/fake-openai.ts";
import { testPlatform } from "../../support/test-platform.ts";
import type { TestPlatform } from "../../support/test-platform.ts";
import { Talk } from "./talk.ts";

let platform: TestPlatform;
let fake: FakeOpenAi;
let router: ModelRouterClient;
let close: () => Promise<void>;

async function compose(transport: "in process" | "gRPC", baseUrl: string): Promise<void> {
  const config = {
    ...{ openAiKey: "secret-key", openAiBaseUrl: baseUrl, openAiModel: "fake" },
    ...{ anthropicKey: undefined, anthropicBaseUrl: undefined, anthropicModel: undefined },
  };
  const { registrations } = composeModelRouter(platform, config);
  if (transport === "in process") {
    const server = new InProcessServer(registrations);
    router = server.connect(modelRouterContract);
    close = () => server.drain(0);
    return;
  }
  const server = await serveGrpc(registrations, { listen: "127.0.0.1:0" });
  const client = connectGrpc(modelRouterContract, server.address);
  router = client;
  close = async () => {
    client.close();
    await server.drain(0);
  };
}

beforeEach(async () => {
  platform = await testPlatform();
  fake = await FakeOpenAi.start();
});

afterEach(async () => {
  await close();
  await platform.close();
  await fake.close();
});

async function talk(model: string, more?: Parameters<Talk["open"]>[1]): Promise<Talk> {
  const opened = new Talk(router);
  await opened.open(model, more);
  return opened;
}

describe.each(["in process", "gRPC"] as const)("offline/script, %s", (transport) => {
  beforeEach(() => compose(transport, fake.baseUrl));

  test("a round of tools: calls in one turn, the answer from their results in the next", async () => {
    const script = await talk("script");
    await script.say('think hm\nsay on it\ncall a {"n":1}\ncall b\nsay got {{result:1}} and {{result}}');
    const first = await script.generate();
    expect(first.completed).toMatchObject({ finish: "tool_calls", servedBy: "offline/script" });
    const items = first.completed!.items as { type: string; call_id: string }[];
    expect(items.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call", "function_call"]);
    expect(first.deltas.map(({ text }) => text)).toEqual(["hm", "on", " it", '{"n":1}', "{}"]);
    const calls = items.slice(2);
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
    await script.append(...items);
    for (const { call_id } of calls) {
      await script.append({
        type: "function_call_output",
        call_id,
        output: `out-${calls.indexOf(calls.find((c) => c.call_id === call_id)!)}`,
      });
    }
    const second = await script.generate();
    expect(second.completed).toMatchObject({
      finish: "stop",
      items: [{ type: "message", text: "got out-0 and out-1" }],
    });
    expect(second.completed!.usage["input_tokens"]).toBeGreaterThan(0);
  });

  test("a counted failure is tried again in silence, one without end is told", async () => {
    const script = await talk("offline/script");
    await script.say("fail 503 1\nsay fine");
    const good = await script.generate();
    expect(good.completed).toMatchObject({ items: [{ text: "fine" }], usage: { requests: 2 } });
    await script.say("fail 401");
    expect((await script.generate()).failed).toMatchObject({
      code: "failed_precondition",
      status: 401,
      retry: "never",
    });
  });

  test("after the first output nothing is tried again behind the caller's back", async () => {
    const script = await talk("script");
    await script.say("say seen\nfail 500 1\nsay more");
    const broken = await script.generate();
    expect(broken.deltas.map(({ text }) => text)).toEqual(["seen"]);
    expect(broken.failed).toMatchObject({ code: "unavailable", retry: "safe", status: 500 });
    expect((await script.generate()).completed?.items).toHaveLength(2);
  });

  test("Stop ends what is under way as aborted, and the conversation goes on", async () => {
    const script = await talk("script");
    await script.say("say one\nwait 600000\nsay two");
    await script.begin();
    const answer = script.answer(() => void script.stop());
    expect((await answer).failed).toMatchObject({ code: "aborted", retry: "never" });
    await script.say("say three");
    expect((await script.generate()).completed?.items).toEqual([{ type: "message", role: "assistant", text: "three" }]);
  });

  test("closing one direction lets the answer come", async () => {
    const script = await talk("script");
    await script.say("say bye");
    await script.begin();
    script.end();
    expect((await script.answer()).completed?.items).toHaveLength(1);
    expect(await script.isOver()).toBe(true);
  });

  test("a long answer comes whole, in few pieces", async () => {
    const text = "wörter und mehr ".repeat(20_000).trimEnd();
    const script = await talk("script");
    await script.say(text);
    const { deltas, completed } = await script.generate();
    expect(deltas.length).toBeLessThan(1_000);
    expect(deltas.map((delta) => delta.text).join("")).toBe(text);
    expect(completed?.items).toEqual([{ type: "message", role: "assistant", text }]);
  });
});

describe("what is wrong with a conversation", () => {
  beforeEach(() => compose("gRPC", fake.baseUrl));

  test("Generate before Open", async () => {
    const nobody = new Talk(router);
    expect((await nobody.generate()).failed).toMatchObject({ code: "failed_precondition" });
  });

  test("an unknown model, bad JSON, a bad item: the Generate that follows says so", async () => {
    expect((await (await talk("nope")).generate()).failed).toMatchObject({
      code: "not_found",
      reason: "model_not_found",
    });
    const script = await talk("script");
    await script.appendRaw("[{]");
    expect((await script.generate()).failed).toMatchObject({ code: "invalid_argument" });
    await script.say("say fine");
    expect((await script.generate()).failed).toMatchObject({ code: "invalid_argument" });
    const other = await talk("script");
    await other.append({ type: "message", role: "user" });
    expect((await other.generate()).failed?.message).toContain("items_json[0]");
  });

  test("a second Generate while one is under way", async () => {
    const script = await talk("script");
    await script.say("wait 600000");
    await script.begin();
    await script.begin();
    expect((await script.answer()).failed).toMatchObject({ reason: "generate_under_way" });
  });

  test("more than fits into memory", async () => {
    const script = await talk("script");
    const frame = JSON.stringify([{ type: "message", role: "assistant", text: "x".repeat(3 * 1024 * 1024) }]);
    for (let mib = 0; mib <= 64; mib += 3) await script.appendRaw(frame);
    expect((await script.generate()).failed).toMatchObject({ reason: "conversation_too_large" });
  });

  test("the list of models", async () => {
    const { models } = await router.ListModels({});
    expect(models.map(({ name, labels, available }) => [name, labels, available])).toEqual([
      ["openai/fake", ["default", "fake"], true],
      ["offline/script", ["script"], true],
      ["offline/extractive", ["extractive"], true],
    ]);
  });
});

describe("an OpenAI-compatible provider", () => {
  beforeEach(() => compose("gRPC", fake.baseUrl));

  test("text, usage and who served it; the request carries key, tools and the whole conversation", async () => {
    fake.next(textReply("Hel", "lo"), textReply("again"));
    const tool = { type: "function", name: "f", description: "d", parameters: { type: "object" } };
    const chat = await talk("default", { instructions: "be brief", tools: [tool], params: { max_output_tokens: 9 } });
    await chat.say("hi");
    const { deltas, completed } = await chat.generate("run_1/1/1");
    expect(deltas.map(({ text }) => text)).toEqual(["Hel", "lo"]);
    expect(completed).toMatchObject({
      items: [{ type: "message", text: "Hello" }],
      finish: "stop",
      servedBy: "openai/fake-1",
      usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 2, requests: 1 },
    });
    await chat.append({ type: "message", role: "assistant", text: "Hello" });
    await chat.say("more");
    await chat.generate();
    const [first, second] = fake.requests;
    expect(first?.headers).toMatchObject({ authorization: "Bearer secret-key", "x-client-request-id": "run_1/1/1" });
    expect(first?.body).toMatchObject({
      model: "fake",
      max_completion_tokens: 9,
      tools: [{ function: { name: "f" } }],
    });
    const messages = second?.body["messages"] as { role: string }[];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  test("interleaved parallel calls come one after the other", async () => {
    const chunks = [callChunk(0, '{"a"', "f"), callChunk(1, "{", "g"), callChunk(0, ":1}"), callChunk(1, "}")];
    fake.next({ kind: "stream", chunks: [...chunks, ...ending("tool_calls")] });
    const chat = await talk("openai/fake");
    await chat.say("hi");
    const { deltas, completed } = await chat.generate();
    expect(deltas.map(({ item, name, text }) => [item, name, text])).toEqual([
      [0, "f", '{"a"'],
      [0, "", ":1}"],
      [1, "g", "{}"],
    ]);
    expect(completed).toMatchObject({
      finish: "tool_calls",
      items: [
        { name: "f", arguments: '{"a":1}' },
        { name: "g", arguments: "{}" },
      ],
    });
  });

  test("it is asked again where that may help, and not where it cannot", async () => {
    const chat = await talk("default");
    await chat.say("hi");
    fake.next({ kind: "status", status: 500 }, { kind: "status", status: 429, headers: { "retry-after-ms": "5" } });
    fake.next(textReply("ok"));
    expect((await chat.generate()).completed).toMatchObject({ usage: { requests: 3 } });
    fake.next({ kind: "status", status: 400, body: { error: { message: "bad tool", code: "x" } } });
    const refused = (await chat.generate()).failed;
    expect(refused).toMatchObject({ code: "invalid_argument", retry: "never", status: 400 });
    expect(refused?.message).toContain("bad tool");
    expect(fake.requests).toHaveLength(4);
  });

  test("a long wait is left to the caller", async () => {
    fake.next({ kind: "status", status: 429, headers: { "retry-after": "120" } });
    const chat = await talk("default");
    await chat.say("hi");
    const { failed } = await chat.generate();
    expect(failed).toMatchObject({ code: "resource_exhausted", retry: "after", retry_after_ms: 120_000 });
  });

  test("a stream that breaks off or fails in the middle is never taken for an answer", async () => {
    const chat = await talk("default");
    await chat.say("hi");
    fake.next({ kind: "stream", chunks: [chunkOf({ content: "half" })], end: "drop" });
    expect((await chat.generate()).failed).toMatchObject({ code: "unavailable", retry: "safe", status: 0 });
    fake.next({ kind: "stream", chunks: [chunkOf({ content: "half" })] });
    expect((await chat.generate()).failed?.message).toContain("before the answer was complete");
    fake.next({
      kind: "stream",
      chunks: [chunkOf({ content: "half" }), { error: { message: "overloaded", code: 529 } }],
    });
    const { deltas, failed } = await chat.generate();
    expect(deltas.map(({ text }) => text)).toEqual(["half"]);
    expect(failed).toMatchObject({ code: "unavailable", status: 529 });
  });

  test("nobody there", async () => {
    await fake.close();
    const chat = await talk("default");
    await chat.say("hi");
    const { failed } = await chat.generate();
    expect(failed).toMatchObject({ code: "unavailable", reason: "provider_unreachable", status: 0 });
    expect(failed?.message).not.toContain("secret-key");
    fake = await FakeOpenAi.start();
  });

  test.each(["silent", "hang"] as const)(
    "a caller that leaves closes the connection to a provider that is %s",
    async (kind) => {
      const reply = { kind: "stream", chunks: [chunkOf({ content: "and then" })], end: "hang" } as const;
      fake.next(kind === "hang" ? reply : { kind: "silent" });
      const chat = await talk("default");
      await chat.say("hi");
      await chat.begin();
      await fake.until(() => fake.open === 1);
      chat.leave();
      await fake.until(() => fake.open === 0);
    },
  );

  test("Stop closes the connection too", async () => {
    fake.next({ kind: "stream", chunks: [chunkOf({ content: "and then" })], end: "hang" });
    const chat = await talk("default");
    await chat.say("hi");
    await chat.begin();
    const { failed } = await chat.answer(() => void chat.stop());
    expect(failed).toMatchObject({ code: "aborted" });
    await fake.until(() => fake.open === 0);
  });
});
