/** Bodies of the native routes. */
import { z } from "zod";

export const createBody = z.strictObject({ agent: z.string().default(""), title: z.string().max(200).default("") });
export const runBody = z.strictObject({
  input: z.union([z.string().min(1), z.array(z.record(z.string(), z.unknown())).min(1)]),
  agent: z.string().optional(),
  model: z.string().optional(),
  instructions: z.string().optional(),
  mode: z.enum(["run", "steer"]).default("run"),
  client_run_id: z.string().min(1).max(256).optional(),
  steps_max: z.number().int().min(1).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export const cancelBody = z.strictObject({
  reason: z.string().max(1_000).default(""),
  wait: z.boolean().default(true),
});

/** The engine looks closer: which tools there are, and which names are taken. */
export const agentBody = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  model: z.string().optional().describe("A label or a model's name; default `default`."),
  instructions: z.string().optional(),
  tools: z
    .union([z.literal("*"), z.array(z.string())])
    .optional()
    .describe("Names of tools, or `*` for all; default none."),
  memory: z.string().optional().describe("Id of a Space: gives it the tools memory_recall and memory_remember."),
  exported: z.boolean().optional().describe("Whether others than admins may run it; default false."),
});

export const keyBody = z.strictObject({
  tenant: z
    .string()
    .optional()
    .describe("Default: the caller's own. Others only by an admin key of the tenant `default`."),
  name: z.string().max(100).default(""),
  scopes: z
    .array(z.enum(["admin", "space:read", "space:write", "space:*"]))
    .max(4)
    .default([]),
});
