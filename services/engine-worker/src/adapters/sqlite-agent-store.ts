/** Agents on SQLite. */
import type { SqliteThread } from "@mainspring/service-kit";

import type { Agent } from "../domain/agents.ts";
import type { AgentStore } from "../ports/agent-store.ts";
import { AGENTS_PER_TENANT_MAX } from "../ports/agent-store.ts";

const STEPS = [
  `CREATE TABLE IF NOT EXISTS agents (tenant TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL,
    PRIMARY KEY (tenant, name)) STRICT, WITHOUT ROWID`,
];

interface Row {
  readonly definition: string;
}

export async function openSqliteAgentStore(thread: SqliteThread): Promise<AgentStore> {
  await thread.migrate("agents", STEPS);
  const toAgent = ({ definition }: Row): Agent => JSON.parse(definition) as Agent;
  return {
    async insert(tenant, agent) {
      const sql = "INSERT INTO agents VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
      return (await thread.run(sql, tenant, agent.name, JSON.stringify(agent))) === 1 ? "inserted" : "exists";
    },
    async replace(tenant, agent) {
      const sql = "INSERT INTO agents VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET definition = excluded.definition";
      await thread.run(sql, tenant, agent.name, JSON.stringify(agent));
    },
    async get(tenant, name) {
      const sql = "SELECT definition FROM agents WHERE tenant = ? AND name = ?";
      const row = await thread.get<Row>(sql, tenant, name);
      return row === undefined ? null : toAgent(row);
    },
    async list(tenant) {
      const sql = "SELECT definition FROM agents WHERE tenant = ? ORDER BY name LIMIT ?";
      return (await thread.all<Row>(sql, tenant, AGENTS_PER_TENANT_MAX)).map(toAgent);
    },
    async delete(tenant, name) {
      return (await thread.run("DELETE FROM agents WHERE tenant = ? AND name = ?", tenant, name)) === 1;
    },
  };
}
