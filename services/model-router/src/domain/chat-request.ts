/**
 * A conversation as a request of the Chat Completions API.
 *
 * That API wants the results of a turn's calls directly after the message that made them, each call answered: results
 * are therefore moved up to their calls, and a call without one is told so. Reasoning is not sent back.
 */
import type { FunctionCallItem, Item, MessageItem } from "./items.ts";
import { isRecord } from "./items.ts";

export interface ChatInput {
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly items: readonly Item[];
}

export type Json = Record<string, unknown>;

/** Parameters of the same name and meaning on both APIs. */
const SAME = ["temperature", "top_p", "stop", "seed", "presence_penalty", "frequency_penalty", "user"] as const;
export const MISSING_RESULT = "(the call has no result)";

export function chatRequest({ model, instructions, tools, params, items }: ChatInput): Json {
  return {
    model,
    messages: chatMessages(instructions, items),
    stream: true,
    stream_options: { include_usage: true },
    ...chatTools(tools, params),
    ...chatParams(params),
  };
}

export function chatMessages(instructions: string, items: readonly Item[]): Json[] {
  const results = new Map<string, string>();
  for (const item of items) if (item.type === "function_call_output") results.set(item.call_id, item.output);
  const messages: Json[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  const answered = new Set<string>();
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]!;
    if (item.type === "message" && item.role !== "assistant") messages.push(plainMessage(item));
    else if (item.type === "function_call_output" && !answered.has(item.call_id)) {
      messages.push({ role: "user", content: `Result of the call ${item.call_id}:\n${item.output}` });
    } else if (item.type === "message" || item.type === "function_call") {
      const turn = assistantTurn(items, index);
      messages.push(turn.message);
      for (const { call_id } of turn.calls) {
        messages.push({ role: "tool", tool_call_id: call_id, content: results.get(call_id) ?? MISSING_RESULT });
        answered.add(call_id);
      }
      index = turn.last;
    }
  }
  return messages;
}

/** One message of the assistant with the calls that follow it. */
function assistantTurn(
  items: readonly Item[],
  from: number,
): { message: Json; calls: FunctionCallItem[]; last: number } {
  const first = items[from]!;
  const text = first.type === "message" ? first.text : "";
  const calls: FunctionCallItem[] = [];
  let last = from;
  for (let index = first.type === "message" ? from + 1 : from; index < items.length; index += 1) {
    const item = items[index]!;
    if (item.type === "function_call") calls.push(item);
    else if (item.type !== "reasoning") break;
    last = index;
  }
  const message: Json = { role: "assistant", content: text === "" && calls.length > 0 ? null : text };
  if (calls.length > 0) {
    message["tool_calls"] = calls.map(({ call_id, name, arguments: args }) => ({
      id: call_id,
      type: "function",
      function: { name, arguments: args === "" ? "{}" : args },
    }));
  }
  return { message, calls, last };
}

function plainMessage({ role, text, parts = [] }: MessageItem): Json {
  const chatRole = role === "user" ? "user" : "system";
  if (parts.length === 0) return { role: chatRole, content: text };
  const content = text === "" ? [] : [{ type: "text", text }];
  return { role: chatRole, content: [...content, ...parts.map(chatPart)] };
}

/** Images and files have other shapes there; what is not known is passed on as it is, for the provider to judge. */
function chatPart(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const { type, image_url, detail, file_id, file_data, filename, text } = part;
  switch (type) {
    case "input_text":
      return { type: "text", text };
    case "input_image":
      return isRecord(image_url)
        ? { type: "image_url", image_url }
        : { type: "image_url", image_url: defined({ url: image_url, detail }) };
    case "input_file":
      return { type: "file", file: defined({ file_id, file_data, filename }) };
    default:
      return part;
  }
}

function chatTools(tools: readonly unknown[], params: ChatInput["params"]): Json {
  if (tools.length === 0) return {};
  const { tool_choice, parallel_tool_calls } = params;
  return defined({
    tools: tools.filter(isRecord).map(({ name, description, parameters, strict }) => ({
      type: "function",
      function: defined({ name, description, parameters, strict: strict === true ? true : undefined }),
    })),
    tool_choice: isRecord(tool_choice) ? { type: "function", function: { name: tool_choice["name"] } } : tool_choice,
    parallel_tool_calls,
  });
}

function chatParams(params: ChatInput["params"]): Json {
  const { max_output_tokens, reasoning, text } = params;
  const request: Json = {};
  for (const name of SAME) request[name] = params[name];
  // The older `max_tokens` is refused by reasoning models; servers that know only that one ignore this limit.
  request["max_completion_tokens"] = max_output_tokens;
  if (isRecord(reasoning)) request["reasoning_effort"] = reasoning["effort"];
  if (isRecord(text)) {
    request["verbosity"] = text["verbosity"];
    request["response_format"] = responseFormat(text["format"]);
  }
  return defined(request);
}

function responseFormat(format: unknown): unknown {
  if (!isRecord(format) || format["type"] === "text") return undefined;
  if (format["type"] !== "json_schema") return { type: format["type"] };
  const { name, description, schema, strict } = format;
  return { type: "json_schema", json_schema: defined({ name, description, schema, strict }) };
}

/** Without what was not given. */
export function defined(record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));
}
