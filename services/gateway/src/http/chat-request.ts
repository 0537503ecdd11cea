/** The body of `POST /v1/chat/completions` into what the engine takes. Fields that say nothing to us are passed over. */
import { z } from "zod";

import { namedModel, present, strayResult, takeInstructions } from "../domain/asked.ts";
import type { Asked, AskedTool, EngineItem } from "../domain/asked.ts";
import { invalidRequest, parseBody } from "./invalid-request.ts";

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const refusalPart = z.object({ type: z.literal("refusal"), refusal: z.string() });
const imagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string(), detail: z.string().optional() }),
});
const filePart = z.object({ type: z.literal("file"), file: z.record(z.string(), z.unknown()) });
const audioPart = z.object({ type: z.literal("input_audio"), input_audio: z.record(z.string(), z.unknown()) });
const userContent = z.union([z.string(), z.array(z.union([textPart, imagePart, filePart, audioPart]))], {
  error: "must be a text, or a list of parts: text, image_url, file or input_audio",
});
const texts = z.union([z.string(), z.array(textPart)], { error: "must be a text, or a list of text parts" });
const assistantContent = z.union([z.string(), z.array(z.union([textPart, refusalPart]))], {
  error: "must be a text, or a list of text and refusal parts",
});

const toolCall = z.object({
  id: z.string().min(1),
  type: z.literal("function", { error: "must be function" }),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
const system = z.object({ role: z.enum(["system", "developer"]), content: texts });
const user = z.object({ role: z.literal("user"), content: userContent });
const assistant = z.object({
  role: z.literal("assistant"),
  content: assistantContent.nullish(),
  tool_calls: z.array(toolCall).nullish(),
});
const tool = z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: texts });
const message = z.discriminatedUnion("role", [system, user, assistant, tool], {
  error: "must have the role system, developer, user, assistant or tool",
});

const functionTool = z.object({
  type: z.literal("function", { error: "must be function" }),
  function: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
    description: z.string().nullish(),
    parameters: z.unknown().optional(),
    strict: z.boolean().nullish(),
  }),
});
const toolChoice = z.union(
  [
    z.enum(["none", "auto", "required"]),
    z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) }),
  ],
  { error: "must be none, auto, required, or a function with its name" },
);
const jsonSchema = z.object({ name: z.string() }).loose();
const responseFormat = z.union(
  [
    z.object({ type: z.enum(["text", "json_object"]) }),
    z.object({ type: z.literal("json_schema"), json_schema: jsonSchema }),
  ],
  { error: "must be of type text, json_object or json_schema" },
);

export const chatBody = z.object({
  model: z.string({ error: "is required: a model's name, or agent/<name>" }).min(1),
  messages: z.array(message, { error: "is required: a list of messages" }).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().nullish(),
  tools: z.array(functionTool, { error: "must be a list of function tools" }).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  max_tokens: z.number().int().min(1).nullish().describe("The older name of max_completion_tokens."),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  seed: z.number().int().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  reasoning_effort: z.string().nullish(),
  verbosity: z.string().nullish(),
  response_format: responseFormat.nullish(),
  user: z.string().nullish(),
  functions: z.unknown().optional().describe("Refused: use tools."),
});

type Body = z.infer<typeof chatBody>;
type Message = Body["messages"][number];

export interface ChatAsked extends Asked {
  readonly includeUsage: boolean;
}

export function parseChatRequest(json: unknown): ChatAsked {
  const request = parseBody(chatBody, json);
  if ((request.n ?? 1) !== 1) throw unsupported("n", "n: only one choice can be asked for; send further requests");
  if ((request.functions ?? null) !== null) throw unsupported("functions", "functions: not supported; use tools");
  const all = request.messages.flatMap(toItems);
  const stray = strayResult(all);
  if (stray !== null) {
    const text = `messages: the tool result ${JSON.stringify(stray)} answers no call of an assistant message before it`;
    throw invalidRequest("messages", text);
  }
  return {
    ...namedModel(request.model),
    ...takeInstructions(all),
    clientTools: (request.tools ?? []).map(toTool),
    params: paramsOf(request),
    stream: request.stream ?? false,
    includeUsage: request.stream_options?.include_usage ?? false,
  };
}

function unsupported(param: string, text: string) {
  return invalidRequest(param, text, "unsupported_parameter");
}

function toTool({ function: { name, description, parameters, strict } }: z.infer<typeof functionTool>): AskedTool {
  return { type: "function", name, ...present({ description, parameters, strict }) };
}

function paramsOf(request: Body): Record<string, unknown> {
  const { temperature, top_p, stop, seed, presence_penalty, frequency_penalty, user: endUser } = request;
  const { tool_choice: choice, parallel_tool_calls, reasoning_effort: effort, verbosity } = request;
  const format = formatOf(request.response_format ?? null);
  return present({
    ...{ temperature, top_p, stop, seed, presence_penalty, frequency_penalty, parallel_tool_calls, user: endUser },
    max_output_tokens: request.max_completion_tokens ?? request.max_tokens,
    tool_choice: typeof choice === "object" && choice !== null ? { type: "function", ...choice.function } : choice,
    reasoning: effort === null || effort === undefined ? undefined : { effort },
    text: verbosity === undefined && format === undefined ? undefined : present({ verbosity, format }),
  });
}

function formatOf(format: z.infer<typeof responseFormat> | null): unknown {
  if (format === null) return undefined;
  return "json_schema" in format ? { type: format.type, ...format.json_schema } : format;
}

function toItems(given: Message): EngineItem[] {
  switch (given.role) {
    case "tool":
      return [{ type: "function_call_output", call_id: given.tool_call_id, output: textOf(given.content) }];
    case "assistant":
      return assistantItems(given);
    case "user":
      return [userItem(given.content)];
    default:
      return [{ type: "message", role: given.role, text: textOf(given.content) }];
  }
}

function assistantItems({ content, tool_calls: calls }: z.infer<typeof assistant>): EngineItem[] {
  const text = textOf(content ?? "");
  const made = (calls ?? []).map(({ id, function: { name, arguments: args } }): EngineItem => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: args,
  }));
  return text === "" && made.length > 0 ? made : [{ type: "message", role: "assistant", text }, ...made];
}

function userItem(content: z.infer<typeof userContent>): EngineItem {
  if (typeof content === "string") return { type: "message", role: "user", text: content };
  const parts = content.flatMap((part) => (part.type === "text" ? [] : [otherPart(part)]));
  const text = textOf(content);
  return { type: "message", role: "user", text, ...(parts.length === 0 ? {} : { parts }) };
}

/** In the shapes of the Responses API, as all parts lie in the log. */
function otherPart(part: z.infer<typeof imagePart | typeof filePart | typeof audioPart>): unknown {
  if (part.type === "image_url") {
    const { url, detail } = part.image_url;
    return { type: "input_image", image_url: url, ...present({ detail }) };
  }
  return part.type === "file" ? { type: "input_file", ...part.file } : part;
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => ("refusal" in part ? String(part.refusal) : (part.text ?? ""))).join("");
}
