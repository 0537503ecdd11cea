/** Agents over gRPC. */
import type { CallContext, EngineHandlers } from "@mainspring/contracts";
import { checkJson, MainspringError } from "@mainspring/kernel";

import { parseAgent } from "../app/agent-definition.ts";
import { agentProblems } from "../app/agent-problems.ts";
import type { AgentCaller, AgentRegistry } from "../app/agent-registry.ts";
import type { Agent, MemoryRights } from "../domain/agents.ts";
import type { ModelNames } from "../ports/model-names.ts";
import type { ToolClient } from "../ports/tool-client.ts";

export interface AgentPorts {
  readonly agents: AgentRegistry;
  readonly tools: ToolClient;
  readonly modelNames: ModelNames;
}

type AgentMethods = Pick<EngineHandlers, "ListAgents" | "GetAgent" | "PutAgent" | "DeleteAgent">;

export function agentHandlers({ agents, tools, modelNames }: AgentPorts): AgentMethods {
  const infosOf = async (found: readonly Agent[]): Promise<AgentInfo[]> => {
    const problems = await agentProblems(modelNames);
    return found.map((agent) => toAgentInfo(agents, agent, problems.of(agent)));
  };
  return {
    ListAgents: async (_request, context) => ({ agents: await infosOf(await agents.list(agentCallerOf(context))) }),
    GetAgent: async ({ name }, context) => {
      const [agent] = await infosOf([await agents.find(agentCallerOf(context), name)]);
      return { agent };
    },
    PutAgent: async (request, context) => {
      const tenant = adminTenantOf(context);
      const [catalogue, models] = await Promise.all([tools.catalogue(), modelNames.list()]);
      const agent = parseAgent(definitionOf(request.definition_json), { tools: [...catalogue.keys()], models });
      const { created } = await agents.create(tenant, agent, request.replace);
      return { agent: toAgentInfo(agents, agent, ""), created };
    },
    DeleteAgent: async ({ name }, context) => {
      await agents.delete(adminTenantOf(context), name);
      return {};
    },
  };
}

export function agentCallerOf({ principal }: CallContext): AgentCaller {
  const seesAll = principal.scopes.includes("admin") || principal.scopes.includes("service");
  return { tenant: principal.tenant, seesAll };
}

/** A key that is limited to some rights on Spaces has no more of them through an agent; any other has both. */
export function memoryRightsOf({ principal: { subject, scopes } }: CallContext): MemoryRights {
  const limited = scopes.some((scope) => scope.startsWith("space:"));
  const has = (right: string): boolean => !limited || scopes.includes(`space:${right}`) || scopes.includes("space:*");
  return { subject, reads: has("read"), writes: has("write") };
}

function adminTenantOf({ principal }: CallContext): string {
  if (principal.tenant !== "" && principal.scopes.includes("admin")) return principal.tenant;
  throw new MainspringError("permission_denied", "only an admin defines agents");
}

function definitionOf(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MainspringError("invalid_argument", "definition_json is not JSON", { cause, param: "definition_json" });
  }
  return checkJson(value, "definition_json");
}

type AgentInfo = ReturnType<typeof toAgentInfo>;

function toAgentInfo({ fixed }: AgentRegistry, agent: Agent, problem: string) {
  const { name, description, model, tools, instructions, memory, exported } = agent;
  return {
    name,
    description,
    model,
    tools: tools === "*" ? ["*"] : [...tools],
    instructions,
    memory,
    exported,
    fixed: fixed.some((known) => known.name === name),
    problem,
  };
}
