/** API keys on SQLite. */
import type { SqliteThread } from "@mainspring/service-kit";

import type { ApiKey, KeyStore } from "../ports/key-store.ts";

const SCHEMA = [
  `CREATE TABLE api_keys (id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, name TEXT NOT NULL,
    scopes TEXT NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
];

interface KeyRow {
  readonly id: string;
  readonly hash: string;
  readonly tenant: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly revoked_at: number;
}

export async function openSqliteKeyStore(thread: SqliteThread): Promise<KeyStore> {
  await thread.migrate("api_keys", SCHEMA);
  return {
    async insert({ id, hash, tenant, name, scopes, createdAt, revokedAt }) {
      const sql = "INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
      await thread.run(sql, id, hash, tenant, name, JSON.stringify(scopes), createdAt, revokedAt);
    },
    async findByHash(hash) {
      const row = await thread.get<KeyRow>("SELECT * FROM api_keys WHERE hash = ?", hash);
      return row === undefined ? null : fromRow(row);
    },
    async list(limit, tenant) {
      const sql = "SELECT * FROM api_keys WHERE ?1 IS NULL OR tenant = ?1 ORDER BY created_at DESC LIMIT ?2";
      return (await thread.all<KeyRow>(sql, tenant, limit)).map(fromRow);
    },
    async revoke(id, at, tenant) {
      const sql = "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at = 0 AND (?3 IS NULL OR tenant = ?3)";
      return (await thread.run(sql, at, id, tenant)) === 1;
    },
    ping: async () => void (await thread.get("SELECT 1")),
  };
}

function fromRow({ id, hash, tenant, name, scopes, created_at, revoked_at }: KeyRow): ApiKey {
  const parsed = JSON.parse(scopes) as string[];
  return { id, hash, tenant, name, scopes: parsed, createdAt: created_at, revokedAt: revoked_at };
}
