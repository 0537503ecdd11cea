/** Recent traces in SQLite. */
import type { SqliteThread } from "../sqlite/sqlite-thread.ts";
import type { SpanRecord, TraceStore } from "./trace-store.ts";
import { SPANS_PER_TRACE_MAX } from "./trace-store.ts";

const STEPS = [
  `CREATE TABLE IF NOT EXISTS spans (
    trace_id TEXT NOT NULL, span_id TEXT NOT NULL, tenant TEXT NOT NULL, start_ms REAL NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (trace_id, span_id)
  ) STRICT`,
  "CREATE INDEX IF NOT EXISTS spans_by_age ON spans (start_ms)",
];
/** All spans of a batch in one statement: they come often, and their thread shares the machine with sessions. */
const PUT = `INSERT OR REPLACE INTO spans
  SELECT value ->> 'traceId', value ->> 'spanId', value ->> 'tenant', value ->> 'startMs', value FROM json_each(?)`;
const READ = "SELECT record FROM spans WHERE trace_id = ? AND tenant = ? ORDER BY start_ms LIMIT ?";
const DROP_OLD = "DELETE FROM spans WHERE start_ms < ?";
const DROP_SURPLUS =
  "DELETE FROM spans WHERE start_ms <= (SELECT start_ms FROM spans ORDER BY start_ms DESC LIMIT 1 OFFSET ?)";

export async function openSqliteTraceStore(thread: SqliteThread): Promise<TraceStore> {
  await thread.migrate("traces", STEPS);
  return new SqliteTraceStore(thread);
}

class SqliteTraceStore implements TraceStore {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async put(spans: readonly SpanRecord[]): Promise<void> {
    if (spans.length > 0) await this.#thread.run(PUT, JSON.stringify(spans));
  }

  async read(traceId: string, tenant: string): Promise<SpanRecord[]> {
    const rows = await this.#thread.all<{ record: string }>(READ, traceId, tenant, SPANS_PER_TRACE_MAX);
    return rows.map(({ record }) => JSON.parse(record) as SpanRecord);
  }

  async prune(beforeMs: number, keptMax: number): Promise<void> {
    await this.#thread.run(DROP_OLD, beforeMs);
    await this.#thread.run(DROP_SURPLUS, keptMax);
  }
}
