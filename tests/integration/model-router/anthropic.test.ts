/** A provider of the Anthropic Messages API, through the official SDK. */
import { connectGrpc, modelRouterContract, serveGrpc } from "@mainspring/contracts";
import type { ModelRouterClient } from "@mainspring/contracts";
import { composeModelRouter } from "@mainspring/model-router";
import { afterEach, beforeEach, expect, test } from "vitest";

import {
  FakeAnthropic,
  messageEvents,
  messageReply,
  textBlock,
  thinkingBlock,
  toolBlock,
} from "../../support/fake-anthropic.ts";
import { testPlatform } from "../../support/test-platform.ts";
import type { TestPlatform } from "../../support/test-platform.ts";
import { Talk } from "./talk.ts";

let platform: TestPlatform;
let fake: FakeAnthropic;
let router: ModelRouterClient;
let close: () => Promise<void>;

beforeEach(async () => {
  platform = await testPlatform();
  fake = await FakeAnthropic.start();
  const { registrations } = composeModelRouter(platform, {
    ...{ openAiKey: undefined, openAiBaseUrl: undefined, openAiModel: undefined },
    ...{ anthropicKey: "sk-ant-secret", anthropicBaseUrl: fake.baseUrl, anthropicModel: "claude-fake" },
  });
  const server = await serveGrpc(registrations, { listen: "127.0.0.1:0" });
  const client = connectGrpc(modelRouterContract, server.address);
  router = client;
  close = async () => {
    client.close();
    await server.drain(0);
  };
});
afterEach(async () => {
  await close();
  await platform.close();
  await fake.close();
});

async function talk(model = "default", more?: Parameters<Talk["open"]>[1]): Promise<Talk> {
  const opened = new Talk(router);
  await opened.open(model, more);
  return opened;
}

test("text, usage with what was cached, and who served it; the request carries key, tools and instructions", async () => {
  fake.next(messageReply([textBlock("Hel", "lo")]));
  const tool = { type: "function", name: "f", description: "d", parameters: { type: "object" } };
  const chat = await talk("default", { instructions: "be brief", tools: [tool], params: { max_output_tokens: 9 } });
  await chat.say("hi");
  const { deltas, completed } = await chat.generate();
  expect(deltas.map(({ text }) => text)).toEqual(["Hel", "lo"]);
  expect(completed).toMatchObject({
    items: [{ type: "message", text: "Hello" }],
    finish: "stop",
    servedBy: "anthropic/claude-fake-1",
    usage: { input_tokens: 13, cached_input_tokens: 3, output_tokens: 7, reasoning_tokens: 2, requests: 1 },
  });
  const [request] = fake.requests;
  expect(request!.path).toMatch(/^\/v1\/messages/);
  expect(request!.headers).toMatchObject({
    authorization: "Bearer sk-ant-secret",
    "anthropic-version": expect.any(String),
  });
  expect(request!.body).toMatchObject({ model: "claude-fake", max_tokens: 9, tools: [{ name: "f" }], stream: true });
});

test("thinking and parallel calls, which go back with their signature and results", async () => {
  fake.next(
    messageReply([thinkingBlock("hm", "sig"), toolBlock("f", '{"a"', ":1}"), toolBlock("g")], "tool_use"),
    messageReply([textBlock("done")]),
  );
  const chat = await talk("anthropic/claude-fake", { params: { thinking: { type: "enabled", budget_tokens: 2_000 } } });
  await chat.say("hi");
  const { deltas, completed } = await chat.generate();
  expect(completed!.finish).toBe("tool_calls");
  expect(completed!.items).toMatchObject([
    { type: "reasoning", text: "hm", signature: "sig" },
    { name: "f", arguments: '{"a":1}' },
    { name: "g", arguments: "{}" },
  ]);
  expect(deltas.filter(({ name }) => name !== "").map(({ name }) => name)).toEqual(["f", "g"]);
  const calls = completed!.items.slice(1) as { call_id: string }[];
  await chat.append(...completed!.items);
  await chat.append(...calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "ok" })));
  expect((await chat.generate()).completed!.items).toMatchObject([{ text: "done" }]);
  const { messages, thinking } = fake.requests[1]!.body as {
    messages: { role: string; content: { type: string }[] }[];
    thinking: object;
  };
  expect(thinking).toMatchObject({ type: "enabled" });
  expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
    ["user", "text"],
    ["assistant", "thinking", "tool_use", "tool_use"],
    ["user", "tool_result", "tool_result"],
  ]);
});

test("it is asked again where that may help, and not where it cannot", async () => {
  const error = (type: string, message: string) => ({ type: "error", error: { type, message } });
  const chat = await talk();
  await chat.say("hi");
  fake.next(
    { kind: "status", status: 529, headers: { "retry-after-ms": "5" }, body: error("overloaded_error", "busy") },
    { kind: "stream", chunks: [error("overloaded_error", "busy")] },
    messageReply([textBlock("ok")]),
  );
  expect((await chat.generate()).completed).toMatchObject({ usage: { requests: 3 } });
  fake.next({ kind: "status", status: 401, body: error("authentication_error", "bad sk-ant-secret") });
  const refused = (await chat.generate()).failed!;
  expect(refused).toMatchObject({ code: "failed_precondition", reason: "provider_credentials", status: 401 });
  expect(refused.message).not.toContain("secret");
  expect(fake.requests).toHaveLength(4);
});

test("a stream that breaks off or fails in the middle is never taken for an answer", async () => {
  const half = messageEvents([textBlock("half")], "end_turn").slice(0, 4);
  const chat = await talk();
  await chat.say("hi");
  fake.next({ kind: "stream", chunks: half, end: "drop" });
  expect((await chat.generate()).failed).toMatchObject({ code: "unavailable", retry: "safe", status: 0 });
  fake.next({ kind: "stream", chunks: half });
  expect((await chat.generate()).failed?.message).toContain("before the answer was complete");
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "busy" } };
  fake.next({ kind: "stream", chunks: [...half, overloaded] });
  const { deltas, failed } = await chat.generate();
  expect(deltas.map(({ text }) => text)).toEqual(["half"]);
  expect(failed).toMatchObject({ code: "unavailable", status: 529 });
});

test.each(["silent", "hang"] as const)("a caller that leaves closes the connection to one that is %s", async (kind) => {
  const chunks = messageEvents([textBlock("and then")], "end_turn").slice(0, 4);
  fake.next(kind === "hang" ? { kind: "stream", chunks, end: "hang" } : { kind: "silent" });
  const chat = await talk();
  await chat.say("hi");
  await chat.begin();
  await fake.until(() => fake.open === 1);
  chat.leave();
  await fake.until(() => fake.open === 0);
});
