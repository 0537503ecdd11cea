/**
 * Commands inside bubblewrap: namespaces of their own for processes, network, IPC and host name; the system's programs
 * to read, the session's workspace to write, a small /tmp, and nothing else of the host. Everything inside dies with
 * the runner.
 *
 * Where the runner is root, the command runs as a user of its own for each session, without capabilities: the limit on
 * processes counts by user, and root has none. Elsewhere it runs in a user namespace.
 */
import { lstatSync, readlinkSync } from "node:fs";

import type { Clock } from "@mainspring/kernel";
import { hashParts } from "@mainspring/kernel";

import type { Sandbox, SandboxRequest, SandboxResult } from "../../ports/sandbox.ts";
import { WORKSPACE_MOUNT } from "../files/contained-path.ts";
import { runGroup } from "./process-group.ts";
import { seccompFilter } from "./seccomp.ts";

export const PROCESSES_MAX = 256;
export const OPEN_FILES_MAX = 1_024;
/** Largest file that a command may write, 1 GiB. */
export const FILE_BYTES_MAX = 1024 ** 3;
/** Size of /tmp inside, 256 MiB. */
export const TMP_BYTES_MAX = 256 * 1024 ** 2;
/** Seconds of processor time of one process; the wall clock ends the command before. */
const CPU_S_MAX = 600;
/** Users of sessions: 20000 to 59999, which containers with mapped users have too. */
const FIRST_USER = 20_000;
const USERS = 40_000;

const PROGRAM_DIRECTORIES = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const SYSTEM_FILES = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl", "/etc/ca-certificates"];
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services"];
const FILTER = seccompFilter(process.arch);
/** Enters the workspace as the user who may, then runs the command in a shell of its own. */
const ENTER = `cd ${WORKSPACE_MOUNT} || exit 126; unset OLDPWD; exec sh -c "$0"`;

export interface BubblewrapOptions {
  readonly clock: Clock;
  readonly bwrap: string;
  readonly prlimit: string;
  /** Needed where this process is root. */
  readonly setpriv: string | null;
  readonly isRoot: boolean;
  readonly network: boolean;
  readonly memoryBytesMax: number;
}

export class Bubblewrap implements Sandbox {
  readonly kind = "bubblewrap";
  readonly promise: string;
  readonly #options: BubblewrapOptions;
  readonly #system: readonly string[];

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#system = systemMounts(options.network);
    const network = options.network ? "It may use the network." : "There is no network.";
    this.promise = `It runs in a sandbox: only ${WORKSPACE_MOUNT} (the workspace) and /tmp can be written. ${network}`;
  }

  ownerOf(session: string): number | null {
    if (!this.#options.isRoot) return null;
    return FIRST_USER + (Number.parseInt(hashParts([session], 8), 16) % USERS);
  }

  run({ command, workspace, timeoutMs }: SandboxRequest, signal: AbortSignal): Promise<SandboxResult> {
    const { clock, bwrap } = this.#options;
    const options = [
      ...this.#isolation(),
      ...this.#system,
      ...["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", String(TMP_BYTES_MAX), "--tmpfs", "/tmp"],
      ...["--bind", workspace.directory, WORKSPACE_MOUNT],
      ...(FILTER === null ? [] : ["--seccomp", "4"]),
    ];
    const inner = [...this.#privileges(workspace.owner), ...this.#limits(), "/bin/sh", "-c", ENTER, command];
    // The options come through a pipe: inside, the command line of the first process can be seen.
    const args = ["--args", "3", "--", ...inner];
    const inputs = [Buffer.from(options.map((option) => `${option}\0`).join("")), ...(FILTER === null ? [] : [FILTER])];
    // One generation is bubblewrap's own first process inside.
    return runGroup(clock, { file: bwrap, args, env: {}, directory: "/", timeoutMs, inputs, wrapperDepth: 2 }, signal);
  }

  #isolation(): string[] {
    const { isRoot, network } = this.#options;
    const users = isRoot
      ? ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
      : ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"];
    const spaces = ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"];
    const environment = Object.entries(safeEnvironment()).flatMap(([name, value]) => ["--setenv", name, value]);
    return [
      "--die-with-parent",
      ...users,
      ...spaces,
      ...(network ? [] : ["--unshare-net"]),
      ...["--hostname", "sandbox", "--clearenv"],
      ...environment,
    ];
  }

  #privileges(owner: number | null): string[] {
    const { setpriv } = this.#options;
    if (owner === null || setpriv === null) return [];
    return [
      setpriv,
      `--reuid=${owner}`,
      `--regid=${owner}`,
      "--clear-groups",
      "--bounding-set=-all",
      "--inh-caps=-all",
    ];
  }

  #limits(): string[] {
    const { prlimit, memoryBytesMax } = this.#options;
    return [
      prlimit,
      `--data=${memoryBytesMax}`,
      `--nproc=${PROCESSES_MAX}`,
      `--nofile=${OPEN_FILES_MAX}`,
      `--fsize=${FILE_BYTES_MAX}`,
      `--cpu=${CPU_S_MAX}`,
      "--core=0",
      "--",
    ];
  }
}

export function safeEnvironment(home = WORKSPACE_MOUNT): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    PWD: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: "/tmp",
    USER: "agent",
    LOGNAME: "agent",
    SHELL: "/bin/sh",
  };
}

/** The host's programs, read-only, laid out as they are there. */
function systemMounts(network: boolean): string[] {
  const mounts = ["--ro-bind", "/usr", "/usr"];
  for (const path of PROGRAM_DIRECTORIES) {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status?.isSymbolicLink() === true) mounts.push("--symlink", readlinkSync(path), path);
    else if (status?.isDirectory() === true) mounts.push("--ro-bind", path, path);
  }
  const files = network ? [...SYSTEM_FILES, ...NETWORK_FILES] : SYSTEM_FILES;
  mounts.push("--perms", "0755", "--dir", "/etc");
  return [...mounts, ...files.flatMap((path) => ["--ro-bind-try", path, path])];
}
