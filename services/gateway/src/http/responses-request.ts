/** The body of `POST /v1/responses` into what the engine takes. Fields that say nothing to us are let through unread. */
import { MainspringError } from "@mainspring/kernel";
import { z } from "zod";

import { namedModel, present } from "../domain/asked.ts";
import type { EngineItem } from "../domain/asked.ts";
import type { ResponseEcho } from "../domain/response-object.ts";
import { runIdOfResponse } from "../domain/response-object.ts";
import { parseBody } from "./invalid-request.ts";

const textContent = z.object({ type: z.enum(["input_text", "output_text", "text"]), text: z.string() });
const otherContent = z.object({ type: z.enum(["input_image", "input_file", "refusal"]) }).loose();
const part = z.union([textContent, otherContent], {
  error: "must be a part with its text, of type input_text, or an input_image or input_file",
});
const content = z.union([z.string(), z.array(part)], { error: "must be a text, or a list of content parts" });

const message = z.object({
  type: z.literal("message").optional(),
  role: z.enum(["user", "assistant", "system", "developer"], {
    error: "must be user, assistant, system or developer",
  }),
  content,
});
const functionCall = z.object({
  type: z.literal("function_call"),
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
});
const functionCallOutput = z.object({
  type: z.literal("function_call_output"),
  call_id: z.string().min(1),
  output: content,
});
const reasoning = z.object({ type: z.literal("reasoning") }).loose();
const mcpCall = z.object({ type: z.literal("mcp_call") }).loose();
const item = z.union([functionCall, functionCallOutput, reasoning, mcpCall, message], {
  error: "must be a message, function_call, function_call_output, reasoning or mcp_call",
});

const functionTool = z.object({
  type: z.literal("function"),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
  strict: z.boolean().nullish(),
});

export const responsesBody = z.object({
  model: z.string({ error: "is required: a model's name, or agent/<name>" }).min(1),
  input: z.union([z.string(), z.array(item).min(1)], { error: "is required: a text, or a list of input items" }),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  tools: z
    .array(functionTool, { error: 'may hold function tools only: {type: "function", name, parameters}' })
    .nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  max_tool_calls: z.number().int().min(1).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  reasoning: z.unknown().optional(),
  text: z.unknown().optional(),
  user: z.string().nullish(),
});

export interface ResponsesRequest {
  /** Agent name, or empty. */
  readonly agent: string;
  /** Model name, or empty with an agent. */
  readonly model: string;
  readonly items: readonly EngineItem[];
  readonly instructions: string;
  readonly clientTools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
  readonly background: boolean;
  /** Run of `previous_response_id`, or empty. */
  readonly previousRun: string;
  readonly echo: ResponseEcho;
}

type Body = z.infer<typeof responsesBody>;
type Item = z.infer<typeof item>;

export function parseResponsesRequest(json: unknown): ResponsesRequest {
  const request = parseBody(responsesBody, json);
  const { agent, model } = namedModel(request.model);
  if (request.background === true && request.store === false) {
    throw new MainspringError("invalid_argument", "background needs store", { param: "store" });
  }
  if (request.conversation !== undefined && request.conversation !== null) {
    throw new MainspringError("invalid_argument", "conversation is not supported; use previous_response_id", {
      param: "conversation",
      reason: "unsupported_parameter",
    });
  }
  const input =
    typeof request.input === "string" ? [messageItem("user", request.input)] : request.input.flatMap(toItems);
  return {
    agent,
    model,
    items: input,
    instructions: request.instructions ?? "",
    clientTools: (request.tools ?? []).map(({ description, ...tool }) => ({
      ...tool,
      ...(typeof description === "string" ? { description } : {}),
    })),
    params: paramsOf(request),
    stream: request.stream ?? false,
    background: request.background ?? false,
    previousRun: previousRunOf(request.previous_response_id ?? null),
    echo: echoOf(request),
  };
}

function previousRunOf(id: string | null): string {
  if (id === null) return "";
  const run = runIdOfResponse(id);
  if (run !== null) return run;
  throw new MainspringError("not_found", `no response ${id}`, {
    param: "previous_response_id",
    reason: "previous_response_not_found",
  });
}

function paramsOf(request: Body): Record<string, unknown> {
  const { temperature, top_p, max_output_tokens, tool_choice, parallel_tool_calls, reasoning: effort, text } = request;
  const all = { temperature, top_p, max_output_tokens, tool_choice, parallel_tool_calls, reasoning: effort, text };
  return present(all);
}

function echoOf(request: Body): ResponseEcho {
  const { instructions, max_output_tokens, metadata, previous_response_id, temperature, tool_choice, tools } = request;
  const { reasoning: effort, text, top_p, user } = request;
  return {
    model: request.model,
    background: request.background ?? false,
    store: request.store ?? true,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    ...present({ instructions, max_output_tokens, metadata, previous_response_id, temperature, tool_choice, tools }),
    ...present({ reasoning: effort, text, top_p, user }),
  };
}

function messageItem(role: string, text: string): EngineItem {
  return { type: "message", role, text };
}

function toItems(given: Item): EngineItem[] {
  if (given.type === "function_call") {
    const { call_id, name, arguments: args } = given;
    return [{ type: "function_call", call_id, name, arguments: args }];
  }
  if (given.type === "function_call_output") {
    return [{ type: "function_call_output", call_id: given.call_id, output: textOf(given.output) }];
  }
  // Earlier reasoning and server calls come back with clients that send the whole output again; the session has them.
  if (given.type === "reasoning" || given.type === "mcp_call") return [];
  const { role, content: parts } = given as z.infer<typeof message>;
  if (typeof parts === "string") return [messageItem(role, parts)];
  const others = parts.filter((part) => !("text" in part));
  const text = textOf(parts);
  return [others.length === 0 ? messageItem(role, text) : { type: "message", role, text, parts: others }];
}

function textOf(parts: string | readonly { readonly type: string; readonly text?: unknown }[]): string {
  if (typeof parts === "string") return parts;
  return parts.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
}
