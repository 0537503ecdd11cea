/** `mainspring kip <space>`: KIP commands to a Space, typed, piped or given. */
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";

import type { ApiClient } from "@mainspring/client";
import type { Command } from "commander";

import { commandEnvironment, readClientConfig } from "../config.ts";
import { fileHistory } from "../history.ts";
import { runScript } from "../kip/script.ts";
import { KipShell } from "../kip/shell.ts";
import { SpaceSession } from "../kip/space-session.ts";
import { addClientFlags, clientFlags, examples, EXIT, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

interface KipFlags {
  readonly command?: string;
  readonly write?: boolean;
  readonly json?: boolean;
}

export function kipCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("kip")
    .description("Sends KIP commands to a Space: those given with -c, those on standard input, or as you type them.")
    .argument("<space>", "id of the Space")
    .option("-c, --command <text>", "the command, or several parted by ;")
    .option("--write", "let commands write (default: they may only read)")
    .option("--json", "every response whole, as one line of JSON")
    .addHelpText(
      "after",
      examples(
        "mainspring kip notes",
        'mainspring kip notes -c "DESCRIBE PRIMER" --json',
        `mainspring kip notes -c 'FIND(?p.name) WHERE { ?p {type: "Person"} } LIMIT 5'`,
        "mainspring kip notes --write < seed.kip",
        `mainspring kip notes -c '\\plan FIND(?p) WHERE { ?p {type: "Person"} }'`,
        "mainspring kip notes -c help",
      ) + "\n\nThe exit code is 1 when a command failed; those after it are not sent.",
    );
  addClientFlags(command).action(async (space: string, flags: KipFlags) => {
    const script = flags.command ?? (process.stdin.isTTY ? null : await readAll(process.stdin));
    const need = flags.write === true ? "writes" : "reads";
    const work = async (client: ApiClient, signal: AbortSignal): Promise<void> => {
      const session = new SpaceSession(client, space, flags.write === true);
      if (script !== null) {
        const succeeded = await runScript(session, script, flags.json === true, context.output, signal);
        return succeeded ? undefined : context.exit(EXIT.failed);
      }
      const { dataDir } = readClientConfig({ ...commandEnvironment(), ...clientFlags(command) });
      const history = fileHistory(join(dataDir, "kip_history"));
      await new KipShell(session, context.output).run({ input: process.stdin, output: process.stderr }, history);
    };
    await withClient(command, context, work, need);
  });
}
