import { describe, expect, test } from "vitest";

import { MISSING_RESULT } from "./chat-request.ts";
import type { Item } from "./items.ts";
import { MessagesAssembly } from "./messages-assembly.ts";
import { MAX_TOKENS_DEFAULT, messagesRequest, turnsOf } from "./messages-request.ts";

const user = (text: string): Item => ({ type: "message", role: "user", text });
const said = (text: string): Item => ({ type: "message", role: "assistant", text });
const call = (id: string, args = "{}"): Item => ({ type: "function_call", call_id: id, name: "f", arguments: args });
const output = (id: string): Item => ({ type: "function_call_output", call_id: id, output: `out ${id}` });
const thought: Item = { type: "reasoning", text: "hm", signature: "sig" };

const text = (value: string) => ({ type: "text", text: value });
const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
const result = (id: string, content = `out ${id}`) => ({ type: "tool_result", tool_use_id: id, content });

describe("turns", () => {
  test("the results of a turn's calls come first in the turn after it, in the order of the calls", () => {
    const items = [
      user("go"),
      thought,
      said("on it"),
      call("a"),
      call("b", ""),
      user("hurry"),
      output("b"),
      output("a"),
    ];
    expect(turnsOf(items)).toEqual([
      { role: "user", content: [text("go")] },
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm", signature: "sig" }, text("on it"), use("a"), use("b")],
      },
      { role: "user", content: [result("a"), result("b"), text("hurry")] },
    ]);
  });

  test("two turns that only called stay two", () => {
    const roles = turnsOf([user("go"), call("a"), output("a"), call("b"), output("b"), said("done")]);
    expect(roles.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"]);
  });

  test("every call is answered, and a result without its call is not lost", () => {
    expect(turnsOf([call("a"), output("z")])).toEqual([
      { role: "user", content: [text("(begin)")] },
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [result("a", MISSING_RESULT), text("Result of the call z:\nout z")] },
    ]);
  });

  test("reasoning goes back with its signature or not at all", () => {
    const items: Item[] = [
      user("go"),
      { type: "reasoning", text: "unsigned" },
      { type: "reasoning", text: "", signature: "data", redacted: true },
      said("well "),
      { type: "message", role: "developer", text: "be brief" },
      user(""),
    ];
    expect(turnsOf(items).slice(1)).toEqual([
      { role: "assistant", content: [{ type: "redacted_thinking", data: "data" }, text("well")] },
      { role: "user", content: [text("[developer] be brief"), text("(empty)")] },
    ]);
  });

  test("images and files take the shapes of that API", () => {
    const parts = [
      { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
      { type: "input_image", image_url: "https://x/a.png" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BB==" },
      { type: "input_file", file_id: "f1" },
    ];
    expect(turnsOf([{ type: "message", role: "user", text: "look", parts }])[0]!.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      { type: "image", source: { type: "url", url: "https://x/a.png" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "BB==" }, title: "a.pdf" },
      { type: "document", source: { type: "file", file_id: "f1" } },
      text("look"),
    ]);
  });
});

