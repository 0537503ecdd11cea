/** A process that runs one command in the sandbox and waits for it: `node sandbox-holder.ts <directory> <command>`. */
import { systemClock } from "@mainspring/kernel";
import { silentLogger } from "@mainspring/service-kit";

import { openSandbox } from "../../services/tool-runner/src/adapters/sandbox/open-sandbox.ts";

const [directory, command] = process.argv.slice(2) as [string, string];
const parts = { clock: systemClock, logger: silentLogger, path: "/usr/local/bin:/usr/bin:/bin" };
const sandbox = await openSandbox(parts, { sandbox: "auto", sandboxNetwork: false, sandboxMemoryMib: 256 });
const workspace = { directory, stateDirectory: directory, owner: null };
await sandbox.run({ command, workspace, timeoutMs: 60_000 }, new AbortController().signal);
