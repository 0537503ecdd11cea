/** What is wrong with agents that are defined already: a model may go away, and files are read before the router answers. */
import { noSuch } from "@mainspring/kernel";

import type { Agent } from "../domain/agents.ts";
import type { ModelNames } from "../ports/model-names.ts";

export interface AgentProblems {
  /** Why the agent's runs would fail; empty when nothing is known to be wrong. */
  of(agent: Agent): string;
}

/** Knows nothing of models while nobody can be asked: a list of agents does not fail for that. */
export async function agentProblems(models: ModelNames): Promise<AgentProblems> {
  const known = await models.list().catch(() => null);
  return { of: ({ model }) => (known === null || known.includes(model) ? "" : noSuch("model", model, known)) };
}
