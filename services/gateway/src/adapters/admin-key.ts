/** The admin key of a server that was given none: made once, kept in the data directory, shown once. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
  const file = join(dataDir, FILE);
  usableDirectory(dataDir, "MAINSPRING_DATA_DIR (--data-dir)");
  const secret = newSecret();
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
    return { secret, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { secret: readFileSync(file, "utf8").trim(), isNew: false };
  }
}

function newSecret(): string {
  return `msk_admin_${randomBytes(24).toString("hex")}`;
}
