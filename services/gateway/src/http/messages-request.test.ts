import { expect, test } from "vitest";

import { estimateTokens, TOKENS_PER_PART } from "../domain/token-estimate.ts";
import { parseMessagesRequest } from "./messages-request.ts";

const parse = (fields: object) =>
  parseMessagesRequest({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hello" }], ...fields });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

test("blocks become items in their order", () => {
  const { items, instructions } = parse({
    system: "be brief",
    messages: [
      { role: "user", content: [{ type: "text", text: "see" }, { type: "text", text: "this" }, image] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "redacted_thinking", data: "secret" },
          { type: "text", text: "well" },
          { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "done" }, image] },
          { type: "document", title: "a.pdf", source: { type: "url", url: "https://x/a.pdf" } },
          { type: "document", source: { type: "text", data: "plain" } },
          { type: "text", text: "and now?" },
        ],
      },
    ],
  });
  const picture = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
  expect(instructions).toBe("be brief");
  expect(items).toEqual([
    { type: "message", role: "user", text: "see\nthis", parts: [picture] },
    { type: "reasoning", text: "hm", signature: "sig" },
    { type: "reasoning", text: "", signature: "secret", redacted: true },
    { type: "message", role: "assistant", text: "well" },
    { type: "function_call", call_id: "t", name: "f", arguments: '{"a":1}' },
    { type: "function_call_output", call_id: "t", output: "done" },
    {
      type: "message",
      role: "user",
      text: "plain\nand now?",
      parts: [picture, { type: "input_file", file_url: "https://x/a.pdf" }],
    },
  ]);
});

test("parameters go on under the engine's names", () => {
  const { params, clientTools } = parse({
    temperature: 0.5,
    stop_sequences: ["x"],
    thinking: { type: "enabled", budget_tokens: 2_000 },
    metadata: { user_id: "u" },
    tools: [{ name: "f", input_schema: { type: "object" }, cache_control: { type: "ephemeral" } }],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
  });
  expect(clientTools).toEqual([{ type: "function", name: "f", parameters: { type: "object" } }]);
  expect(params).toEqual({
    temperature: 0.5,
    stop: ["x"],
    thinking: { type: "enabled", budget_tokens: 2_000 },
    user: "u",
    max_output_tokens: 9,
    tool_choice: "required",
    parallel_tool_calls: false,
    reasoning: { effort: "low" },
    text: { format: { name: "answer", type: "json_schema", schema: {} } },
  });
});

test("an image costs what images cost, whatever its size", () => {
  const asked = parse({ messages: [{ role: "user", content: [{ type: "text", text: "12345678" }, image] }] });
  expect(estimateTokens(asked)).toBe(2 + TOKENS_PER_PART);
});
