/** Copies the sources that the simulation runs, with one bug planted. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlantedBug } from "./planted-bugs.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const COPIED = ["services/engine-worker/src", "services/tool-runner/src", "tests/simulation"];

/** The folder of the changed copy. It lies inside the repository, so that packages resolve. */
export function plant(bug: PlantedBug): string {
  const folder = join(ROOT, ".cache", "planted", bug.name.replaceAll(/[^a-z]+/g, "-"));
  rmSync(folder, { recursive: true, force: true });
  for (const part of COPIED) {
    mkdirSync(join(folder, part), { recursive: true });
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  }
  for (const { file, find, replace } of bug.edits) {
    const path = join(folder, file);
    const parts = readFileSync(path, "utf8").split(find);
    if (parts.length !== 2) throw new Error(`${bug.name}: its text is in ${file} ${parts.length - 1} times, not once`);
    writeFileSync(path, parts.join(replace));
  }
  return folder;
}
