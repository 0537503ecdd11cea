/**
 * A conversation as a request of the Messages API.
 *
 * That API wants turns of user and assistant one after the other, the results of a turn's calls first in the turn after
 * it, each call answered. Reasoning goes back with the signature that its provider gave it, and not without one.
 */
import type { FunctionCallItem, Item, MessageItem, ReasoningItem } from "./items.ts";
import { isRecord } from "./items.ts";
import type { ChatInput, Json } from "./chat-request.ts";
import { defined, MISSING_RESULT } from "./chat-request.ts";
import { mediaBlock } from "./messages-media.ts";

/** Most tokens of an answer where the caller has set no limit: the API wants one. */
export const MAX_TOKENS_DEFAULT = 16_384;

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: Json[];
}

export function messagesRequest({ model, instructions, tools, params, items }: ChatInput): Json {
  const messages = turnsOf(items);
  const thinking = thinkingFor(params["thinking"], messages);
  cacheUpTo(messages.at(-1)?.content);
  return defined({
    model,
    messages,
    stream: true,
    system: instructions === "" ? undefined : [cached({ type: "text", text: instructions })],
    ...toolFields(tools, params),
    ...paramFields(params, thinking),
  });
}

export function turnsOf(items: readonly Item[]): Turn[] {
  const results = new Map<string, string>();
  for (const item of items) if (item.type === "function_call_output") results.set(item.call_id, item.output);
  const turns: Turn[] = [];
  const answered = new Set<string>();
  let open: string[] = [];
  const answer = (): void => {
    for (const id of open)
      say(turns, "user", { type: "tool_result", tool_use_id: idOf(id), content: resultOf(results, id) });
    open = [];
  };
  for (const item of items) {
    if (item.type === "function_call_output") {
      answer();
      if (answered.has(item.call_id)) continue;
      say(turns, "user", textBlock(`Result of the call ${item.call_id}:\n${item.output}`));
      continue;
    }
    if (item.type === "message" && item.role !== "assistant") {
      answer();
      for (const block of blocksOf(item)) say(turns, "user", block);
      continue;
    }
    // A turn that called has ended; what the assistant does next comes after the results.
    if (item.type !== "function_call" && open.length > 0) answer();
    const block = assistantBlock(item);
    if (block !== null) say(turns, "assistant", block);
    if (item.type !== "function_call") continue;
    open.push(item.call_id);
    answered.add(item.call_id);
  }
  answer();
  return withUserFirst(turns);
}

function resultOf(results: ReadonlyMap<string, string>, id: string): string {
  return results.get(id) ?? MISSING_RESULT;
}

function say(turns: Turn[], role: Turn["role"], block: Json): void {
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(block);
  else turns.push({ role, content: [block] });
}

/** A conversation may begin with what the assistant said, or with nothing at all; the API wants the user first. */
function withUserFirst(turns: Turn[]): Turn[] {
  return turns[0]?.role === "user" ? turns : [{ role: "user", content: [textBlock("(begin)")] }, ...turns];
}

function assistantBlock(item: MessageItem | ReasoningItem | FunctionCallItem): Json | null {
  switch (item.type) {
    case "message":
      return item.text.trim() === "" ? null : textBlock(item.text.trimEnd());
    case "reasoning":
      if (item.signature === undefined) return null;
      if (item.redacted === true) return { type: "redacted_thinking", data: item.signature };
      return { type: "thinking", thinking: item.text, signature: item.signature };
    case "function_call":
      return { type: "tool_use", id: idOf(item.call_id), name: item.name, input: inputOf(item.arguments) };
  }
}

/** Texts of the system in the midst of a conversation are marked as what they are. Blocks are never empty. */
function blocksOf({ role, text, parts = [] }: MessageItem): Json[] {
  const shown = role === "user" ? text : `[${role}] ${text}`;
  const blocks = shown.trim() === "" ? [] : [textBlock(shown)];
  const all = [...parts.map(mediaBlock), ...blocks];
  return all.length === 0 ? [textBlock("(empty)")] : all;
}

function textBlock(text: string): Json {
  return { type: "text", text };
}

/** Ids there are letters, digits, _ and -. */
function idOf(callId: string): string {
  return callId.replaceAll(/[^\w-]/g, "_");
}

/** Input is an object there; a model that wrote something else sees what it was. */
function inputOf(args: string): Json {
  try {
    const input: unknown = JSON.parse(args === "" ? "{}" : args);
    if (isRecord(input)) return input;
  } catch {
    // Told below.
  }
  return { invalid_arguments: args };
}

/** With a budget for thinking, the API wants the turn that goes on to begin with thinking: without it that is left out. */
function thinkingFor(thinking: unknown, turns: readonly Turn[]): unknown {
  if (!isRecord(thinking) || thinking["type"] !== "enabled") return thinking;
  const goesOn = turns.at(-1)?.content.some(({ type }) => type === "tool_result") === true;
  const before = turns.at(-2)?.content[0]?.["type"];
  return !goesOn || before === "thinking" || before === "redacted_thinking" ? thinking : undefined;
}

/** What comes before is read from the provider's cache by the next call of the conversation. */
function cacheUpTo(content: Json[] | undefined): void {
  const last = content?.at(-1);
  if (content === undefined || last === undefined || String(last["type"]).includes("thinking")) return;
  content[content.length - 1] = cached(last);
}

function cached(block: Json): Json {
  return { ...block, cache_control: { type: "ephemeral" } };
}

function toolFields(tools: readonly unknown[], params: ChatInput["params"]): Json {
  if (tools.length === 0) return {};
  return {
    tools: tools.filter(isRecord).map(({ name, description, parameters, strict }) =>
      defined({
        name,
        description,
        input_schema: isRecord(parameters) ? parameters : { type: "object" },
        strict: strict === true ? true : undefined,
      }),
    ),
    tool_choice: toolChoice(params["tool_choice"], params["parallel_tool_calls"] === false),
  };
}

function toolChoice(choice: unknown, alone: boolean): Json | undefined {
  const one = alone ? { disable_parallel_tool_use: true } : {};
  if (isRecord(choice)) return { type: "tool", name: choice["name"], ...one };
  if (choice === "none") return { type: "none" };
  if (choice === "required") return { type: "any", ...one };
  return alone ? { type: "auto", ...one } : undefined;
}

function paramFields(params: ChatInput["params"], thinking: unknown): Json {
  const { temperature, top_p, top_k, stop, user, max_output_tokens: limit, reasoning, text } = params;
  const thinks = isRecord(thinking) && thinking["type"] !== "disabled";
  const budget = isRecord(thinking) ? Number(thinking["budget_tokens"] ?? 0) : 0;
  const effort = isRecord(reasoning) ? reasoning["effort"] : undefined;
  const format = isRecord(text) ? formatOf(text["format"]) : undefined;
  const output = defined({ effort: effort === "minimal" || effort === "none" ? "low" : effort, format });
  return {
    max_tokens: typeof limit === "number" ? limit : MAX_TOKENS_DEFAULT + budget,
    // Models that think take no other temperature than their own; others up to 1.
    temperature: typeof temperature === "number" && !thinks ? Math.min(1, temperature) : undefined,
    top_p,
    top_k,
    thinking,
    stop_sequences: typeof stop === "string" ? [stop] : stop,
    metadata: typeof user === "string" ? { user_id: user } : undefined,
    output_config: Object.keys(output).length === 0 ? undefined : output,
  };
}

function formatOf(format: unknown): Json | undefined {
  if (!isRecord(format) || format["type"] !== "json_schema") return undefined;
  return { type: "json_schema", schema: format["schema"] };
}
