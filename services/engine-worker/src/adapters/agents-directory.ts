/** Agents that are defined in files, one YAML document each: `agents/researcher.yaml`. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import { parse } from "yaml";

import type { Agent } from "../domain/agents.ts";

/** Files of one directory. */
export const AGENT_FILES_MAX = 1_000;
const FILE_BYTES_MAX = 256 * 1024;

/**
 * Reads all of them; a name may be left out, it is the file's then. Throws `invalid_argument` with everything that is
 * wrong. `taken`: names of the agents that ship.
 */
export async function loadAgents(
  directory: string,
  taken: readonly string[],
  read: (value: unknown) => Agent,
): Promise<Agent[]> {
  const files = (await list(directory)).filter((name) => [".yaml", ".yml"].includes(extname(name))).sort();
  const problems: string[] = [];
  const agents: Agent[] = [];
  for (const file of files) {
    try {
      const agent = read(await definitionIn(join(directory, file), file));
      const isKnown = taken.includes(agent.name) || agents.some(({ name }) => name === agent.name);
      if (isKnown) problems.push(`${file}: there is an agent ${agent.name} already`);
      else agents.push(agent);
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message.split("\n", 1)[0]}`);
    }
  }
  if (problems.length === 0) return agents;
  const message = `agents in ${directory} cannot be read:\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
  throw new MainspringError("invalid_argument", message, { reason: "invalid_configuration" });
}

async function list(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    if (names.length <= AGENT_FILES_MAX) return names;
  } catch (cause) {
    throw new MainspringError("invalid_argument", `MAINSPRING_AGENTS_DIR: ${directory} cannot be read`, {
      cause,
      reason: "invalid_configuration",
    });
  }
  throw new MainspringError("invalid_argument", `${directory} has more than ${AGENT_FILES_MAX} files`, {
    reason: "invalid_configuration",
  });
}

async function definitionIn(path: string, file: string): Promise<unknown> {
  const bytes = await readFile(path);
  if (bytes.length > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
  const value: unknown = parse(bytes.toString("utf8"), { maxAliasCount: 10 });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { name: file.slice(0, -extname(file).length), ...value };
}
