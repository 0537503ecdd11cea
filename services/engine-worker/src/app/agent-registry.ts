/**
 * The agents that a caller may name: those that ship, those of the directory, and those that its tenant defined.
 * Whether one may be seen is decided before its name is looked up, so a hidden one looks like a missing one.
 */
import { MainspringError } from "@mainspring/kernel";

import type { Agent } from "../domain/agents.ts";
import { unknownAgent } from "../domain/agents.ts";
import type { AgentStore } from "../ports/agent-store.ts";
import { AGENTS_PER_TENANT_MAX } from "../ports/agent-store.ts";

export interface AgentCaller {
  /** Empty: nobody's, who sees the fixed ones only. */
  readonly tenant: string;
  /** Admins and other services see what is not exported. */
  readonly seesAll: boolean;
}

export class AgentRegistry {
  /** They are everybody's, and nobody changes them. */
  readonly fixed: readonly Agent[];
  readonly #store: AgentStore;

  constructor(fixed: readonly Agent[], store: AgentStore) {
    this.fixed = fixed;
    this.#store = store;
  }

  /** Throws `not_found` with the names that there are. */
  async find(caller: AgentCaller, name: string): Promise<Agent> {
    const agent =
      this.fixed.find((candidate) => candidate.name === name) ??
      (caller.tenant === "" ? null : await this.#store.get(caller.tenant, name));
    if (agent !== null && isVisible(caller, agent)) return agent;
    const known = await this.list(caller);
    throw unknownAgent(
      name,
      known.map((candidate) => candidate.name),
    );
  }

  async list(caller: AgentCaller): Promise<Agent[]> {
    const own = caller.tenant === "" ? [] : await this.#store.list(caller.tenant);
    const names = new Set(this.fixed.map(({ name }) => name));
    const all = [...this.fixed, ...own.filter(({ name }) => !names.has(name))];
    return all.filter((agent) => isVisible(caller, agent));
  }

  /** A repeat of the same definition is no conflict. Throws `already_exists` for another under the same name. */
  async create(tenant: string, agent: Agent, replaces: boolean): Promise<{ readonly created: boolean }> {
    this.#checkName(agent.name);
    const known = await this.#store.get(tenant, agent.name);
    if (known !== null && JSON.stringify(known) === JSON.stringify(agent)) return { created: false };
    if (known === null && (await this.#store.list(tenant)).length >= AGENTS_PER_TENANT_MAX) {
      throw new MainspringError("resource_exhausted", `a tenant has at most ${AGENTS_PER_TENANT_MAX} agents`);
    }
    if (replaces) await this.#store.replace(tenant, agent);
    else if ((await this.#store.insert(tenant, agent)) === "exists") {
      throw new MainspringError("already_exists", `there is an agent ${agent.name}; replace it with PUT`, {
        param: "name",
        reason: "agent_exists",
      });
    }
    return { created: known === null };
  }

  async delete(tenant: string, name: string): Promise<void> {
    this.#checkName(name);
    if (await this.#store.delete(tenant, name)) return;
    throw new MainspringError("not_found", `your tenant has defined no agent ${JSON.stringify(name)}`, {
      param: "name",
      reason: "agent_not_found",
    });
  }

  #checkName(name: string): void {
    if (!this.fixed.some((agent) => agent.name === name)) return;
    throw new MainspringError("already_exists", `the agent ${name} comes with the server and cannot be changed`, {
      param: "name",
      reason: "agent_is_fixed",
    });
  }
}

function isVisible({ seesAll }: AgentCaller, agent: Agent): boolean {
  return seesAll || agent.exported;
}
