/** The main side of a store thread: durable SQLite without blocking the thread that serves requests. */
import { Worker } from "node:worker_threads";

import { assert, BoundedQueue, MainspringError } from "@mainspring/kernel";

import type { Answer, Call, CallKind, Failure, Request, SqliteRow, SqliteValue, ThreadOptions } from "./protocol.ts";

/** Calls that may wait for the thread; the next one is refused. */
export const CALLS_WAITING_MAX = 20_000;
/** Distinct statements a thread keeps prepared. Statements are constants, so more of them is a mistake. */
const STATEMENTS_MAX = 500;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: MainspringError) => void;
}

/** Calls take effect in the order in which they were made. A call that fails does not undo its neighbours. */
export interface SqliteThread {
  /** Number of changed rows. */
  run(sql: string, ...params: SqliteValue[]): Promise<number>;
  get<Row = SqliteRow>(sql: string, ...params: SqliteValue[]): Promise<Row | undefined>;
  all<Row = SqliteRow>(sql: string, ...params: SqliteValue[]): Promise<Row[]>;
  /** Brings the tables of one module up to date: each step runs once in the life of the database, in order. */
  migrate(module: string, steps: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface SqliteThreadOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** What was written last may be lost with the machine's power, not with the process. Default false: nothing is. */
  readonly relaxed?: boolean;
  /** Told once when the thread ends although nobody closed it: every call fails from then on. */
  readonly onDeath?: (error: MainspringError) => void;
}

export async function openSqliteThread(options: SqliteThreadOptions): Promise<SqliteThread> {
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadOptions = { path: options.path, signal, relaxed: options.relaxed ?? false };
  const worker = new Worker(new URL("./store-thread.ts", import.meta.url), {
    workerData,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    name: "store",
  });
  const thread = new Thread(worker, signal, options);
  await thread.opened;
  return thread;
}

class Thread implements SqliteThread {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #signal: Int32Array;
  readonly #waiting = new BoundedQueue<Waiting>("the store's queue", CALLS_WAITING_MAX);
  readonly #statements = new Map<string, number>();
  readonly #gone = Promise.withResolvers<void>();
  #newStatements: [number, string][] = [];
  #calls: Call[] = [];
  #failure: MainspringError | undefined;
  #closing = false;

  constructor(worker: Worker, signal: Int32Array, { path, onDeath }: SqliteThreadOptions) {
    this.#worker = worker;
    this.#signal = signal;
    const opened = Promise.withResolvers<void>();
    this.opened = opened.promise;
    let wasOpen = false;
    worker.on("message", (message: readonly Answer[] | "open") => {
      if (message === "open") {
        wasOpen = true;
        opened.resolve();
      } else {
        this.#settle(message);
      }
    });
    const fail = (cause: unknown): void => {
      const detail = cause instanceof Error ? `: ${cause.message}` : "";
      const isFirst = this.#failure === undefined;
      this.#fail(wasOpen ? stopped(detail, cause) : cannotOpen(path, detail, cause));
      opened.reject(this.#failure);
      if (isFirst && wasOpen && !this.#closing) onDeath?.(this.#failure!);
    };
    worker.on("error", fail);
    worker.on("exit", () => {
      fail(undefined);
      this.#gone.resolve();
    });
  }

  run(sql: string, ...params: SqliteValue[]): Promise<number> {
    return this.#call("run", sql, params);
  }

  get<Row>(sql: string, ...params: SqliteValue[]): Promise<Row | undefined> {
    return this.#call("get", sql, params);
  }

  all<Row>(sql: string, ...params: SqliteValue[]): Promise<Row[]> {
    return this.#call("all", sql, params);
  }

  async migrate(module: string, steps: readonly string[]): Promise<void> {
    await this.run(
      "CREATE TABLE IF NOT EXISTS migrations (module TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (module, step)) STRICT",
    );
    const done = await this.all<{ step: number }>("SELECT step FROM migrations WHERE module = ? ORDER BY step", module);
    for (let step = done.length; step < steps.length; step += 1) {
      // Each step is one statement that may be repeated, so a crash between it and its record does no harm.
      await this.run(steps[step] as string);
      await this.run("INSERT INTO migrations (module, step) VALUES (?, ?)", module, step);
    }
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#flush();
      this.#post("close");
    }
    await this.#gone.promise;
  }

  #call<Result>(kind: CallKind, sql: string, params: readonly SqliteValue[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#closing) throw new MainspringError("unavailable", "the store is closed", { retry: "safe" });
      this.#waiting.push({ resolve, reject });
      this.#calls.push({ kind, statement: this.#numberOf(sql), params });
      // After the promises that are ready now: their calls travel in the same message.
      if (this.#calls.length === 1) process.nextTick(() => this.#flush());
    });
  }

  #numberOf(sql: string): number {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const number = this.#statements.size;
    assert(number < STATEMENTS_MAX, "statements are constants");
    this.#statements.set(sql, number);
    this.#newStatements.push([number, sql]);
    return number;
  }

  #flush(): void {
    if (this.#calls.length === 0) return;
    const request: Request = { statements: this.#newStatements, calls: this.#calls };
    this.#newStatements = [];
    this.#calls = [];
    this.#post(request);
  }

  #post(message: Request | "close"): void {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
    Atomics.add(this.#signal, 0, 1);
    Atomics.notify(this.#signal, 0);
  }

  #settle(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const waiting = this.#waiting.shift();
      if (isFailure(answer)) waiting?.reject(errorOf(answer));
      else waiting?.resolve(answer as never);
    }
  }

  #fail(error: MainspringError): void {
    this.#failure ??= error;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) next.reject(this.#failure);
  }
}

function isFailure(answer: Answer): answer is Failure {
  return typeof answer === "object" && "error" in answer && typeof answer.error === "object";
}

function errorOf({ error: { resultCode, message, applied } }: Failure): MainspringError {
  const cause = new Error(`SQLite ${resultCode}: ${message}`);
  const primary = resultCode & 0xff;
  if (primary === SQLITE_CONSTRAINT) {
    return new MainspringError("already_exists", "a record with this key exists", { cause, reason: "constraint" });
  }
  if (applied === "unknown" || [SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].includes(primary)) {
    const retry = applied === "unknown" ? "unknownOutcome" : "safe";
    return new MainspringError("unavailable", "the store cannot write", { cause, retry });
  }
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) {
    return new MainspringError("data_loss", "the store's file is damaged", { cause });
  }
  return new MainspringError("internal", "the store refused a statement", { cause });
}

function stopped(detail: string, cause: unknown): MainspringError {
  return new MainspringError("unavailable", `the store stopped${detail}`, { cause, retry: "unknownOutcome" });
}

function cannotOpen(path: string, detail: string, cause: unknown): MainspringError {
  return new MainspringError("invalid_argument", `${path} cannot be opened as a store${detail}`, {
    reason: "invalid_configuration",
    cause,
  });
}
