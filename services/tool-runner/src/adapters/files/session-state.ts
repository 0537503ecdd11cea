/** Small JSON documents that tools keep for a session, durable and whole. */
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { MainspringError } from "@mainspring/kernel";

import type { Workspace } from "../../ports/tool.ts";

/** Null when nothing was kept yet. */
export async function readState(workspace: Workspace, name: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(join(workspace.stateDirectory, `${name}.json`), "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new MainspringError("unavailable", "what was kept for the session cannot be read", { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MainspringError("data_loss", `the ${name} of the session is damaged`, { cause });
  }
}

export async function writeState(workspace: Workspace, name: string, value: unknown): Promise<void> {
  const folder = workspace.stateDirectory;
  const beside = join(folder, `${name}.${randomUUID()}.tmp`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, join(folder, `${name}.json`));
    const directory = await open(folder, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  } catch (cause) {
    await rm(beside, { force: true });
    throw new MainspringError("unavailable", "what is to be kept for the session cannot be written", { cause });
  }
}
