/**
 * The store thread: owns one SQLite database and commits together what arrived while the batch before was written.
 * It never waits for more to come, so a lone write pays one fsync and a thousand concurrent ones share few.
 *
 * A statement that fails takes back only itself. Answers leave after the commit that makes them durable.
 */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";

import { CALLS_PER_COMMIT_MAX } from "./protocol.ts";
import type { Answer, Call, Failure, Request, SqliteRow, ThreadOptions } from "./protocol.ts";

/** Pages of write-ahead log after which a commit moves them into the database; idle time usually does so earlier. */
const CHECKPOINT_PAGES = 1_000;
const PAGE_BYTES = 4_096;
const CHECKPOINT_IDLE_MS = 250;
/** How long the thread stays awake for a next call: to be woken costs more than most calls do. */
const SPIN_MS = 0.1;
const CACHE_KIB = 32 * 1024;
const BUSY_TIMEOUT_MS = 5_000;

interface Prepared {
  readonly statement: StatementSync;
  readonly writes: boolean;
}

const port = parentPort as MessagePort;
const { path, signal, relaxed } = workerData as ThreadOptions;
const db = open();
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const texts = new Map<number, string>();
const prepared = new Map<number, Prepared>();
let written = false;

function open(): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
  database.exec("PRAGMA journal_mode=WAL");
  database.exec(`PRAGMA synchronous=${relaxed ? "NORMAL" : "FULL"}`);
  database.exec(`PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}`);
  database.exec("PRAGMA temp_store=MEMORY");
  if (!relaxed) lengthenLog(database);
  database.exec(`PRAGMA cache_size=-${CACHE_KIB}`);
  return database;
}

/**
 * A commit that lengthens the log file takes up to twice as long as one that overwrites it, so the file gets its
 * usual length first: by a transaction that does not fit into the cache and is rolled back.
 */
function lengthenLog(database: DatabaseSync): void {
  const bytes = (CHECKPOINT_PAGES + 50) * PAGE_BYTES;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (path === ":memory:" || (log !== undefined && log.size >= bytes)) return;
  database.exec("PRAGMA cache_size=10");
  database.exec("BEGIN IMMEDIATE");
  database.exec("CREATE TABLE log_filler (bytes)");
  database.exec(`INSERT INTO log_filler VALUES (zeroblob(${bytes}))`);
  database.exec("ROLLBACK");
}

function prepare(number: number): Prepared {
  const known = prepared.get(number);
  if (known !== undefined) return known;
  const sql = texts.get(number) ?? "";
  const made = { statement: db.prepare(sql), writes: !/^\s*select\b/i.test(sql) };
  prepared.set(number, made);
  return made;
}

function failure(thrown: unknown, applied: "no" | "unknown"): Failure {
  const { errcode, message } = thrown as { errcode?: number; message?: string };
  return { error: { resultCode: errcode ?? 0, message: message ?? String(thrown), applied } };
}

function execute({ kind, params }: Call, { statement, writes }: Prepared): Answer {
  if (kind === "run") return Number(statement.run(...params).changes);
  // A write that returns rows has to be stepped to its end.
  if (kind === "all" || writes) {
    const rows = statement.all(...params) as SqliteRow[];
    return kind === "all" ? rows : rows[0];
  }
  return statement.get(...params);
}

/** Runs the calls in order within one transaction, which begins at the first write. */
function runBatch(calls: readonly Call[]): Answer[] {
  const answers: Answer[] = [];
  let inTransaction = false;
  let firstInTransaction = 0;
  for (const call of calls) {
    try {
      const ready = prepare(call.statement);
      if (ready.writes && !inTransaction) {
        begin.run();
        inTransaction = true;
        firstInTransaction = answers.length;
      }
      answers.push(execute(call, ready));
    } catch (thrown) {
      answers.push(failure(thrown, "no"));
      if (inTransaction && !db.isTransaction) {
        // SQLite gave up the whole transaction (disk full, I/O error): nothing since its begin remains.
        answers.fill(failure(thrown, "no"), firstInTransaction);
        inTransaction = false;
      }
    }
  }
  if (inTransaction) finish(answers, firstInTransaction);
  return answers;
}

function finish(answers: Answer[], from: number): void {
  try {
    commit.run();
  } catch (thrown) {
    answers.fill(failure(thrown, "unknown"), from);
    if (db.isTransaction) db.exec("ROLLBACK");
  }
  written = true;
}

/** What it does not manage (a full disk) it tries again at the next idle moment: nothing is lost meanwhile. */
function checkpoint(): void {
  if (!written) return;
  try {
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    written = false;
  } catch {
    // The log file keeps what was committed.
  }
}

/** Takes every call that has arrived. False once the last one asked to close. */
function work(): boolean {
  let calls: Call[] = [];
  for (;;) {
    const message = receiveMessageOnPort(port)?.message as Request | "close" | undefined;
    if (message === undefined || message === "close") {
      if (calls.length > 0) answer(calls);
      return message === undefined;
    }
    for (const [number, sql] of message.statements) texts.set(number, sql);
    calls.push(...message.calls);
    if (calls.length >= CALLS_PER_COMMIT_MAX) {
      answer(calls);
      calls = [];
    }
  }
}

function answer(calls: readonly Call[]): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(runBatch(calls));
}

/** Waits until the counter of messages moves away from `seen`: first awake, then asleep. False: it was idle. */
function awaitMessage(seen: number): boolean {
  const spinUntil = performance.now() + SPIN_MS;
  while (performance.now() < spinUntil) if (Atomics.load(signal, 0) !== seen) return true;
  return Atomics.wait(signal, 0, seen, CHECKPOINT_IDLE_MS) !== "timed-out";
}

// The thread never returns to its event loop: a wait on the counter wakes faster, and can stay awake for a moment.
port.postMessage("open");
for (;;) {
  const seen = Atomics.load(signal, 0);
  if (!work()) break;
  if (!awaitMessage(seen)) checkpoint();
}
db.close();
port.close();
