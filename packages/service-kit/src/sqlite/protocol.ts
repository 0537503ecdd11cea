/** What the two sides of a store thread say to each other. Answers come in the order of the calls. */

export type SqliteValue = null | number | bigint | string | Uint8Array;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** `run` answers with the number of changed rows, `get` with the first row or undefined, `all` with every row. */
export type CallKind = "run" | "get" | "all";

/** One call. The text of a statement is sent once; afterwards its number stands for it. */
export interface Call {
  readonly kind: CallKind;
  readonly statement: number;
  readonly params: readonly SqliteValue[];
}

/** The calls of one tick, with the texts of statements that are new in them. */
export interface Request {
  readonly statements: readonly (readonly [number: number, sql: string])[];
  readonly calls: readonly Call[];
}

export interface Failure {
  readonly error: {
    /** SQLite's extended result code, 0 when SQLite did not set one. */
    readonly resultCode: number;
    readonly message: string;
    /** `no`: nothing of the call remains. `unknown`: its commit failed. */
    readonly applied: "no" | "unknown";
  };
}

export type Answer = number | SqliteRow | undefined | readonly SqliteRow[] | Failure;

export interface ThreadOptions {
  readonly path: string;
  /** Element 0 counts the messages to the thread; it waits for a change. */
  readonly signal: Int32Array;
  /** Commits do not wait for the disk. */
  readonly relaxed: boolean;
}

/** Most calls in one transaction. */
export const CALLS_PER_COMMIT_MAX = 512;
