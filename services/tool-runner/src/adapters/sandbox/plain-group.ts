/** Commands without a sandbox, where there is none: a process group of their own, which is killed whole. */
import type { Clock } from "@mainspring/kernel";

import type { Sandbox, SandboxRequest, SandboxResult } from "../../ports/sandbox.ts";
import { safeEnvironment } from "./bubblewrap.ts";
import { runGroup } from "./process-group.ts";

export interface PlainGroupOptions {
  readonly clock: Clock;
  readonly shell: string;
  /** Ends the command when this process dies, where the system has it. */
  readonly setpriv: string | null;
}

export class PlainGroup implements Sandbox {
  readonly kind = "process group";
  readonly promise =
    "WARNING: this host has no sandbox. The command runs with the rights of the server: it can read and write the " +
    "host's files and use the network.";
  readonly #options: PlainGroupOptions;

  constructor(options: PlainGroupOptions) {
    this.#options = options;
  }

  ownerOf(): null {
    return null;
  }

  run({ command, workspace, timeoutMs }: SandboxRequest, signal: AbortSignal): Promise<SandboxResult> {
    const { clock, shell, setpriv } = this.#options;
    const call = [shell, "-c", command];
    const [file, ...args] = setpriv === null ? call : [setpriv, "--pdeathsig", "KILL", "--", ...call];
    const { directory } = workspace;
    const env = safeEnvironment(directory);
    return runGroup(clock, { file: file!, args, env, directory, timeoutMs, inputs: [], wrapperDepth: 0 }, signal);
  }
}
