/** The environment of tool-runner. */
import {
  addressVariable,
  commonVariables,
  kinds,
  httpListenVariable,
  listenVariable,
} from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

const toolVariables = {
  workspaces: {
    name: "MAINSPRING_WORKSPACES",
    description: "Directory of the sessions' files, shared by all runners. Default: workspaces in the data directory.",
    schema: kinds.optionalText(),
  },
  toolsDir: {
    name: "MAINSPRING_TOOLS_DIR",
    description: "Directory of further tools, one module each.",
    schema: kinds.optionalText(),
  },
  toolConcurrency: {
    name: "MAINSPRING_TOOL_CONCURRENCY",
    description: "Calls that one runner runs at once.",
    schema: kinds.integer(32, 1, 1_000),
  },
  sandbox: {
    name: "MAINSPRING_SANDBOX",
    description: "auto: bubblewrap where the host has it; bubblewrap: do not start without it; none.",
    schema: kinds.choice(["auto", "bubblewrap", "none"], "auto"),
  },
  sandboxNetwork: {
    name: "MAINSPRING_SANDBOX_NETWORK",
    description: "Whether commands in the sandbox may use the network: on or off.",
    schema: kinds.choice(["off", "on"], "off"),
  },
  sandboxMemoryMib: {
    name: "MAINSPRING_SANDBOX_MEMORY_MIB",
    description: "Memory of one process in the sandbox, in MiB.",
    schema: kinds.integer(2_048, 16, 1_048_576),
  },
  path: {
    name: "PATH",
    description: "Where bwrap, prlimit, setpriv and sh are looked for.",
    schema: kinds.text("/usr/local/bin:/usr/bin:/bin"),
  },
} as const satisfies Variables;

export const toolRunnerVariables = {
  ...commonVariables,
  ...toolVariables,
  listen: listenVariable("tool-runner"),
  httpListen: httpListenVariable("tool-runner"),
  engineWorkerAddress: addressVariable("engine-worker"),
  memoryBrainAddress: addressVariable("memory-brain"),
} as const satisfies Variables;

export type ToolRunnerConfig = ConfigOf<typeof toolRunnerVariables>;
/** What the composition needs: the same whether the service runs alone or with others. */
export type ToolRunnerSettings = ConfigOf<typeof toolVariables> & Pick<ToolRunnerConfig, "dataDir">;

/** The process's environment; nothing else of this service reads it. */
export function toolRunnerEnvironment(): Environment {
  return process.env;
}
