/** The command line: its commands, and how failures become exit codes. */
import { readFileSync } from "node:fs";

import { MainspringError } from "@mainspring/kernel";
import { Command, CommanderError } from "commander";

import { chatCommand } from "./commands/chat.ts";
import type { CommandContext } from "./commands/context.ts";
import { EXIT } from "./commands/context.ts";
import { cwtCommand } from "./commands/cwt.ts";
import { evalCommand } from "./commands/eval.ts";
import { keysCommand } from "./commands/keys.ts";
import { kipCommand } from "./commands/kip.ts";
import { recallCommand, rememberCommand } from "./commands/memory.ts";
import { runCommand } from "./commands/run.ts";
import { cancelCommand, eventsCommand, sessionsCommand } from "./commands/sessions.ts";
import { spaceCommand, spacesCommand } from "./commands/space.ts";
import { traceCommand } from "./commands/trace.ts";
import type { Output } from "./output.ts";

const manifest = new URL("../package.json", import.meta.url);

/** Runs the command line. Returns the exit code; a server goes on after that. */
export async function runProgram(args: readonly string[], output: Output): Promise<number> {
  let code: number = EXIT.ok;
  try {
    const program = await createProgram(args, { output, exit: (given) => void (code = given) });
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    return failure(error, output);
  }
}

/**
 * Commands that know every service: loaded only when they are meant, so that the others start at once. Their flags
 * are the services' variables.
 */
const SERVER_COMMANDS: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Loaded> }>> = {
  up: {
    about: "Starts the whole server in one process. With Redis and MongoDB by URL it shares them with others.",
    load: () => import("./commands/up.ts"),
  },
  serve: {
    about: "Runs one service alone, on a Redis and a MongoDB that it shares with the others.",
    load: () => import("./commands/serve.ts"),
  },
  doctor: {
    about: "Says what a server on this machine would miss and how to get it. Exit code 1 when it could not work.",
    load: () => import("./commands/doctor.ts"),
  },
};

interface Loaded {
  readonly defineCommand: (command: Command, context: CommandContext) => void;
}

async function createProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const { output } = context;
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const program = new Command("mainspring")
    .description("A durable, distributed runtime for AI agents.")
    .version(version, "-V, --version", "print the version")
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError("Add --help for what there is.")
    .exitOverride();
  for (const [name, { about, load }] of Object.entries(SERVER_COMMANDS)) {
    const command = program.command(name).description(about);
    if (args.includes(name)) (await load()).defineCommand(command, context);
  }
  runCommand(program, context);
  chatCommand(program, context);
  sessionsCommand(program, context);
  eventsCommand(program, context);
  cancelCommand(program, context);
  traceCommand(program, context);
  keysCommand(program, context);
  spaceCommand(program, context);
  spacesCommand(program, context);
  kipCommand(program, context);
  recallCommand(program, context);
  rememberCommand(program, context);
  cwtCommand(program, context);
  evalCommand(program, context);
  return program;
}

function failure(error: unknown, output: Output): number {
  // Commander has said what was wrong; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof MainspringError)) {
    output.err(`mainspring: unexpected failure: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failed;
  }
  if (error.reason === "invalid_configuration") {
    output.err(`${error.message}\n`);
    return EXIT.configuration;
  }
  output.err(`mainspring: ${error.message}\n`);
  return EXIT.failed;
}
