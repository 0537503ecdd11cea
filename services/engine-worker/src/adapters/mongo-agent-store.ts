/** Agents on MongoDB. `_id`: `<tenant>/<name>`. */
import { isDuplicateKey, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection } from "@mainspring/service-kit";
import type { Collection } from "mongodb";

import type { Agent } from "../domain/agents.ts";
import type { AgentStore } from "../ports/agent-store.ts";
import { AGENTS_PER_TENANT_MAX } from "../ports/agent-store.ts";

interface AgentDocument extends Agent {
  readonly _id: string;
  readonly tenant: string;
}

const WITHOUT_KEYS = { projection: { _id: 0, tenant: 0 } } as const;

// A tenant's name has no slash.
const idOf = (tenant: string, name: string): string => `${tenant}/${name}`;

export class MongoAgentStore implements AgentStore {
  readonly #store: MongoStore<Collection<AgentDocument>>;

  constructor(connection: MongoConnection) {
    this.#store = new MongoStore(connection, async (database) => {
      const agents = database.collection<AgentDocument>("agents");
      await agents.createIndex({ tenant: 1, name: 1 });
      return agents;
    });
  }

  insert(tenant: string, agent: Agent): Promise<"inserted" | "exists"> {
    return this.#store.use(async (agents) => {
      try {
        await agents.insertOne({ _id: idOf(tenant, agent.name), tenant, ...agent });
        return "inserted";
      } catch (error) {
        if (isDuplicateKey(error)) return "exists";
        throw error;
      }
    });
  }

  replace(tenant: string, agent: Agent): Promise<void> {
    return this.#store.use(async (agents) => {
      await agents.replaceOne({ _id: idOf(tenant, agent.name) }, { tenant, ...agent }, { upsert: true });
    });
  }

  get(tenant: string, name: string): Promise<Agent | null> {
    return this.#store.use(async (agents) => {
      const found = await agents.findOne({ _id: idOf(tenant, name) }, WITHOUT_KEYS);
      return found as Agent | null;
    });
  }

  list(tenant: string): Promise<Agent[]> {
    return this.#store.use(async (agents) => {
      const found = agents.find({ tenant }, WITHOUT_KEYS).sort({ name: 1 }).limit(AGENTS_PER_TENANT_MAX);
      return (await found.toArray()) as unknown as Agent[];
    });
  }

  delete(tenant: string, name: string): Promise<boolean> {
    return this.#store.use(async (agents) => (await agents.deleteOne({ _id: idOf(tenant, name) })).deletedCount === 1);
  }
}
