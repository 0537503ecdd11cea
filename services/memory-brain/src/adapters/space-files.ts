/** The files of Spaces in a directory: `<id>.db`, with SQLite's own files beside it. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

const SUFFIXES = ["", "-wal", "-shm"];

export class SpaceFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  pathOf(id: string): string {
    return join(this.#directory, `${id}.db`);
  }

  async remove(id: string): Promise<void> {
    for (const suffix of SUFFIXES) await rm(`${this.pathOf(id)}${suffix}`, { force: true });
  }
}
