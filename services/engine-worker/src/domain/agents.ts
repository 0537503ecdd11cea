/** Agents that callers may name, and how a request becomes the frozen spec of a run. */
import { MainspringError, noSuch } from "@mainspring/kernel";

import type { ClientTool, RunSpec } from "./run-spec.ts";
import { STEPS_MAX_DEFAULT } from "./run-spec.ts";

export interface Agent {
  /** 1 to 64 of a-z, 0-9, _ and -. */
  readonly name: string;
  readonly description: string;
  /** A label or a model's name. */
  readonly model: string;
  readonly instructions: string;
  /** `*`: every tool of the catalogue. */
  readonly tools: "*" | readonly string[];
  /** Space that its memory tools work on; empty for none. */
  readonly memory: string;
  /** Whether others than admins may run it. */
  readonly exported: boolean;
}

/** Tools that an agent with a memory has, and no other. */
export const MEMORY_TOOLS: readonly string[] = ["memory_recall", "memory_remember"];

export const BUILT_IN_AGENTS: readonly Agent[] = [
  {
    name: "assistant",
    description: "Answers with the configured model and the built-in tools, in a workspace of its own.",
    model: "default",
    instructions:
      "You are a careful assistant. Use the tools when they help. When the outcome of a call is unknown, say so and " +
      "check before you do it again.",
    tools: "*",
    memory: "",
    exported: true,
  },
  {
    name: "script",
    description: "Follows directives of the user's message with the offline model: for demos, tests and load.",
    model: "offline/script",
    instructions: "",
    tools: "*",
    memory: "",
    exported: true,
  },
];

/** What a caller asks for; everything may be left out but one of agent and model. */
export interface RunRequest {
  readonly agent: string;
  readonly model: string;
  readonly instructions: string;
  readonly clientTools: readonly ClientTool[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly stepsMax: number | undefined;
  readonly echo: Readonly<Record<string, unknown>>;
}

export function unknownAgent(name: string, known: readonly string[]): MainspringError {
  return new MainspringError("not_found", noSuch("agent", name, known), {
    reason: "agent_not_found",
    param: "model",
  });
}

/** Who starts a run, and what they may do to Spaces. */
export interface MemoryRights {
  readonly subject: string;
  readonly reads: boolean;
  readonly writes: boolean;
}

function toolsOf({ tools, memory }: Agent, catalogue: readonly string[], rights: MemoryRights): string[] {
  const own = (tools === "*" ? catalogue : tools).filter((name) => !MEMORY_TOOLS.includes(name));
  if (memory === "") return own;
  return [...own, ...(rights.reads ? ["memory_recall"] : []), ...(rights.writes ? ["memory_remember"] : [])];
}

function memoryOf(agent: Agent | null, { subject }: MemoryRights): Pick<RunSpec, "memory" | "caller"> {
  const memory = agent?.memory ?? "";
  return memory === "" ? { memory } : { memory, caller: subject };
}

/** The spec of a run. An agent's instructions come before the caller's; its memory is no wider than the caller's rights. */
export function specOf(
  request: RunRequest,
  agent: Agent | null,
  catalogue: readonly string[],
  rights: MemoryRights,
): RunSpec {
  const { clientTools, params, echo } = request;
  const tools = agent === null ? [] : toolsOf(agent, catalogue, rights);
  const clash = clientTools.find((tool) => tools.includes(tool.name));
  if (clash !== undefined) {
    throw new MainspringError("invalid_argument", `the agent has a tool named ${clash.name} of its own`, {
      param: "tools",
    });
  }
  return {
    agent: agent?.name ?? "",
    model: agent === null || request.model !== "" ? request.model : agent.model,
    instructions: [agent?.instructions ?? "", request.instructions].filter((text) => text !== "").join("\n\n"),
    tools,
    ...memoryOf(agent, rights),
    client_tools: [...clientTools],
    params,
    steps_max: request.stepsMax ?? STEPS_MAX_DEFAULT,
    echo,
  };
}
