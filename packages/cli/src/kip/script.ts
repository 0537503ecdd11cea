/** Commands that were given or piped: one after the other, until one fails. */
import { MainspringError } from "@mainspring/kernel";

import type { Output } from "../output.ts";
import { isShellCommand, runShellCommand } from "./shell-command.ts";
import { printBeliefs, printResponse, tellHowToWrite } from "./print.ts";
import type { SpaceSession } from "./space-session.ts";
import { splitScript } from "./statement.ts";

/** False when a command failed; those after it are not sent. */
export async function runScript(
  session: SpaceSession,
  script: string,
  asJson: boolean,
  output: Output,
  signal: AbortSignal,
): Promise<boolean> {
  const commands = splitScript(script);
  if (commands.length === 0) throw new MainspringError("invalid_argument", "there is no command to send");
  const settings = { asJson, symbols: () => session.symbols() };
  for (const command of commands) {
    if (isShellCommand(command)) {
      const done = await runShellCommand(command, session, settings, output, signal);
      if (done !== "on") return done === "quit";
      continue;
    }
    const response = await session.run(command, signal);
    const succeeded = printResponse(response, command, settings.asJson, output);
    if (!succeeded) {
      tellHowToWrite(response, output);
      return false;
    }
    if (!settings.asJson) await printBeliefs(response, session, output);
  }
  return true;
}
