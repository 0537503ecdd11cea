/** The effect ledger on SQLite: one statement a method, which the store thread makes durable. */
import { assert } from "@mainspring/kernel";
import type { SqliteThread } from "@mainspring/service-kit";

import { KEYS_PER_READ_MAX } from "../ports/effect-ledger.ts";
import type { CallKey, CallOutcome, EffectLedger, LedgerRow, LedgerState, RunnerBeat } from "../ports/effect-ledger.ts";

/** Each step is one statement; steps are only ever added. */
const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS effects (
     session TEXT NOT NULL, call TEXT NOT NULL, attempt INTEGER NOT NULL, state TEXT NOT NULL, runner TEXT NOT NULL,
     claim_id TEXT NOT NULL, tool TEXT NOT NULL, stop_requested INTEGER NOT NULL, outcome TEXT, late_outcome TEXT,
     started_at INTEGER NOT NULL, settled_at INTEGER NOT NULL, tenant TEXT NOT NULL, trace TEXT NOT NULL,
     PRIMARY KEY (session, call, attempt)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS effects_undelivered ON effects (settled_at) WHERE state = 'settled'`,
  `CREATE INDEX IF NOT EXISTS effects_stopping ON effects (runner) WHERE state = 'started' AND stop_requested = 1`,
  `CREATE TABLE IF NOT EXISTS runner_beats (
     runner TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

const KEY = "session = ?1 AND call = ?2 AND attempt = ?3";
const INSERT = "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
const GET = `SELECT * FROM effects WHERE ${KEY}`;
const SETTLE = `UPDATE effects SET state = 'settled', outcome = ?5, settled_at = ?6
  WHERE ${KEY} AND state = 'started' AND runner = ?4`;
const MARK_LOST = `UPDATE effects SET state = 'lost' WHERE ${KEY} AND state = 'started'`;
const REQUEST_STOP = `UPDATE effects SET stop_requested = 1 WHERE ${KEY} AND state = 'started'`;
const STORE_LATE = `UPDATE effects SET late_outcome = ?4 WHERE ${KEY} AND state = 'lost' AND late_outcome IS NULL`;
const MARK_DELIVERED = `UPDATE effects SET state = 'delivered', outcome = json_set(outcome, '$.output', '')
  WHERE ${KEY} AND state = 'settled'`;
const UNDELIVERED = `SELECT * FROM effects WHERE state = 'settled' AND settled_at < ?2 AND (?1 IS NULL OR runner = ?1)
  ORDER BY settled_at LIMIT ?3`;
const STOPPING = "SELECT * FROM effects WHERE state = 'started' AND stop_requested = 1 AND runner = ? LIMIT ?";
const WRITE_BEAT = "INSERT INTO runner_beats VALUES (?, ?) ON CONFLICT DO UPDATE SET count = excluded.count";
const READ_BEATS = "SELECT runner, count FROM runner_beats";
const DELETE_BEAT = "DELETE FROM runner_beats WHERE runner = ?";

interface EffectRow {
  readonly session: string;
  readonly call: string;
  readonly attempt: number;
  readonly state: string;
  readonly runner: string;
  readonly claim_id: string;
  readonly tool: string;
  readonly stop_requested: number;
  readonly outcome: string | null;
  readonly late_outcome: string | null;
  readonly started_at: number;
  readonly settled_at: number;
  readonly tenant: string;
  readonly trace: string;
}

export async function openSqliteEffectLedger(thread: SqliteThread): Promise<EffectLedger> {
  await thread.migrate("effects", SCHEMA);
  return new SqliteEffectLedger(thread);
}

class SqliteEffectLedger implements EffectLedger {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async insert(row: LedgerRow): Promise<"inserted" | "duplicate"> {
    const { session, call, attempt, state, runner, claimId, tool, startedAt, settledAt, tenant, trace } = row;
    const claim = [session, call, attempt, state, runner, claimId, tool, row.stopRequested ? 1 : 0] as const;
    const outcomes = [toJson(row.outcome), toJson(row.lateOutcome)] as const;
    const changes = await this.#thread.run(INSERT, ...claim, ...outcomes, startedAt, settledAt, tenant, trace);
    return changes === 1 ? "inserted" : "duplicate";
  }

  async get({ session, call, attempt }: CallKey): Promise<LedgerRow | null> {
    const row = await this.#thread.get<EffectRow>(GET, session, call, attempt);
    return row === undefined ? null : fromRow(row);
  }

  async getMany(keys: readonly CallKey[]): Promise<LedgerRow[]> {
    assert(keys.length <= KEYS_PER_READ_MAX, "a keyed read names at most 64 keys");
    const rows = await Promise.all(keys.map((key) => this.get(key)));
    return rows.filter((row) => row !== null);
  }

  settle(key: CallKey, runner: string, outcome: CallOutcome, settledAt: number): Promise<boolean> {
    return this.#change(SETTLE, key, runner, JSON.stringify(outcome), settledAt);
  }

  markLost(key: CallKey): Promise<boolean> {
    return this.#change(MARK_LOST, key);
  }

  requestStop(key: CallKey): Promise<boolean> {
    return this.#change(REQUEST_STOP, key);
  }

  storeLate(key: CallKey, outcome: CallOutcome): Promise<boolean> {
    return this.#change(STORE_LATE, key, JSON.stringify(outcome));
  }

  async markDelivered(keys: readonly CallKey[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#change(MARK_DELIVERED, key)));
  }

  async scanUndelivered(runner: string | null, settledBefore: number, limit: number): Promise<LedgerRow[]> {
    return (await this.#thread.all<EffectRow>(UNDELIVERED, runner, settledBefore, limit)).map(fromRow);
  }

  async scanStopRequested(runner: string, limit: number): Promise<LedgerRow[]> {
    return (await this.#thread.all<EffectRow>(STOPPING, runner, limit)).map(fromRow);
  }

  async writeBeat({ runner, count }: RunnerBeat): Promise<void> {
    await this.#thread.run(WRITE_BEAT, runner, count);
  }

  async readBeats(): Promise<RunnerBeat[]> {
    return await this.#thread.all<RunnerBeat>(READ_BEATS);
  }

  async deleteBeat(runner: string): Promise<void> {
    await this.#thread.run(DELETE_BEAT, runner);
  }

  async ping(): Promise<void> {
    await this.#thread.get("SELECT 1 AS alive");
  }

  async close(): Promise<void> {
    // The thread may serve other stores too; who opened it closes it.
  }

  async #change(sql: string, { session, call, attempt }: CallKey, ...values: (string | number)[]): Promise<boolean> {
    return (await this.#thread.run(sql, session, call, attempt, ...values)) === 1;
  }
}

function toJson(outcome: CallOutcome | null): string | null {
  return outcome === null ? null : JSON.stringify(outcome);
}

function fromRow(row: EffectRow): LedgerRow {
  return {
    session: row.session,
    call: row.call,
    attempt: row.attempt,
    state: row.state as LedgerState,
    runner: row.runner,
    claimId: row.claim_id,
    tool: row.tool,
    stopRequested: row.stop_requested === 1,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as CallOutcome),
    lateOutcome: row.late_outcome === null ? null : (JSON.parse(row.late_outcome) as CallOutcome),
    startedAt: row.started_at,
    settledAt: row.settled_at,
    tenant: row.tenant,
    trace: row.trace,
  };
}
