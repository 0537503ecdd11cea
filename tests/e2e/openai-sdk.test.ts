/** The official OpenAI SDK against the embedded server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import OpenAI from "openai";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { Witness, WITNESS_TOOLS_DIR } from "../support/witness.ts";

let witness: Witness;
let server: EmbeddedServer;
let dataDir: string;
let client: OpenAI;

beforeAll(async () => {
  witness = await Witness.start();
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-sdk-"));
  server = await startUp(dataDir, { MAINSPRING_TOOLS_DIR: WITNESS_TOOLS_DIR, WITNESS_URL: witness.url });
  client = new OpenAI({ apiKey: ADMIN_KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await server.process.kill("SIGTERM");
  await witness.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const input = (...lines: string[]): string => lines.join("\n");

describe("a streamed response", () => {
  test("calls two tools in parallel and answers from their results", async () => {
    const stream = client.responses.stream({
      model: "agent/script",
      input: input(
        'call witness_safe {"id":"p1","hold":true}',
        'call witness_safe {"id":"p2","hold":true}',
        "then",
        "say both came back: {{result:1}}, {{result:2}}",
      ),
    });
    // Both are under way before either may end.
    const both = Promise.all([witness.seen("p1"), witness.seen("p2")]).then(() => witness.release());
    const final = await stream.finalResponse();
    await both;
    expect(final.status).toBe("completed");
    expect(final.output_text).toBe("both came back: effect p1, effect p2");
    expect(final.output.filter((item) => item.type === "mcp_call")).toHaveLength(2);
    expect(final.usage!.total_tokens).toBeGreaterThan(0);
  });

  test("tells thoughts, calls and text apart, and its deltas add up", async () => {
    const texts: string[] = [];
    const stream = await client.responses.create({
      model: "agent/script",
      stream: true,
      input: input("think about it", 'call calculator {"expression":"2+3"}', "then", "say it is {{result}}"),
    });
    const types = new Set<string>();
    for await (const event of stream) {
      types.add(event.type);
      if (event.type === "response.output_text.delta") texts.push(event.delta);
    }
    expect(texts.join("")).toBe("it is 5");
    expect(types).toContain("response.reasoning_summary_text.delta");
    expect(types).toContain("response.mcp_call.completed");
    expect(types).toContain("response.completed");
  });

  test("of a failing model ends as failed with its reason", async () => {
    const response = await client.responses.create({ model: "agent/script", input: "fail 400" });
    expect(response.status).toBe("failed");
    expect(response.error!.message).not.toBe("");
  });

  test("survives a model that fails for a while", async () => {
    const response = await client.responses.create({
      model: "agent/script",
      input: input("fail 503 2", "say back again"),
    });
    expect(response.output_text).toBe("back again");
  });
});

describe("the caller's own functions", () => {
  const tools: OpenAI.Responses.FunctionTool[] = [
    {
      type: "function",
      name: "weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
      strict: false,
    },
  ];

  test("end the response with a call whose output the next request brings", async () => {
    const first = await client.responses.create({
      model: "agent/script",
      tools,
      input: input('call weather {"city":"Rome"}', "then", "say it is {{result}} in Rome"),
    });
    const call = first.output.find((item) => item.type === "function_call")!;
    expect(call).toMatchObject({ name: "weather", arguments: '{"city":"Rome"}' });
    const second = await client.responses.create({
      model: "agent/script",
      tools,
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "sunny" }],
    });
    expect(second.output_text).toBe("it is sunny in Rome");
  });

  test("work with a plain model name, which runs no server tools", async () => {
    const response = await client.responses.create({
      model: "offline/script",
      tools,
      input: 'call weather {"city":"Oslo"}',
    });
    expect(response.output).toMatchObject([{ type: "function_call", name: "weather" }]);
    const refused = await client.responses.create({
      model: "offline/script",
      input: input('call calculator {"expression":"1"}', "then", "say {{result}}"),
    });
    expect(refused.output_text).toContain("no tool named");
  });
});

describe("a background response", () => {
  test("is queued at once, can be fetched, and is resumed from any number with identical events", async () => {
    const created = await client.responses.create({
      model: "agent/script",
      background: true,
      input: input('call calculator {"expression":"6*7"}', "then", "say the answer is {{result}} and that is all"),
    });
    expect(["queued", "in_progress"]).toContain(created.status);
    const all = await collect(client.responses.retrieve(created.id, { stream: true }));
    expect(all.at(-1)!.type).toBe("response.completed");
    const middle = all[Math.floor(all.length / 2)]!.sequence_number;
    const rest = await collect(client.responses.retrieve(created.id, { stream: true, starting_after: middle }));
    expect(rest).toEqual(all.filter((event) => event.sequence_number > middle));
    const helped = client.responses.stream({ response_id: created.id, starting_after: middle });
    expect((await helped.finalResponse()).output_text).toBe("the answer is 42 and that is all");
    const fetched = await client.responses.retrieve(created.id);
    expect(fetched).toMatchObject({ id: created.id, status: "completed", background: true });
    const items = await client.responses.inputItems.list(created.id);
    expect(items.data).toHaveLength(1);
  });

  test("is cancelled while a tool runs, and again without harm", async () => {
    const created = await client.responses.create({
      model: "agent/script",
      background: true,
      input: input('call shell {"command":"sleep 600"}', "then", "say never"),
    });
    await untilEvent(created.id, (event) => event.type === "response.mcp_call.in_progress");
    const cancelled = await client.responses.cancel(created.id);
    expect(cancelled.status).toBe("cancelled");
    expect((await client.responses.cancel(created.id)).status).toBe("cancelled");
  });

  test("only a background one can be cancelled here", async () => {
    const response = await client.responses.create({ model: "agent/script", input: "say hi" });
    await expect(client.responses.cancel(response.id)).rejects.toMatchObject({ status: 400 });
  });
});

describe("a conversation", () => {
  test("goes on from the latest response and says so about an older one", async () => {
    const first = await client.responses.create({ model: "agent/script", input: "say one" });
    const second = await client.responses.create({
      model: "agent/script",
      input: "say two",
      previous_response_id: first.id,
    });
    expect(second.previous_response_id).toBe(first.id);
    const again = client.responses.create({ model: "agent/script", input: "say x", previous_response_id: first.id });
    await expect(again).rejects.toMatchObject({ status: 409, code: "previous_response_not_latest" });
  });

  test("the same idempotency key gives the same response, another content a conflict", async () => {
    const ask = (text: string): Promise<Response> =>
      client.responses.create({ model: "agent/script", input: text }, { headers: { "idempotency-key": "same" } });
    const first = await ask("say once");
    expect((await ask("say once")).id).toBe(first.id);
    await expect(ask("say something else")).rejects.toMatchObject({ status: 409 });
  });

  test("the same idempotency key gives the same response where it continues another", async () => {
    const first = await client.responses.create({ model: "agent/script", input: "say one" });
    const ask = (text: string): Promise<Response> =>
      client.responses.create(
        { model: "agent/script", input: text, previous_response_id: first.id },
        { headers: { "idempotency-key": "continued" } },
      );
    const second = await ask("say two");
    expect((await ask("say two")).id).toBe(second.id);
    await client.responses.create({ model: "agent/script", input: "say three", previous_response_id: second.id });
    expect(await ask("say two")).toMatchObject({ id: second.id, output_text: "two" });
    await expect(ask("say something else")).rejects.toMatchObject({ status: 409 });
  });
});

test("models and agents are listed", async () => {
  const names: string[] = [];
  for await (const model of client.models.list()) names.push(model.id);
  expect(names).toEqual(expect.arrayContaining(["agent/assistant", "agent/script", "offline/script"]));
});

async function collect(stream: Promise<AsyncIterable<ResponseStreamEvent>>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of await stream) events.push(event);
  return events;
}

async function untilEvent(id: string, passes: (event: ResponseStreamEvent) => boolean): Promise<void> {
  const stream = await client.responses.retrieve(id, { stream: true });
  for await (const event of stream) if (passes(event)) break;
}
