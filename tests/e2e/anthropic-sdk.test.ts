/** Messages: the official Anthropic SDK against the embedded server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Anthropic from "@anthropic-ai/sdk";
import type { MessageParam, RawMessageStreamEvent, Tool, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { FakeAnthropic, messageReply, textBlock, thinkingBlock, toolBlock } from "../support/fake-anthropic.ts";
import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

let provider: FakeAnthropic;
let server: EmbeddedServer;
let dataDir: string;
let client: Anthropic;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-messages-"));
  provider = await FakeAnthropic.start();
  server = await startUp(dataDir, { ANTHROPIC_BASE_URL: provider.baseUrl, ANTHROPIC_MODEL_NAME: "claude-fake" });
  client = new Anthropic({ apiKey: ADMIN_KEY, baseURL: server.url, maxRetries: 0 });
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  await provider.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const weather: Tool = {
  name: "weather",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};
const user = (...lines: string[]): MessageParam => ({ role: "user", content: lines.join("\n") });
const base = { model: "agent/script", max_tokens: 100 };

describe("an agent", () => {
  test("runs its tools on the server, and shows what it thinks and says", async () => {
    const { data, response } = await client.messages
      .create({
        ...base,
        messages: [
          user("think hm", "say wait", 'call calculator {"expression":"6*7"}', "then", "say it is {{result}}"),
        ],
      })
      .withResponse();
    expect(data).toMatchObject({ type: "message", role: "assistant", model: "agent/script", stop_reason: "end_turn" });
    expect(data.id).toMatch(/^msg_/);
    expect(data.content).toEqual([
      { type: "thinking", thinking: "hm", signature: "" },
      { type: "text", text: "wait" },
      { type: "text", text: "it is 42" },
    ]);
    expect(data.usage.input_tokens).toBeGreaterThan(0);
    expect(response.headers.get("x-mainspring-session")).toMatch(/^ses_/);
    expect(response.headers.get("x-mainspring-run")).toMatch(/^run_/);
    expect(response.headers.get("traceparent")).toMatch(/^00-/);
  });

  test("streams the same message", async () => {
    const request = {
      ...base,
      tools: [weather],
      messages: [user("think hm", "say look at it", 'call weather {"city":"Rome"}', 'call weather {"city":"Oslo"}')],
    };
    const stream = client.messages.stream(request);
    const events: RawMessageStreamEvent[] = [];
    stream.on("streamEvent", (event) => events.push(event));
    const streamed = await stream.finalMessage();
    const whole = await client.messages.create(request);
    const known = ({ content, stop_reason, usage }: Anthropic.Message) => ({
      content: content.map((block) => (block.type === "tool_use" ? { ...block, id: "" } : block)),
      ...{ stop_reason, usage },
    });
    expect(known(streamed)).toEqual(known(whole));
    expect(streamed.stop_reason).toBe("tool_use");
    expect(events[0]!.type).toBe("message_start");
    expect(events.at(-1)!.type).toBe("message_stop");
    const opened = events.filter(({ type }) => type === "content_block_start") as { index: number }[];
    expect(opened.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(events.filter(({ type }) => type === "content_block_stop")).toHaveLength(4);
  });
});

describe.each(["agent/script", "offline/script"])("the caller's tools with %s", (model) => {
  test("are called, and a history that ends with their results goes on", async () => {
    const messages: MessageParam[] = [
      user('call weather {"city":"Rome"}', 'call weather {"city":"Oslo"}', "then", "say {{result:1}}, {{result:2}}"),
    ];
    const request = { ...base, model, tools: [weather], system: [{ type: "text" as const, text: "be brief" }] };
    const first = await client.messages.create({ ...request, messages });
    const calls = first.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: "weather", input: { city: "Rome" } },
      { name: "weather", input: { city: "Oslo" } },
    ]);
    const second = await client.messages.create({
      ...request,
      messages: [
        ...messages,
        { role: "assistant", content: first.content },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: calls[1]!.id, content: [{ type: "text", text: "snow" }] },
            { type: "tool_result", tool_use_id: calls[0]!.id, content: "no sun", is_error: true },
          ],
        },
      ],
    });
    expect(second.content).toEqual([{ type: "text", text: "The call failed: no sun, snow" }]);
    expect(second.stop_reason).toBe("end_turn");
  });
});

test("an agent's thinking goes back to its provider as that signed it, and is shown with its signature", async () => {
  provider.next(
    messageReply([thinkingBlock("hm", "signed"), toolBlock("calculator", '{"expression":"6*7"}')], "tool_use"),
    messageReply([textBlock("It is 42.")]),
  );
  const answer = await client.messages.create({
    model: "agent/assistant",
    max_tokens: 4_000,
    thinking: { type: "enabled", budget_tokens: 2_000 },
    messages: [user("What is 6 * 7?")],
  });
  const thinking = { type: "thinking", thinking: "hm", signature: "signed" };
  expect(answer.content).toEqual([thinking, { type: "text", text: "It is 42." }]);
  expect(answer.usage).toMatchObject({ cache_read_input_tokens: 6, output_tokens: 14 });
  const { messages, thinking: asked } = provider.requests.at(-1)!.body as {
    messages: { content: object[] }[];
    thinking: object;
  };
  expect(asked).toMatchObject({ type: "enabled" });
  expect(messages[1]!.content).toMatchObject([thinking, { type: "tool_use", name: "calculator" }]);
  expect(messages[2]!.content).toMatchObject([{ type: "tool_result", content: "42" }]);
});

describe("tokens", () => {
  test("are estimated from the size of what is sent", async () => {
    const one = await client.messages.countTokens({ model: "offline/script", messages: [user("a".repeat(4_000))] });
    expect(one).toEqual({ input_tokens: 1_000 });
    const more = await client.messages.countTokens({
      model: "offline/script",
      system: "b".repeat(400),
      tools: [weather],
      messages: [user("a".repeat(4_000))],
    });
    expect(more.input_tokens).toBeGreaterThan(1_100);
    const unknown = client.messages.countTokens({ model: "nobody", messages: [user("x")] });
    await expect(unknown).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe("what cannot be", () => {
  test.each([
    ["no limit of tokens", { max_tokens: undefined }, /max_tokens/],
    ["a tool of the provider", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, /tools\.0\.type/],
    [
      "a result of no call",
      { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "x" }] }] },
      /answers no call/,
    ],
  ])("%s is refused in Anthropic's shape", async (_name, fields, message) => {
    const error = await failure({ messages: [user("say x")], ...fields });
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(error.message).toMatch(message);
  });

  test("a wrong key, an unknown agent, a body that is no JSON, an unknown route", async () => {
    const stranger = new Anthropic({ apiKey: "wrong", baseURL: server.url, maxRetries: 0 });
    const refused = stranger.messages.create({ ...base, messages: [user("x")] });
    await expect(refused).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    expect(await failure({ model: "agent/nobody", messages: [user("x")] })).toMatchObject({ status: 404 });
    const raw = (path: string, body: string) =>
      fetch(server.url + path, { method: "POST", headers: { "x-api-key": ADMIN_KEY }, body });
    const broken = await raw("/v1/messages", "{");
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    const nowhere = await raw("/v1/messages/batches", "{}");
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  });

  test("a run that fails before any output has its status, and after some an event in the stream", async () => {
    for (const stream of [false, true]) {
      expect(await failure({ stream, messages: [user("fail 400")] })).toMatchObject({ status: 400 });
    }
    const stream = client.messages.stream({
      ...base,
      messages: [user("say some", 'call calculator {"expression":"1"}', "then", "fail 400")],
    });
    let text = "";
    stream.on("text", (delta) => (text += delta));
    await expect(stream.finalMessage()).rejects.toMatchObject({ message: expect.stringContaining("400") });
    expect(text).toBe("some");
  });
});

async function failure(fields: object): Promise<InstanceType<typeof Anthropic.APIError>> {
  const answer = client.messages.create({ ...base, ...fields } as never) as Promise<unknown>;
  const error: unknown = await answer.then(null, (thrown: unknown) => thrown);
  if (error instanceof Anthropic.APIError) return error;
  throw new Error(`no API error: ${String(error)}`);
}
