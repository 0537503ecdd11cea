import { DatabaseSync, type Session, type SQLInputValue, type StatementSync } from "node:sqlite";
import { KipError } from "@mainspring/kip";
import { LAYOUT, TABLES } from "./tables.ts";

export type Cell = number | string | null | Uint8Array;
export type Cells = readonly Cell[];

/** Most prepared statements that one connection keeps. */
const STATEMENTS_MAX = 512;

/** One connection, with its prepared statements. Rows come as arrays in column order. */
export class SpaceDatabase {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, readOnly: boolean) {
    this.#db = new DatabaseSync(file, { readOnly });
    this.#db.exec(
      "pragma cache_size = -65536; pragma mmap_size = 1073741824; pragma temp_store = memory; pragma busy_timeout = 5000",
    );
    if (readOnly) return;
    this.#db.exec(
      "pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma secure_delete = fast",
    );
    this.#db.exec(TABLES);
    this.run(
      "insert or ignore into meta values ('layout', ?), ('seq', 0), ('merge_seq', 0), ('schema_seq', 0), ('counters', ?)",
      LAYOUT,
      "[0,0,0,0,0]",
    );
    this.run("insert or ignore into local values ('index_seq', 0)");
    if (this.value("select v from meta where k = 'layout'") !== LAYOUT) {
      throw new KipError("InternalError", "the file of this Space has another layout");
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement !== undefined) return statement;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Cells | undefined {
    return this.#prepare(sql).get(...values) as Cells | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Cells[] {
    return this.#prepare(sql).all(...values) as unknown as Cells[];
  }

  value(sql: string, ...values: SQLInputValue[]): Cell | undefined {
    return this.get(sql, ...values)?.[0];
  }

  /** Records from now on what changes in the tables. */
  startSessions(tables: readonly string[]): Session[] {
    return tables.map((table) => this.#db.createSession({ table }));
  }

  /** Applies what sessions of another copy recorded. False: this copy is not what that one was. */
  applyPatch(patch: Uint8Array): boolean {
    return this.#db.applyChangeset(patch);
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}
