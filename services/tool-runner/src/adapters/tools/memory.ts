/** What an agent with a memory may do with it: find what was said, and keep what is said. */
import { MainspringError } from "@mainspring/kernel";

import type { Memory, MemoryCall } from "../../ports/memory.ts";
import type { Tool, ToolContext } from "../../ports/tool.ts";
import { ToolFailure } from "../../ports/tool.ts";

const TIMEOUT_MS = 30_000;
const QUERY_CHARS_MAX = 4_096;
const TEXT_CHARS_MAX = 65_536;
const PASSAGES_DEFAULT = 8;
const PASSAGES_MAX = 50;

export function memoryTools(memory: Memory): readonly Tool[] {
  return [recallTool(memory), rememberTool(memory)];
}

function recallTool(memory: Memory): Tool {
  return {
    name: "memory_recall",
    description:
      "Looks into the long-term memory for what is known about something. Answers with the best passages, each with the " +
      "entity that it comes from: cite it. Nothing found means that the memory does not know, not that it is not so.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: QUERY_CHARS_MAX, description: "What to look for." },
        limit: { type: "integer", minimum: 1, maximum: PASSAGES_MAX, default: PASSAGES_DEFAULT },
      },
      required: ["query"],
      additionalProperties: false,
    },
    recovery: "replay_safe",
    exclusive: false,
    timeoutMs: TIMEOUT_MS,
    async execute(args, context) {
      const { query, limit } = args as { query: string; limit: number };
      const memories = await told(context, () => memory.recall(callOf(context), query, limit));
      return { found: memories.length > 0, memories };
    },
  };
}

function rememberTool(memory: Memory): Tool {
  return {
    name: "memory_remember",
    description: "Keeps a text in the long-term memory, as it is and with its source, for this and later sessions.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", minLength: 1, maxLength: TEXT_CHARS_MAX, description: "What to keep." } },
      required: ["text"],
      additionalProperties: false,
    },
    // The key makes a repeat find what the first one kept.
    recovery: "idempotent",
    exclusive: false,
    timeoutMs: TIMEOUT_MS,
    async execute(args, context) {
      const { text } = args as { text: string };
      const remember = () => memory.remember(callOf(context), text, context.idempotencyKey);
      return { remembered: true, entities: await told(context, remember) };
    },
  };
}

function callOf({ tenant, memory, caller, agent, traceparent, signal }: ToolContext): MemoryCall {
  return { tenant, space: memory, caller, agent, traceparent, signal };
}

/** What the memory refuses is told to the model, in words that say what to do. */
async function told<T>({ memory }: ToolContext, work: () => Promise<T>): Promise<T> {
  if (memory === "") throw new ToolFailure("This agent has no memory.");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MainspringError)) throw error;
    if (error.code === "not_found") {
      throw new ToolFailure(`There is no Space ${memory}. Make it: mainspring space create ${memory}`, {
        cause: error,
      });
    }
    throw new ToolFailure(`The memory ${memory} cannot answer: ${error.message}.`, { cause: error });
  }
}
