/** Walks a workspace without following links to directories. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Walked {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly entry: Dirent;
}

export async function* walk(root: string, folder = ""): AsyncGenerator<Walked, void, undefined> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch {
    // It went away, or may not be read.
    return;
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    yield { path, entry };
    if (entry.isDirectory()) yield* walk(root, path);
  }
}
