/** Makes the directories that a process keeps its files in, and finds out at once when that cannot be. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { MainspringError } from "@mainspring/kernel";

/** Deepest path, in directories that have to be made. */
const DEPTH_MAX = 256;

/**
 * The directory with those above it, readable by nobody else. Throws what the system says. The recursive mkdir of Node
 * never returns where a directory that is there says that there is none in it, as those of /proc do.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (let wanted = resolve(path); ; wanted = dirname(wanted)) {
    if (isDirectory(wanted)) break;
    missing.push(wanted);
    if (missing.length > DEPTH_MAX || wanted === dirname(wanted)) throw new Error(`${path} is too deep`);
  }
  for (const directory of missing.toReversed()) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (!isDirectory(directory)) throw error;
    }
  }
}

/**
 * Makes the directory of a variable and proves that files can be made in it, or throws `invalid_argument` that names the
 * variable.
 */
export function usableDirectory(path: string, variable: string): void {
  let doing = "cannot be made or is no directory";
  try {
    makeDirectory(path);
    doing = "cannot be written to";
    probeDirectory(path);
  } catch (cause) {
    const message = `${variable}: ${path} ${doing}: ${(cause as Error).message}`;
    throw new MainspringError("invalid_argument", message, { reason: "invalid_configuration", cause });
  }
}

/** Throws what the system says when nothing can be made in the directory; leaves nothing in it. */
export function probeDirectory(directory: string): void {
  rmdirSync(mkdtempSync(join(directory, ".probe-")));
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
