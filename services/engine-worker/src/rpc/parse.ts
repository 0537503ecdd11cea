/** Requests in JSON, read strictly where the engine looks into them. */
import { checkJson, MainspringError } from "@mainspring/kernel";
import { z } from "zod";

import type { RunRequest } from "../domain/agents.ts";
import type { InputItem } from "../domain/items.ts";

/** Most items in one input. */
export const INPUT_ITEMS_MAX = 1_000;
/** Most function tools of a caller. */
export const CLIENT_TOOLS_MAX = 128;
/** Most model calls that a caller may allow a run. */
export const STEPS_MAX_LIMIT = 10_000;

const message = z.strictObject({
  type: z.literal("message"),
  role: z.enum(["user", "assistant", "system", "developer"]),
  text: z.string(),
  parts: z.array(z.unknown()).max(1_000).optional(),
});
const reasoning = z.strictObject({
  type: z.literal("reasoning"),
  text: z.string(),
  signature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const functionCall = z.strictObject({
  type: z.literal("function_call"),
  call_id: z.string().min(1).max(256),
  name: z.string().min(1).max(256),
  arguments: z.string(),
});
const functionCallOutput = z.strictObject({
  type: z.literal("function_call_output"),
  call_id: z.string().min(1).max(256),
  output: z.string(),
});
const items = z
  .array(z.discriminatedUnion("type", [message, reasoning, functionCall, functionCallOutput]))
  .min(1, "an input needs at least one item")
  .max(INPUT_ITEMS_MAX);

const clientTool = z.strictObject({
  type: z.literal("function"),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().optional(),
  parameters: z.unknown().optional(),
  strict: z.boolean().nullish(),
});

const runRequest = z.strictObject({
  agent: z.string().default(""),
  model: z.string().default(""),
  instructions: z.string().default(""),
  client_tools: z.array(clientTool).max(CLIENT_TOOLS_MAX).default([]),
  params: z.record(z.string(), z.unknown()).default({}),
  steps_max: z.number().int().min(1).max(STEPS_MAX_LIMIT).optional(),
  echo: z.record(z.string(), z.unknown()).default({}),
});

export function parseItems(text: string): InputItem[] {
  return check(items, json(text, "items_json"), "items_json") as InputItem[];
}

export function parseRunRequest(text: string): RunRequest {
  const parsed = check(runRequest, text === "" ? {} : json(text, "spec_json"), "spec_json");
  if (parsed.agent === "" && parsed.model === "") {
    throw new MainspringError("invalid_argument", "name an agent or a model", { param: "model" });
  }
  return {
    agent: parsed.agent,
    model: parsed.model,
    instructions: parsed.instructions,
    clientTools: parsed.client_tools as RunRequest["clientTools"],
    params: parsed.params,
    stepsMax: parsed.steps_max,
    echo: parsed.echo,
  };
}

function json(text: string, param: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MainspringError("invalid_argument", `${param} is not JSON`, { param, cause: error });
  }
  return checkJson(value, param);
}

function check<T>(schema: z.ZodType<T>, value: unknown, param: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const path = [param, ...issue.path.map(String)].join(".");
  throw new MainspringError("invalid_argument", `${path}: ${issue.message}`, { param: path });
}

/** Page size within limits; 0 means the default. */
export function pageSize(asked: number, fallback: number, max: number): number {
  if (asked === 0) return fallback;
  if (asked > max)
    throw new MainspringError("invalid_argument", `page_size must be at most ${max}`, { param: "page_size" });
  return asked;
}
