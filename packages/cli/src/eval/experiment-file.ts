/** Experiments in files: YAML, of which JSON is a part. The server looks closer. */
import { readFile, stat } from "node:fs/promises";

import { MainspringError } from "@mainspring/kernel";
import { parse } from "yaml";

export const FILE_BYTES_MAX = 1024 * 1024;
const ALIASES_MAX = 100;

/** Throws `invalid_argument` that names the file. */
export async function readExperiment(path: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    const { size } = await stat(path);
    if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    value = parse(await readFile(path, "utf8"), { maxAliasCount: ALIASES_MAX });
  } catch (cause) {
    const why = (cause as Error).message.split("\n", 1)[0];
    throw new MainspringError("invalid_argument", `${path} cannot be read: ${why}`, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MainspringError("invalid_argument", `${path} is no experiment: it must have name, subjects and tasks`);
}
