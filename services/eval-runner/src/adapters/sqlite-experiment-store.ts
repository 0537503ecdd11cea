/** Experiments on SQLite: one statement a method, which the store thread makes durable. */
import { assert } from "@mainspring/kernel";
import type { SqliteThread } from "@mainspring/service-kit";

import type { Attempt, AttemptResult, Selection } from "../domain/attempt.ts";
import type { Counts, Definition, ExperimentHead, ExperimentStatus } from "../domain/experiment.ts";
import { BRIEF_CHARS, CELLS_PER_READ_MAX } from "../ports/experiment-store.ts";
import type { AttemptKey, ExperimentStore, RunnerBeat } from "../ports/experiment-store.ts";

/** Each step is one statement; steps are only ever added. */
const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS experiments (
     id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, admin INTEGER NOT NULL, name TEXT NOT NULL,
     subject TEXT NOT NULL, status TEXT NOT NULL, round INTEGER NOT NULL, concurrency INTEGER NOT NULL,
     cells INTEGER NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, counts TEXT, definition TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS experiments_of_tenant ON experiments (tenant, created_at, id)",
  `CREATE INDEX IF NOT EXISTS experiments_active ON experiments (created_at) WHERE status IN ('running', 'cancelling')`,
  `CREATE TABLE IF NOT EXISTS eval_attempts (
     cell TEXT NOT NULL, number INTEGER NOT NULL, runner TEXT NOT NULL, claim TEXT NOT NULL, result TEXT,
     PRIMARY KEY (cell, number)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS eval_cells (
     cell TEXT NOT NULL PRIMARY KEY, attempt INTEGER NOT NULL, outcome TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS eval_beats (runner TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS eval_attempts_running ON eval_attempts (cell) WHERE result IS NULL",
  `CREATE INDEX IF NOT EXISTS eval_attempts_of_tenant
     ON eval_attempts (json_extract(claim, '$.tenant'), json_extract(claim, '$.startedAt'))`,
  `CREATE INDEX IF NOT EXISTS eval_attempts_of_experiment
     ON eval_attempts (json_extract(claim, '$.experiment'), json_extract(claim, '$.startedAt'))`,
];

const HEAD = "id, tenant, admin, name, subject, status, round, concurrency, cells, created_at, ended_at, counts";
const BRIEF = `json_set(result, '$.text', substr(json_extract(result, '$.text'), 1, ${BRIEF_CHARS}))`;

interface HeadRow {
  readonly id: string;
  readonly tenant: string;
  readonly admin: number;
  readonly name: string;
  readonly subject: string;
  readonly status: string;
  readonly round: number;
  readonly concurrency: number;
  readonly cells: number;
  readonly created_at: number;
  readonly ended_at: number;
  readonly counts: string | null;
}

interface AttemptRow {
  readonly cell: string;
  readonly number: number;
  readonly runner: string;
  readonly claim: string;
  readonly result: string | null;
}

export async function openSqliteExperimentStore(thread: SqliteThread): Promise<ExperimentStore> {
  await thread.migrate("experiments", SCHEMA);
  return { ...experiments(thread), ...attempts(thread), ...beats(thread) };
}

type Experiments = Pick<ExperimentStore, "insert" | "head" | "definition" | "list" | "active" | "change">;

function experiments(thread: SqliteThread): Experiments {
  return {
    async insert(head, definition) {
      const sql = "INSERT INTO experiments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
      const { id, tenant, admin, name, subject, status, round, concurrency, cells, createdAt, endedAt, counts } = head;
      const who = [id, tenant, admin ? 1 : 0, name, subject] as const;
      const how = [status, round, concurrency, cells, createdAt, endedAt, countsJson(counts)] as const;
      return (await thread.run(sql, ...who, ...how, JSON.stringify(definition))) === 1 ? "inserted" : "exists";
    },
    async head(id) {
      const row = await thread.get<HeadRow>(`SELECT ${HEAD} FROM experiments WHERE id = ?`, id);
      return row === undefined ? null : headOf(row);
    },
    async definition(id) {
      const row = await thread.get<{ definition: string }>("SELECT definition FROM experiments WHERE id = ?", id);
      return row === undefined ? null : (JSON.parse(row.definition) as Definition);
    },
    async list(tenant, limit, after) {
      const sql = `SELECT ${HEAD} FROM experiments WHERE tenant = ?1 AND (?2 IS NULL OR (created_at, id) < (?2, ?3))
        ORDER BY created_at DESC, id DESC LIMIT ?4`;
      const rows = await thread.all<HeadRow>(sql, tenant, after?.createdAt ?? null, after?.id ?? null, limit);
      return rows.map(headOf);
    },
    async active(ofTenant, limit) {
      const sql = `SELECT ${HEAD} FROM (
          SELECT *, row_number() OVER (PARTITION BY tenant ORDER BY created_at, id) AS place
          FROM experiments WHERE status IN ('running', 'cancelling')
        ) WHERE place <= ? ORDER BY place, created_at, id LIMIT ?`;
      return (await thread.all<HeadRow>(sql, ofTenant, limit)).map(headOf);
    },
    async change(id, from, { status, round, concurrency, endedAt, counts }) {
      const sql = `UPDATE experiments SET status = ?4, round = ?5, concurrency = ?6, ended_at = ?7, counts = ?8
        WHERE id = ?1 AND status = ?2 AND round = ?3`;
      const to = [status, round, concurrency, endedAt, countsJson(counts)] as const;
      return (await thread.run(sql, id, from.status, from.round, ...to)) === 1;
    },
  };
}

type Attempts = Pick<
  ExperimentStore,
  "claim" | "attempt" | "attemptsOf" | "running" | "lastStart" | "adopt" | "settle" | "select" | "selections"
>;

function attempts(thread: SqliteThread): Attempts {
  return {
    async claim({ cell, number, runner, result, ...claim }) {
      const sql = "INSERT INTO eval_attempts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
      const values = [
        cell,
        number,
        runner,
        JSON.stringify(claim),
        result === null ? null : JSON.stringify(result),
      ] as const;
      return (await thread.run(sql, ...values)) === 1 ? "inserted" : "duplicate";
    },
    async attempt({ cell, number }) {
      const sql = "SELECT * FROM eval_attempts WHERE cell = ? AND number = ?";
      const row = await thread.get<AttemptRow>(sql, cell, number);
      return row === undefined ? null : attemptOf(row);
    },
    async attemptsOf(cells, brief) {
      const result = brief ? `CASE WHEN result IS NULL THEN NULL ELSE ${BRIEF} END` : "result";
      const sql = `SELECT cell, number, runner, claim, ${result} AS result FROM eval_attempts
        WHERE cell IN (SELECT value FROM json_each(?)) ORDER BY cell, number`;
      return (await thread.all<AttemptRow>(sql, cellsJson(cells))).map(attemptOf);
    },
    async running(limit) {
      const sql = "SELECT * FROM eval_attempts WHERE result IS NULL LIMIT ?";
      return (await thread.all<AttemptRow>(sql, limit)).map(attemptOf);
    },
    async lastStart(of) {
      const [field, id] = "tenant" in of ? ["tenant", of.tenant] : ["experiment", of.experiment];
      const sql = `SELECT max(json_extract(claim, '$.startedAt')) AS last FROM eval_attempts
        WHERE json_extract(claim, '$.${field}') = ?`;
      return (await thread.get<{ last: number | null }>(sql, id))?.last ?? 0;
    },
    async adopt({ cell, number }: AttemptKey, from, to) {
      const sql = `UPDATE eval_attempts SET runner = ?4
        WHERE cell = ?1 AND number = ?2 AND runner = ?3 AND result IS NULL`;
      return (await thread.run(sql, cell, number, from, to)) === 1;
    },
    async settle({ cell, number }: AttemptKey, result) {
      const sql = "UPDATE eval_attempts SET result = ?3 WHERE cell = ?1 AND number = ?2 AND result IS NULL";
      return (await thread.run(sql, cell, number, JSON.stringify(result))) === 1;
    },
    async select({ cell, attempt, outcome }) {
      const sql = "INSERT INTO eval_cells VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
      return (await thread.run(sql, cell, attempt, outcome)) === 1 ? "selected" : "taken";
    },
    async selections(cells) {
      const sql = "SELECT * FROM eval_cells WHERE cell IN (SELECT value FROM json_each(?))";
      const rows = await thread.all<{ cell: string; attempt: number; outcome: string }>(sql, cellsJson(cells));
      return rows.map(({ cell, attempt, outcome }) => ({ cell, attempt, outcome }) as Selection);
    },
  };
}

function beats(thread: SqliteThread): Pick<ExperimentStore, "writeBeat" | "readBeats" | "deleteBeat"> {
  return {
    async writeBeat({ runner, count }) {
      const sql = "INSERT INTO eval_beats VALUES (?, ?) ON CONFLICT DO UPDATE SET count = excluded.count";
      await thread.run(sql, runner, count);
    },
    readBeats: () => thread.all<RunnerBeat & Record<string, string | number>>("SELECT runner, count FROM eval_beats"),
    async deleteBeat(runner) {
      await thread.run("DELETE FROM eval_beats WHERE runner = ?", runner);
    },
  };
}

function cellsJson(cells: readonly string[]): string {
  assert(cells.length <= CELLS_PER_READ_MAX, "a keyed read names at most 64 cells");
  return JSON.stringify(cells);
}

function countsJson(counts: Counts | null): string | null {
  return counts === null ? null : JSON.stringify(counts);
}

function headOf({ admin, status, created_at: createdAt, ended_at: endedAt, counts, ...row }: HeadRow): ExperimentHead {
  return {
    ...row,
    admin: admin === 1,
    status: status as ExperimentStatus,
    createdAt,
    endedAt,
    counts: counts === null ? null : (JSON.parse(counts) as Counts),
  };
}

function attemptOf({ claim, result, ...row }: AttemptRow): Attempt {
  return {
    ...row,
    ...(JSON.parse(claim) as Omit<Attempt, "cell" | "number" | "runner" | "result">),
    result: result === null ? null : (JSON.parse(result) as AttemptResult),
  };
}