describe("a request", () => {
  const request = (items: readonly Item[], params: Record<string, unknown> = {}, tools: unknown[] = []) =>
    messagesRequest({ model: "m", instructions: "be brief", tools, params, items });

  test("has a limit of tokens, and marks what the next call will have in common with it", () => {
    const ephemeral = { cache_control: { type: "ephemeral" } };
    expect(request([user("a"), said("b"), user("c")])).toEqual({
      model: "m",
      stream: true,
      max_tokens: MAX_TOKENS_DEFAULT,
      system: [{ ...text("be brief"), ...ephemeral }],
      messages: [
        { role: "user", content: [text("a")] },
        { role: "assistant", content: [text("b")] },
        { role: "user", content: [{ ...text("c"), ...ephemeral }] },
      ],
    });
  });

  test("takes parameters under its own names", () => {
    const params = { temperature: 1.5, stop: "x", user: "u", max_output_tokens: 5, reasoning: { effort: "low" } };
    const format = { type: "json_schema", name: "n", schema: { type: "object" } };
    const tools = [{ type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: false }];
    const more = {
      ...params,
      text: { format },
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
    };
    expect(request([user("a")], more, tools)).toMatchObject({
      temperature: 1,
      stop_sequences: ["x"],
      metadata: { user_id: "u" },
      max_tokens: 5,
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
      tools: [{ name: "f", description: "d", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    });
    expect(request([user("a")], { tool_choice: "required" }, tools)["tool_choice"]).toEqual({ type: "any" });
    expect(request([user("a")], { tool_choice: "auto" }, tools)["tool_choice"]).toBeUndefined();
  });

  test("thinks with a budget, without a temperature, and not where the turn that goes on has no thinking", () => {
    const thinking = { type: "enabled", budget_tokens: 2_000 };
    const fresh = request([user("a")], { thinking, temperature: 0 });
    expect(fresh).toMatchObject({ thinking, max_tokens: MAX_TOKENS_DEFAULT + 2_000 });
    expect(fresh["temperature"]).toBeUndefined();
    expect(request([user("a"), thought, call("c"), output("c")], { thinking })["thinking"]).toEqual(thinking);
    expect(request([user("a"), call("c"), output("c")], { thinking })["thinking"]).toBeUndefined();
  });
});

describe("a stream", () => {
  const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (index: number, fields: object) => ({ type: "content_block_delta", index, delta: fields });

  test("becomes items in the order of its blocks; an empty text is none", () => {
    const assembly = new MessagesAssembly("req");
    const deltas = [
      { type: "message_start", message: { model: "claude-1", usage: { input_tokens: 5, cache_read_input_tokens: 3 } } },
      start(0, { type: "redacted_thinking", data: "secret" }),
      start(1, { type: "thinking", thinking: "" }),
      delta(1, { type: "thinking_delta", thinking: "hm" }),
      delta(1, { type: "signature_delta", signature: "sig" }),
      start(2, { type: "text", text: "" }),
      start(3, { type: "server_tool_use", name: "web" }),
      start(4, { type: "tool_use", id: "t", name: "f", input: {} }),
      delta(4, { type: "input_json_delta", partial_json: '{"a"' }),
      delta(4, { type: "input_json_delta", partial_json: ":1}" }),
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { input_tokens: null, output_tokens: 9 } },
      { type: "message_stop" },
    ].flatMap((event) => assembly.add(event));
    expect(deltas.map(({ item, kind, text: shown, name }) => [item, kind, shown, name])).toEqual([
      [0, "reasoning", "", ""],
      [1, "reasoning", "", ""],
      [1, "reasoning", "hm", ""],
      [2, "arguments", "", "f"],
      [2, "arguments", '{"a"', ""],
      [2, "arguments", ":1}", ""],
    ]);
    expect(assembly.items()).toEqual([
      { type: "reasoning", text: "", signature: "secret", redacted: true },
      { type: "reasoning", text: "hm", signature: "sig" },
      { type: "function_call", call_id: deltas[3]!.callId, name: "f", arguments: '{"a":1}' },
    ]);
    expect(assembly.usage).toEqual({ inputTokens: 8, cachedInputTokens: 3, outputTokens: 9, reasoningTokens: 0 });
    expect(assembly.model).toBe("claude-1");
    expect(assembly.finish).toBe("tool_calls");
  });

  test.each([
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["refusal", "content_filter"],
    ["something new", "stop"],
  ])("%s ends as %s, once the message is whole", (reason, finish) => {
    const assembly = new MessagesAssembly("req");
    assembly.add({ type: "message_delta", delta: { stop_reason: reason } });
    expect(assembly.finish).toBeNull();
    assembly.add({ type: "message_stop" });
    expect(assembly.finish).toBe(finish);
  });
});
