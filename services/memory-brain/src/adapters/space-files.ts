/** The files of Spaces in a directory: `<id>.db`, with SQLite's own files beside it. */
import { rmSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import { lockDataDir, usableDirectory } from "@mainspring/service-kit";
import type { DataLock } from "@mainspring/service-kit";

const SUFFIXES = ["", "-wal", "-shm"];
/** Workers that keep their copies below one data directory. */
const WORKERS_MAX = 64;

const asideOf = (id: string): string => `${id}.replaced`;

export class SpaceFiles {
  readonly #directory: string;
  #lock: DataLock | null;
  readonly #temporary: boolean;

  private constructor(directory: string, lock: DataLock | null, temporary = false) {
    this.#directory = directory;
    this.#lock = lock;
    this.#temporary = temporary;
  }

  /** In a directory that is removed at the end. */
  static temporary(directory: string): SpaceFiles {
    return new SpaceFiles(directory, null, true);
  }

  /** Those of a server that has the data directory for itself. */
  static own(dataDir: string): SpaceFiles {
    const directory = join(dataDir, "spaces");
    usableDirectory(directory, "MAINSPRING_DATA_DIR (--data-dir)");
    return new SpaceFiles(directory, null);
  }

  /** Copies of one worker of many: in the first directory that no other worker uses. */
  static shared(dataDir: string): SpaceFiles {
    for (let slot = 0; slot < WORKERS_MAX; slot += 1) {
      const directory = join(dataDir, `spaces-${slot}`);
      const lock = lockIfFree(directory);
      if (lock !== null) return new SpaceFiles(directory, lock);
    }
    throw new MainspringError("failed_precondition", `more than ${WORKERS_MAX} memory workers use ${dataDir}`);
  }

  pathOf(id: string): string {
    return join(this.#directory, `${id}.db`);
  }

  async remove(id: string): Promise<void> {
    for (const suffix of SUFFIXES) await rm(`${this.pathOf(id)}${suffix}`, { force: true });
  }

  /** With what was set aside. */
  async removeAll(id: string): Promise<void> {
    await this.remove(id);
    await this.remove(asideOf(id));
  }

  /** Spaces that have a file here, in no order. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#directory);
    return [...new Set(names.flatMap((name) => /^([a-z0-9_]+)(?:\.replaced)?\.db$/.exec(name)?.slice(1) ?? []))];
  }

  /** Keeps the file under another name, in place of one that was set aside before. */
  async setAside(id: string): Promise<void> {
    const aside = asideOf(id);
    await this.remove(aside);
    for (const suffix of SUFFIXES) {
      await rename(`${this.pathOf(id)}${suffix}`, `${this.pathOf(aside)}${suffix}`).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      });
    }
  }

  release(): void {
    this.#lock?.release();
    this.#lock = null;
    if (this.#temporary) rmSync(this.#directory, { recursive: true, force: true });
  }
}

function lockIfFree(directory: string): DataLock | null {
  try {
    return lockDataDir(directory);
  } catch (error) {
    if (error instanceof MainspringError && error.reason === "data_dir_in_use") return null;
    throw error;
  }
}
