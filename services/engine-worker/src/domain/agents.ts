/** Agents that callers may name, and how a request becomes the frozen spec of a run. */
import { MainspringError } from "@mainspring/kernel";

import type { ClientTool, RunSpec } from "./run-spec.ts";
import { STEPS_MAX_DEFAULT } from "./run-spec.ts";

export interface Agent {
  readonly name: string;
  readonly description: string;
  /** A label or a model's name. */
  readonly model: string;
  readonly instructions: string;
  /** `*`: every tool of the catalogue. */
  readonly tools: "*" | readonly string[];
}

export const BUILT_IN_AGENTS: readonly Agent[] = [
  {
    name: "assistant",
    description: "Answers with the configured model and the built-in tools, in a workspace of its own.",
    model: "default",
    instructions:
      "You are a careful assistant. Use the tools when they help. When the outcome of a call is unknown, say so and " +
      "check before you do it again.",
    tools: "*",
  },
  {
    name: "script",
    description: "Follows directives of the user's message with the offline model: for demos, tests and load.",
    model: "offline/script",
    instructions: "",
    tools: "*",
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

export function findAgent(agents: readonly Agent[], name: string): Agent {
  const agent = agents.find((candidate) => candidate.name === name);
  if (agent !== undefined) return agent;
  const known = agents.map((candidate) => candidate.name).join(", ");
  throw new MainspringError("not_found", `there is no agent ${JSON.stringify(name)}; agents: ${known}`, {
    reason: "agent_not_found",
    param: "model",
  });
}

/** The spec of a run. An agent's instructions come before the caller's. */
export function specOf(request: RunRequest, agent: Agent | null, catalogue: readonly string[]): RunSpec {
  const { clientTools, params, echo } = request;
  const tools = agent === null ? [] : agent.tools === "*" ? catalogue : agent.tools;
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
    tools: [...tools],
    client_tools: [...clientTools],
    params,
    steps_max: request.stepsMax ?? STEPS_MAX_DEFAULT,
    echo,
  };
}
