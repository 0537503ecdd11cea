/** Agents over gRPC. */
import type { CallContext, EngineHandlers } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import { parseAgent } from "../app/agent-definition.ts";
import type { AgentCaller, AgentRegistry } from "../app/agent-registry.ts";
import type { Agent, MemoryRights } from "../domain/agents.ts";
import type { ToolClient } from "../ports/tool-client.ts";

export interface AgentPorts {
  readonly agents: AgentRegistry;
  readonly tools: ToolClient;
}

type AgentMethods = Pick<EngineHandlers, "ListAgents" | "GetAgent" | "PutAgent" | "DeleteAgent">;

export function agentHandlers({ agents, tools }: AgentPorts): AgentMethods {
  return {
    ListAgents: async (_request, context) => ({
      agents: (await agents.list(agentCallerOf(context))).map((agent) => toAgentInfo(agents, agent)),
    }),
    GetAgent: async ({ name }, context) => ({
      agent: toAgentInfo(agents, await agents.find(agentCallerOf(context), name)),
    }),
    PutAgent: async (request, context) => {
      const tenant = adminTenantOf(context);
      const catalogue = [...(await tools.catalogue()).keys()];
      const agent = parseAgent(definitionOf(request.definition_json), catalogue);
      const { created } = await agents.create(tenant, agent, request.replace);
      return { agent: toAgentInfo(agents, agent), created };
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
export function memoryRightsOf({ principal: { scopes } }: CallContext): MemoryRights {
  const limited = scopes.some((scope) => scope.startsWith("space:"));
  const has = (right: string): boolean => !limited || scopes.includes(`space:${right}`) || scopes.includes("space:*");
  return { reads: has("read"), writes: has("write") };
}

function adminTenantOf({ principal }: CallContext): string {
  if (principal.tenant !== "" && principal.scopes.includes("admin")) return principal.tenant;
  throw new MainspringError("permission_denied", "only an admin defines agents");
}

function definitionOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MainspringError("invalid_argument", "definition_json is not JSON", { cause, param: "definition_json" });
  }
}

function toAgentInfo({ fixed }: AgentRegistry, agent: Agent) {
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
  };
}
