/** The admin key of a server that was given none: made once, kept in the data directory, shown once. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import { IN_MEMORY, usableDirectory } from "@mainspring/service-kit";

const FILE = "admin-key";

export interface AdminKey {
  readonly secret: string;
  /** True when it was made just now and must be shown. */
  readonly isNew: boolean;
}

export function loadAdminKey(given: string | undefined, dataDir: string): AdminKey {
  if (given !== undefined) return { secret: given, isNew: false };
  if (dataDir === IN_MEMORY) return { secret: newSecret(), isNew: true };
  usableDirectory(dataDir, "MAINSPRING_DATA_DIR (--data-dir)");
  const file = join(dataDir, FILE);
  try {
    const kept = keptSecret(file);
    if (kept !== "") return { secret: kept, isNew: false };
    const secret = newSecret();
    // Whole or not at all: a key that was cut short by a crash or a full disk would open nothing.
    writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return { secret, isNew: true };
  } catch (cause) {
    const message = `${file} cannot be used as the file of the admin key: ${(cause as Error).message}`;
    throw new MainspringError("invalid_argument", message, { reason: "invalid_configuration", cause });
  }
}

/** Empty where there is none. */
function keptSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function newSecret(): string {
  return `msk_admin_${randomBytes(24).toString("hex")}`;
}
