/**
 * The lock on a data directory: one server at a time. It is a lock of the operating system, so it ends with the process
 * however that ends, and holding it proves that no other process of this deployment lives.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { MainspringError } from "@mainspring/kernel";

import { usableDirectory } from "../files/data-directory.ts";

const LOCK_FILE = "lock.db";
/** SQLite's code for a lock that another process has. */
const SQLITE_BUSY = 5;
const SERVER_FILE = "server.json";

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
}

export interface DataLock {
  /** Tells attaching commands where the server is. */
  announce(server: RunningServer): void;
  release(): void;
}

/**
 * Takes the lock or throws `failed_precondition` that says who has it, or `invalid_argument` when the directory cannot be
 * made or used.
 */
export function lockDataDir(dataDir: string): DataLock {
  usableDirectory(dataDir, "MAINSPRING_DATA_DIR (--data-dir)");
  const database = openLocked(dataDir);
  const file = join(dataDir, SERVER_FILE);
  rmSync(file, { force: true });
  return {
    announce: (server) => {
      writeFileSync(file, JSON.stringify(server));
      chmodSync(file, 0o600);
    },
    release: () => {
      rmSync(file, { force: true });
      database.close();
    },
  };
}

function openLocked(dataDir: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    return database;
  } catch (cause) {
    database?.close();
    const { errcode, message } = cause as { readonly errcode?: number; readonly message: string };
    if (errcode !== SQLITE_BUSY) {
      throw new MainspringError(
        "invalid_argument",
        `MAINSPRING_DATA_DIR (--data-dir): ${join(dataDir, LOCK_FILE)} cannot be used: ${message}`,
        { reason: "invalid_configuration", cause },
      );
    }
    const server = runningServer(dataDir);
    const where = server === null ? "another server" : `the server at ${server.url} (process ${server.pid})`;
    throw new MainspringError(
      "failed_precondition",
      `MAINSPRING_DATA_DIR ${dataDir} is in use by ${where}; stop it or choose another directory`,
      { reason: "data_dir_in_use", cause },
    );
  }
}

/** Whether somebody holds the lock. Only looks: it makes, takes and deletes nothing. */
export function isDataDirLocked(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { timeout: 0, readOnly: true });
  try {
    // A lock that is exclusive keeps readers out too.
    database.exec("SELECT count(*) FROM sqlite_master");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** What the last server in this directory said of itself; it may be gone since. Null when none did. */
export function runningServer(dataDir: string): RunningServer | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, SERVER_FILE), "utf8")) as RunningServer;
  } catch {
    return null;
  }
}
