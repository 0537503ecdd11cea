/** Agents that callers have defined, by tenant. */
import type { Agent } from "../domain/agents.ts";

/** Agents of one tenant. */
export const AGENTS_PER_TENANT_MAX = 1_000;

export interface AgentStore {
  /** `exists`: there is one of that name, which stays as it is. */
  insert(tenant: string, agent: Agent): Promise<"inserted" | "exists">;
  replace(tenant: string, agent: Agent): Promise<void>;
  get(tenant: string, name: string): Promise<Agent | null>;
  /** By name, at most AGENTS_PER_TENANT_MAX. */
  list(tenant: string): Promise<Agent[]>;
  /** False when there was none. */
  delete(tenant: string, name: string): Promise<boolean>;
}
