/** Chat Completions: the official OpenAI SDK against the embedded server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import OpenAI from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

let server: EmbeddedServer;
let dataDir: string;
let client: OpenAI;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-chat-"));
  server = await startUp(dataDir);
  client = new OpenAI({ apiKey: ADMIN_KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

const weather: ChatCompletionFunctionTool = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};
const user = (...lines: string[]): ChatCompletionMessageParam => ({ role: "user", content: lines.join("\n") });
const ask = (content: string, model = "agent/script") =>
  client.chat.completions.create({ model, messages: [{ role: "user", content }] });

describe("an agent", () => {
  test("runs its tools on the server, and nothing of them is shown", async () => {
    const { data, response } = await client.chat.completions
      .create({
        model: "agent/script",
        messages: [user("say wait", 'call calculator {"expression":"6*7"}', "then", "say it is {{result}}")],
      })
      .withResponse();
    expect(data).toMatchObject({ object: "chat.completion", model: "agent/script" });
    expect(data.id).toMatch(/^chatcmpl-/);
    expect(data.choices).toMatchObject([
      { index: 0, message: { role: "assistant", content: "wait\n\nit is 42" }, finish_reason: "stop" },
    ]);
    expect(data.choices[0]!.message.tool_calls).toBeUndefined();
    expect(data.usage!.total_tokens).toBe(data.usage!.prompt_tokens + data.usage!.completion_tokens);
    expect(response.headers.get("x-mainspring-session")).toMatch(/^ses_/);
    expect(response.headers.get("x-mainspring-run")).toMatch(/^run_/);
    expect(response.headers.get("traceparent")).toMatch(/^00-/);
  });

  test("streams the same text, and its usage when that is asked for", async () => {
    const stream = await client.chat.completions.create({
      model: "agent/script",
      stream: true,
      stream_options: { include_usage: true },
      messages: [user("think hm", "say wait", 'call calculator {"expression":"6*7"}', "then", "say it is {{result}}")],
    });
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("wait\n\nit is 42");
    expect(deltas[0]).toMatchObject({ role: "assistant", reasoning_content: "hm" });
    expect(deltas.filter(({ role }) => role !== undefined)).toHaveLength(1);
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("the helper of the SDK accepts its stream", async () => {
    const stream = client.chat.completions.stream({
      model: "agent/script",
      tools: [weather],
      messages: [user("say look", 'call weather {"city":"Rome"}', 'call weather {"city":"Oslo"}')],
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]!.finish_reason).toBe("tool_calls");
    const calls = final.choices[0]!.message.tool_calls as ChatCompletionMessageFunctionToolCall[];
    expect(calls.map(({ function: made }) => made.arguments)).toEqual(['{"city":"Rome"}', '{"city":"Oslo"}']);
  });
});

describe.each(["agent/script", "offline/script"])("the caller's functions with %s", (model) => {
  test("are called, and a history that ends with their results goes on", async () => {
    const messages: ChatCompletionMessageParam[] = [
      { role: "developer", content: "be brief" },
      user('call weather {"city":"Rome"}', 'call weather {"city":"Oslo"}', "then", "say {{result:1}}, {{result:2}}"),
    ];
    const first = await client.chat.completions.create({ model, tools: [weather], messages });
    const { message, finish_reason: finish } = first.choices[0]!;
    expect(finish).toBe("tool_calls");
    expect(message.content).toBeNull();
    const calls = message.tool_calls as ChatCompletionMessageFunctionToolCall[];
    expect(calls.map(({ function: made }) => made)).toEqual([
      { name: "weather", arguments: '{"city":"Rome"}' },
      { name: "weather", arguments: '{"city":"Oslo"}' },
    ]);
    const results = calls.map(({ id }, index): ChatCompletionMessageParam => {
      return { role: "tool", tool_call_id: id, content: ["sunny", "snow"][index]! };
    });
    const second = await client.chat.completions.create({
      model,
      tools: [weather],
      messages: [...messages, message, ...results.toReversed()],
    });
    expect(second.choices[0]!.message.content).toBe("sunny, snow");
  });
});

describe("what cannot be", () => {
  test.each([
    ["more than one choice", { n: 2 }, /only one choice/],
    ["an unknown role", { messages: [{ role: "wizard", content: "x" }] }, /messages\.0\.role/],
    ["a result of no call", { messages: [{ role: "tool", tool_call_id: "c", content: "x" }] }, /answers no call/],
    ["a tool that is no function", { tools: [{ type: "magic" }] }, /tools\.0\.type/],
  ])("%s is refused", async (_name, fields, message) => {
    const body = { model: "agent/script", messages: [user("say x")], ...fields } as never;
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, message });
  });

  test("an unknown agent and a wrong key are told in OpenAI's shape", async () => {
    await expect(ask("x", "agent/nobody")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
    const stranger = new OpenAI({ apiKey: "wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
    const refused = stranger.chat.completions.create({ model: "agent/script", messages: [user("x")] });
    await expect(refused).rejects.toMatchObject({ status: 401, type: "authentication_error" });
  });

  test("a run that fails before any output is an error with its status, streamed or not", async () => {
    const retrying = new OpenAI({ apiKey: ADMIN_KEY, baseURL: `${server.url}/v1` });
    for (const stream of [false, true]) {
      const failed = retrying.chat.completions.create({ model: "agent/script", stream, messages: [user("fail 400")] });
      const error = (await failed.then(null, (thrown: unknown) => thrown)) as InstanceType<typeof OpenAI.APIError>;
      expect(error).toMatchObject({ status: 400, code: "run_failed" });
      expect(error.headers!.get("x-should-retry")).toBe("false");
    }
  });

  test("a run that fails after some output breaks its stream with the reason", async () => {
    const stream = await client.chat.completions.create({
      model: "agent/script",
      stream: true,
      messages: [user("say some", 'call calculator {"expression":"1"}', "then", "fail 400")],
    });
    let text = "";
    const read = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    })();
    await expect(read).rejects.toMatchObject({ message: expect.stringContaining("400") });
    expect(text).toBe("some");
  });
});

test("the same idempotency key gives the same answer, another content a conflict", async () => {
  const keyed = (content: string) =>
    client.chat.completions.create(
      { model: "offline/script", messages: [{ role: "user", content }] },
      { headers: { "idempotency-key": "chat once" } },
    );
  const first = await keyed("say once");
  expect(await keyed("say once")).toEqual(first);
  await expect(keyed("say twice")).rejects.toMatchObject({ status: 409 });
});

describe("a caller that leaves", () => {
  async function leave(model: string, key?: string): Promise<string> {
    const { data, response } = await client.chat.completions
      .create(
        { model, stream: true, messages: [user("say one", "wait 1500", "say two")] },
        key === undefined ? {} : { headers: { "idempotency-key": key } },
      )
      .withResponse();
    const run = response.headers.get("x-mainspring-run")!;
    for await (const chunk of data) if (chunk.choices[0]?.delta.content !== undefined) break;
    return ended(response.headers.get("x-mainspring-session")!, run);
  }

  /** How the run ended, from its event stream. */
  async function ended(session: string, run: string): Promise<string> {
    const events = await fetch(`${server.url}/v1/sessions/${session}/events?run=${run}&stream=true`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    const types = [...(await events.text()).matchAll(/"type":"(run\.[a-z_]+)"/g)].map(([, type]) => type!);
    return types.at(-1)!;
  }

  test("stops a plain model, and nothing that it could come back for", async () => {
    const ends = await Promise.all([leave("offline/script"), leave("agent/script"), leave("offline/script", "back")]);
    expect(ends).toEqual(["run.cancelled", "run.completed", "run.completed"]);
  });
});
