/** Picks the sandbox that this host has, by trying it. */
import { accessSync, constants } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import type { Logger } from "@mainspring/service-kit";

import type { Sandbox } from "../../ports/sandbox.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { PlainGroup } from "./plain-group.ts";

const PROBE_TIMEOUT_MS = 10_000;

export interface SandboxSettings {
  /** `auto` takes what the host has; `bubblewrap` does not start without it. */
  readonly sandbox: "auto" | "bubblewrap" | "none";
  readonly sandboxNetwork: boolean;
  readonly sandboxMemoryMib: number;
}

export interface OpenSandboxParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Directories in which programs are looked for, as in PATH. */
  readonly path: string;
}

export async function openSandbox(parts: OpenSandboxParts, settings: SandboxSettings): Promise<Sandbox> {
  const { clock, logger, path } = parts;
  const setpriv = find("setpriv", path);
  const plain = new PlainGroup({ clock, shell: find("sh", path) ?? "sh", setpriv });
  if (settings.sandbox === "none") {
    logger.warn({}, "MAINSPRING_SANDBOX is `none`: commands of the shell tool run with the rights of this process");
    return plain;
  }
  const found = await tryBubblewrap(parts, settings, setpriv);
  if (typeof found !== "string") {
    logger.info({ sandbox: found.kind, network: settings.sandboxNetwork }, "commands run in a sandbox");
    return found;
  }
  if (settings.sandbox === "bubblewrap") {
    throw new MainspringError("failed_precondition", `MAINSPRING_SANDBOX is \`bubblewrap\`, but ${found}.`, {
      reason: "invalid_configuration",
    });
  }
  logger.warn({ reason: found }, "NO SANDBOX: commands of the shell tool run with the rights of this process");
  return plain;
}

/** The sandbox, or why there is none. */
async function tryBubblewrap(
  { clock, path }: OpenSandboxParts,
  settings: SandboxSettings,
  setpriv: string | null,
): Promise<Sandbox | string> {
  const isRoot = process.getuid?.() === 0;
  const [bwrap, prlimit] = [find("bwrap", path), find("prlimit", path)];
  if (bwrap === null) return "bubblewrap (bwrap) is not installed";
  if (prlimit === null || (isRoot && setpriv === null)) return "prlimit or setpriv (util-linux) is not installed";
  const memoryBytesMax = settings.sandboxMemoryMib * 1024 ** 2;
  const network = settings.sandboxNetwork;
  const sandbox = new Bubblewrap({ clock, bwrap, prlimit, setpriv, isRoot, network, memoryBytesMax });
  const directory = await mkdtemp(join(tmpdir(), "mainspring-probe-"));
  try {
    const owner = sandbox.ownerOf("probe");
    if (owner !== null) await chown(directory, owner, owner);
    const workspace = { directory, stateDirectory: directory, owner };
    const request = { command: "touch probe", workspace, timeoutMs: PROBE_TIMEOUT_MS };
    const { exitStatus, stderr } = await sandbox.run(request, new AbortController().signal);
    if (exitStatus === 0) return sandbox;
    return `bubblewrap does not work here: ${new TextDecoder().decode(stderr.bytes).trim() || "it does not end"}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function find(program: string, path: string): string | null {
  for (const directory of path.split(delimiter)) {
    const file = join(directory, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not there.
    }
  }
  return null;
}
