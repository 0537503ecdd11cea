/** The project's own source files, for rules about them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = new Set(["node_modules", "gen", ".git", "dist"]);

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) yield* walk(path);
    } else {
      yield path;
    }
  }
}

export function sourcesBelow(folders: readonly string[], extension: string): Source[] {
  return folders
    .flatMap((folder) => [...walk(folder)])
    .filter((path) => path.endsWith(extension))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** What a module imports, with the text between the quotes. */
export function importsOf({ text }: Source): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}
