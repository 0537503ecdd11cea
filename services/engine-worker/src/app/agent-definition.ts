/** What an agent may be defined as, in a file or by a caller. */
import { MainspringError, noSuch, RESERVED_SPACE_IDS } from "@mainspring/kernel";
import { z } from "zod";

import type { Agent } from "../domain/agents.ts";
import { MEMORY_TOOLS } from "../domain/agents.ts";

export const AGENT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Longest instructions, in characters. */
export const INSTRUCTIONS_CHARS_MAX = 65_536;
const DESCRIPTION_CHARS_MAX = 1_000;
const TOOLS_MAX = 128;

const definition = z.strictObject({
  name: z.string({ error: "is required" }).regex(AGENT_NAME, "must be 1 to 64 of a-z, 0-9, _ and -"),
  description: z.string().max(DESCRIPTION_CHARS_MAX).default(""),
  model: z.string().min(1).max(256).default("default"),
  instructions: z.string().max(INSTRUCTIONS_CHARS_MAX).default(""),
  tools: z
    .union([z.literal("*"), z.array(z.string().min(1).max(64)).max(TOOLS_MAX)], {
      error: 'must be a list of names of tools, or "*" for all',
    })
    .default([]),
  memory: z
    .string()
    .regex(/^[a-z0-9_]{0,64}$/, "must be the id of a Space: 1 to 64 of a-z, 0-9 and _")
    .refine((id) => !RESERVED_SPACE_IDS.has(id), "is a name that no Space can have")
    .default(""),
  exported: z.boolean().default(false),
});

/** What an agent may name, where that is known. */
export interface Known {
  readonly tools: readonly string[];
  /** Names and labels. */
  readonly models: readonly string[];
}

/** Throws `invalid_argument` that names the field. */
export function parseAgent(value: unknown, known?: Known): Agent {
  const parsed = definition.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    const param = path.map(String).join(".");
    throw invalid(param, `${param === "" ? "the agent" : param}: ${message}`);
  }
  const agent = parsed.data;
  const missing =
    agent.tools === "*" || known === undefined ? undefined : agent.tools.find((name) => !known.tools.includes(name));
  if (missing !== undefined) throw invalid("tools", noSuch("tool", missing, known!.tools));
  if (known !== undefined && !known.models.includes(agent.model)) {
    throw invalid("model", noSuch("model", agent.model, known.models));
  }
  const memoryTool = agent.tools === "*" ? undefined : agent.tools.find((name) => MEMORY_TOOLS.includes(name));
  if (memoryTool !== undefined && agent.memory === "") {
    throw invalid("memory", `${memoryTool} needs a Space: set memory to its id`);
  }
  return agent;
}

function invalid(param: string, message: string): MainspringError {
  return new MainspringError("invalid_argument", message, { param });
}
