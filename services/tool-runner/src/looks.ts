/** Looks at what a runner would find on this machine, without starting one: composes only what has to be tried. */
import { systemClock } from "@mainspring/kernel";
import type { Logger } from "@mainspring/service-kit/settings";

import { openSandbox } from "./adapters/sandbox/open-sandbox.ts";
import { loadTools } from "./adapters/tools-directory.ts";
import { builtInTools } from "./adapters/tools/built-in.ts";
import { memoryTools } from "./adapters/tools/memory.ts";
import { ArgumentChecker } from "./app/arguments.ts";
import type { ToolRunnerSettings } from "./config.ts";
import type { Sandbox } from "./ports/sandbox.ts";

type SandboxLook = Pick<ToolRunnerSettings, "sandbox" | "sandboxNetwork" | "sandboxMemoryMib" | "path">;

/** Why a runner with these settings has no sandbox; empty when it has one. Throws where the runner would not start. */
export async function whyNoSandbox(settings: SandboxLook): Promise<string> {
  const { sandboxNetwork, path } = settings;
  let why = "MAINSPRING_SANDBOX is `none`";
  const warn = (fields: { reason?: string }): void => void (why = fields.reason ?? why);
  const parts = { clock: systemClock, logger: quiet(warn), path };
  const sandbox = await openSandbox(parts, { ...settings, sandboxNetwork: sandboxNetwork === "on" });
  return sandbox.kind === "bubblewrap" ? "" : why;
}

/** Loads the tools of a directory as a start does, for their names. Throws with all that is wrong with them. */
export async function namesOfTools(directory: string): Promise<string[]> {
  const checker = new ArgumentChecker();
  const plain = { kind: "process group", promise: "", ownerOf: () => null, run: unused } satisfies Sandbox;
  const memory = { recall: unused, remember: unused };
  const taken = [...builtInTools(plain, unused), ...memoryTools(memory)].map(({ name }) => name);
  const tools = await loadTools(directory, taken, (schema) => checker.compile(schema));
  return tools.map(({ name }) => name);
}

function unused(): never {
  throw new Error("nothing runs when it is only looked at");
}

function quiet(warn: Logger["warn"]): Logger {
  const nothing = (): void => undefined;
  const logger: Logger = { debug: nothing, info: nothing, warn, error: nothing, child: () => logger };
  return logger;
}
