/**
 * Tables of the session store. Each step is one statement; steps are only ever added. Commits are a table with a rowid:
 * their rows are long, and a table without one keeps only a quarter of a page of each row in place. Mail is without: its
 * bodies are emptied soon, and such a table gives the pages back.
 */
export const SESSION_SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS commits (
     session TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL,
     UNIQUE (session, n)
   ) STRICT`,
  `CREATE TABLE IF NOT EXISTS mail (
     session TEXT NOT NULL, k INTEGER NOT NULL, post_id TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
     body TEXT, at INTEGER NOT NULL, trace TEXT NOT NULL,
     PRIMARY KEY (session, k), UNIQUE (session, post_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS heads (
     session TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, gen INTEGER NOT NULL, wake_at INTEGER NOT NULL,
     holder TEXT NOT NULL, hold_epoch INTEGER NOT NULL, hold_tries INTEGER NOT NULL, epoch INTEGER NOT NULL,
     mail_hint INTEGER NOT NULL, tip_hint INTEGER NOT NULL, agent TEXT NOT NULL, title TEXT NOT NULL,
     status TEXT NOT NULL, status_reason TEXT NOT NULL, last_run TEXT NOT NULL,
     created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS heads_due ON heads (holder, wake_at)`,
  `CREATE INDEX IF NOT EXISTS heads_listed ON heads (tenant, created_at, session)`,
  `CREATE TABLE IF NOT EXISTS worker_beats (
     worker TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS snapshots (
     session TEXT NOT NULL, projector_version INTEGER NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (session, projector_version)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS partials (
     session TEXT NOT NULL PRIMARY KEY, run TEXT NOT NULL, step INTEGER NOT NULL, attempt INTEGER NOT NULL,
     output TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

export interface HeadRow {
  readonly session: string;
  readonly tenant: string;
  readonly gen: number;
  readonly wake_at: number;
  /** Empty: nobody holds it. */
  readonly holder: string;
  readonly hold_epoch: number;
  readonly hold_tries: number;
  readonly epoch: number;
  readonly mail_hint: number;
  readonly tip_hint: number;
  readonly agent: string;
  readonly title: string;
  readonly status: string;
  readonly status_reason: string;
  readonly last_run: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface MailRow {
  readonly session: string;
  readonly k: number;
  readonly post_id: string;
  readonly kind: string;
  readonly digest: string;
  /** JSON; NULL once emptied. */
  readonly body: string | null;
  readonly at: number;
  readonly trace: string;
}

export interface CommitRow {
  readonly n: number;
  readonly body: string;
}
