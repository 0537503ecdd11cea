/** The body of `POST /v1/messages` into what the engine takes. Fields that say nothing to us are passed over. */
import { z } from "zod";

import { namedModel, present, strayResult } from "../domain/asked.ts";
import type { Asked, AskedTool, EngineItem } from "../domain/asked.ts";
import { invalidRequest, parseBody } from "./invalid-request.ts";
import { assistantBlock, assistantItems, textBlock, textOfBlocks, userBlock, userItems } from "./messages-blocks.ts";

const texts = z.union([z.string(), z.array(textBlock)], { error: "must be a text, or a list of text blocks" });
const message = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.literal("user"), content: z.union([z.string(), z.array(userBlock)]) }),
    z.object({ role: z.literal("assistant"), content: z.union([z.string(), z.array(assistantBlock)]) }),
    z.object({ role: z.literal("system"), content: texts }),
  ],
  { error: "must have the role user or assistant" },
);
const tool = z.object({
  type: z.literal("custom", { error: "must be custom: tools that the provider runs are not served" }).nullish(),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().nullish(),
});
const toolChoice = z.object({
  type: z.enum(["auto", "any", "tool", "none"], { error: "must be auto, any, tool or none" }),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().nullish(),
});

export const countBody = z.object({
  model: z.string({ error: "is required: a model's name, or agent/<name>" }).min(1),
  messages: z.array(message, { error: "is required: a list of messages" }).min(1),
  system: texts.nullish(),
  tools: z.array(tool, { error: "must be a list of tools" }).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z
    .object({ type: z.string() })
    .loose()
    .nullish()
    .describe("Goes to models of Anthropic; others do not know it."),
});
export const messagesBody = countBody.extend({
  max_tokens: z.number({ error: "is required: the most tokens of the answer" }).int().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().int().min(0).nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  metadata: z.object({ user_id: z.string().nullish() }).nullish(),
  output_config: z
    .object({ effort: z.string().nullish(), format: z.object({ type: z.string() }).loose().nullish() })
    .nullish(),
});

type Count = z.infer<typeof countBody>;
type Body = z.infer<typeof messagesBody>;

export function parseMessagesRequest(json: unknown): Asked {
  const request = parseBody(messagesBody, json);
  return { ...askedOf(request), params: paramsOf(request), stream: request.stream ?? false };
}

/** For `/v1/messages/count_tokens`, which says nothing of the answer. */
export function parseCountRequest(json: unknown): Asked {
  return { ...askedOf(parseBody(countBody, json)), params: {}, stream: false };
}

function askedOf(request: Count): Omit<Asked, "params" | "stream"> {
  const items = request.messages.flatMap(toItems);
  const stray = strayResult(items);
  if (stray !== null) {
    const text = `messages: the tool result ${JSON.stringify(stray)} answers no call of an assistant message before it`;
    throw invalidRequest("messages", text);
  }
  return {
    ...namedModel(request.model),
    instructions: textOfBlocks(request.system ?? ""),
    items,
    clientTools: (request.tools ?? []).map(toTool),
  };
}

function toTool({ name, description, input_schema: parameters, strict }: z.infer<typeof tool>): AskedTool {
  return { type: "function", name, ...present({ description, parameters, strict }) };
}

function toItems(given: Count["messages"][number]): EngineItem[] {
  if (typeof given.content === "string") return [{ type: "message", role: given.role, text: given.content }];
  switch (given.role) {
    case "user":
      return userItems(given.content);
    case "assistant":
      return assistantItems(given.content);
    case "system":
      return [{ type: "message", role: "system", text: textOfBlocks(given.content) }];
  }
}

function paramsOf(request: Body): Record<string, unknown> {
  const { temperature, top_p, top_k, thinking, stop_sequences: stop, metadata, output_config: output } = request;
  const { effort, format } = output ?? {};
  const choice = request.tool_choice ?? null;
  return present({
    ...{ temperature, top_p, top_k, thinking, stop },
    max_output_tokens: request.max_tokens,
    user: metadata?.user_id,
    tool_choice: choice === null ? undefined : toolChoiceOf(choice),
    parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
    reasoning: effort === null || effort === undefined ? undefined : { effort },
    text: format === null || format === undefined ? undefined : { format: { name: "answer", ...format } },
  });
}

function toolChoiceOf({ type, name }: z.infer<typeof toolChoice>): unknown {
  if (type === "any") return "required";
  if (type !== "tool") return type;
  if (name === undefined) throw invalidRequest("tool_choice.name", "tool_choice.name: is required with type tool");
  return { type: "function", name };
}
