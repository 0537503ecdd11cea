import { describe, expect, test } from "vitest";

import { ChatAssembly, OUTPUT_CHARS_MAX } from "./chat-assembly.ts";
import { chatMessages, chatRequest, MISSING_RESULT } from "./chat-request.ts";
import type { Item } from "./items.ts";

const user = (text: string): Item => ({ type: "message", role: "user", text });
const call = (id: string, args = "{}"): Item => ({ type: "function_call", call_id: id, name: "f", arguments: args });
const output = (id: string): Item => ({ type: "function_call_output", call_id: id, output: `out ${id}` });

describe("messages", () => {
  test("calls of a turn share one message with its text, and their results follow at once", () => {
    const items: Item[] = [
      user("go"),
      { type: "reasoning", text: "hm" },
      { type: "message", role: "assistant", text: "on it" },
      call("a"),
      call("b", ""),
      user("hurry"),
      output("b"),
      output("a"),
    ];
    const toolCall = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
    expect(chatMessages("be brief", items)).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "go" },
      { role: "assistant", content: "on it", tool_calls: [toolCall("a"), toolCall("b")] },
      { role: "tool", tool_call_id: "a", content: "out a" },
      { role: "tool", tool_call_id: "b", content: "out b" },
      { role: "user", content: "hurry" },
    ]);
  });

  test("every call is answered, and a result without its call is not lost", () => {
    expect(chatMessages("", [call("a"), output("z")])).toEqual([
      { role: "assistant", content: null, tool_calls: [expect.objectContaining({ id: "a" })] },
      { role: "tool", tool_call_id: "a", content: MISSING_RESULT },
      { role: "user", content: "Result of the call z:\nout z" },
    ]);
  });

  test("images and files take the shapes of that API", () => {
    const parts = [
      { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
      { type: "input_file", file_id: "f1" },
      { type: "input_text", text: "more" },
      { type: "other", x: 1 },
    ];
    expect(chatMessages("", [{ type: "message", role: "user", text: "look", parts }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==", detail: "low" } },
          { type: "file", file: { file_id: "f1" } },
          { type: "text", text: "more" },
          { type: "other", x: 1 },
        ],
      },
    ]);
  });

  test("developer messages are system messages", () => {
    expect(chatMessages("", [{ type: "message", role: "developer", text: "rule" }])).toEqual([
      { role: "system", content: "rule" },
    ]);
  });
});

describe("parameters", () => {
  const base = { model: "m", instructions: "", items: [user("hi")] };

  test("tools and parameters are translated, and what was not given is left out", () => {
    const tool = { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: false };
    const params = {
      temperature: 0.2,
      max_output_tokens: 50,
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      reasoning: { effort: "low" },
      text: { format: { type: "json_schema", name: "n", schema: {}, strict: true } },
      unknown: 1,
    };
    expect(chatRequest({ ...base, tools: [tool], params })).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_completion_tokens: 50,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } },
      tools: [{ type: "function", function: { name: "f", description: "d", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "f" } },
      parallel_tool_calls: false,
    });
  });

  test("without tools there is no tool choice either", () => {
    const request = chatRequest({ ...base, tools: [], params: { tool_choice: "auto", parallel_tool_calls: true } });
    expect(request).not.toHaveProperty("tool_choice");
    expect(request).not.toHaveProperty("parallel_tool_calls");
  });
});

describe("assembly", () => {
  const chunk = (delta: object, finish: string | null = null) => ({ choices: [{ delta, finish_reason: finish }] });
  const toolDelta = (index: number, args: string, name?: string) =>
    chunk({ tool_calls: [{ index, id: "call_0", function: { name, arguments: args } }] });

  function run(...chunks: unknown[]) {
    const assembly = new ChatAssembly("req");
    const deltas = chunks.flatMap((one) => assembly.add(one));
    deltas.push(...assembly.flush());
    return { assembly, deltas };
  }

  test("reasoning, text and a call come as items one after the other", () => {
    const { assembly, deltas } = run(
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "let me " }),
      chunk({ reasoning_content: "see" }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      toolDelta(0, "", "f"),
      toolDelta(0, '{"a":1}'),
      chunk({}, "tool_calls"),
    );
    expect(deltas.map(({ item, kind, text }) => [item, kind, text])).toEqual([
      [0, "reasoning", "let me "],
      [0, "reasoning", "see"],
      [1, "text", "Hel"],
      [1, "text", "lo"],
      [2, "arguments", ""],
      [2, "arguments", '{"a":1}'],
    ]);
    expect(assembly.items().map((item) => item.type)).toEqual(["reasoning", "message", "function_call"]);
    expect(assembly.finish).toBe("tool_calls");
  });

  test("interleaved calls are parted: the first as it comes, the rest at the end", () => {
    const { assembly, deltas } = run(
      toolDelta(0, '{"a"', "f"),
      toolDelta(1, '{"b"', "g"),
      toolDelta(0, ":1}"),
      chunk({ content: "by the way" }),
      toolDelta(1, ":2}"),
      chunk({}, "stop"),
    );
    expect(deltas.map(({ item, text }) => [item, text])).toEqual([
      [0, '{"a"'],
      [0, ":1}"],
      [1, '{"b":2}'],
      [2, "by the way"],
    ]);
    expect(assembly.items().map((item) => ("arguments" in item ? item.arguments : item.text))).toEqual([
      '{"a":1}',
      '{"b":2}',
      "by the way",
    ]);
    expect(assembly.finish).toBe("tool_calls");
  });

  test("ids of calls are its own and differ, whatever the server sends", () => {
    const { assembly } = run(toolDelta(0, "{}", "f"), toolDelta(1, "{}", "g"));
    const ids = assembly.items().map((item) => (item.type === "function_call" ? item.call_id : ""));
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain("call_0");
  });

  test("a server that leaves indexes out, and a call without arguments", () => {
    const whole = (name: string) => chunk({ tool_calls: [{ function: { name } }] });
    const { assembly, deltas } = run(whole("f"), whole("g"));
    expect(deltas.map(({ item, name }) => [item, name])).toEqual([
      [0, "f"],
      [1, "g"],
    ]);
    expect(assembly.items()).toMatchObject([
      { name: "f", arguments: "{}" },
      { name: "g", arguments: "{}" },
    ]);
  });

  test("usage, refusal, finish reasons, junk and the limit", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    const { assembly } = run(null, {}, chunk({ refusal: "no" }, "content_filter"), { model: "m1", choices: [], usage });
    expect(assembly.usage).toEqual({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningTokens: 3 });
    expect(assembly.items()).toEqual([{ type: "message", role: "assistant", text: "no" }]);
    expect([assembly.finish, assembly.model]).toEqual(["content_filter", "m1"]);
    expect(run(chunk({}, "length")).assembly.finish).toBe("length");
    expect(run(chunk({}, "weird")).assembly.finish).toBe("stop");
    expect(run(chunk({ content: "x" })).assembly.finish).toBeNull();
    expect(run(chunk({ content: "x".repeat(OUTPUT_CHARS_MAX + 1) })).assembly.isTooLarge).toBe(true);
  });
});
