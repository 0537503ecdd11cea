import { describe, expect, test } from "vitest";

import { parseChatRequest } from "./chat-request.ts";

const hello = { role: "user", content: "hello" };
const parse = (fields: object) => parseChatRequest({ model: "m", messages: [hello], ...fields });

test("messages become items, and texts of the system before them instructions", () => {
  const { items, instructions } = parse({
    messages: [
      { role: "system", content: "be brief" },
      { role: "developer", content: [{ type: "text", text: "be kind" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "data:x", detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "done" }] },
      { role: "system", content: "later" },
      { role: "assistant", content: "so" },
    ],
  });
  expect(instructions).toBe("be brief\n\nbe kind");
  expect(items).toEqual([
    {
      type: "message",
      role: "user",
      text: "see",
      parts: [{ type: "input_image", image_url: "data:x", detail: "low" }],
    },
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: "done" },
    { type: "message", role: "system", text: "later" },
    { type: "message", role: "assistant", text: "so" },
  ]);
});

test("a conversation of the system alone keeps its items", () => {
  expect(parse({ messages: [{ role: "system", content: "begin" }] })).toMatchObject({
    instructions: "",
    items: [{ role: "system", text: "begin" }],
  });
});

test("parameters go on under the engine's names, unknown fields are passed over", () => {
  const { params, clientTools, agent, includeUsage } = parse({
    model: "agent/script",
    max_tokens: 5,
    max_completion_tokens: 7,
    stop: ["x"],
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
    tools: [{ type: "function", function: { name: "f", description: null } }],
    tool_choice: { type: "function", function: { name: "f" } },
    stream_options: { include_usage: true },
    logit_bias: {},
    store: true,
  });
  expect(agent).toBe("script");
  expect(includeUsage).toBe(true);
  expect(clientTools).toEqual([{ type: "function", name: "f" }]);
  expect(params).toEqual({
    max_output_tokens: 7,
    stop: ["x"],
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "n", schema: {} } },
    tool_choice: { type: "function", name: "f" },
  });
});

describe("what is wrong is said", () => {
  test.each([
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "user" }] }, "messages.0.content"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages.0.content.0.text"],
    [{ temperature: 9 }, "temperature"],
    [{ tools: [{ type: "function", function: { name: "no spaces" } }] }, "tools.0.function.name"],
    [{ functions: [] }, "functions"],
    [{ n: 3 }, "n"],
  ])("%j", (fields, param) => {
    expect(() => parse(fields)).toThrow(expect.objectContaining({ code: "invalid_argument", param }) as Error);
  });
});
