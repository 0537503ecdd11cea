/** `mainspring chat`. */
import { join } from "node:path";

import type { Command } from "commander";

import { ChatShell } from "../chat/shell.ts";
import { Conversation } from "../chat/conversation.ts";
import { commandEnvironment, readClientConfig } from "../config.ts";
import { fileHistory } from "../history.ts";
import { addClientFlags, clientFlags, examples, EXIT, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const AGENT_DEFAULT = "assistant";

interface ChatFlags {
  readonly agent?: string;
  readonly model?: string;
  readonly session?: string;
}

export function chatCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("chat")
    .description("Talks with an agent: what you type while it works steers it, Ctrl-C stops it, Ctrl-D leaves.")
    .option("--agent <name>", "agent that answers (default: the session's, else assistant)")
    .option("--model <name>", "model in place of the agent's own")
    .option("--session <id>", "session to continue (default: a new one)")
    .addHelpText(
      "after",
      examples(
        "mainspring chat",
        "mainspring chat --agent librarian",
        "mainspring chat --session ses_…",
        "mainspring chat --agent script < questions.txt",
      ) +
        "\n\nFrom a pipe each line waits for the answer before; the exit code is 1 when a turn failed, or none was run.",
    );
  addClientFlags(command).action((flags: ChatFlags) =>
    withClient(
      command,
      context,
      async (client) => {
        const { session, model } = flags;
        const agent = flags.agent ?? (session === undefined ? AGENT_DEFAULT : undefined);
        const { dataDir } = readClientConfig({ ...commandEnvironment(), ...clientFlags(command) });
        const isInteractive = process.stdin.isTTY === true;
        const shell = new ChatShell(new Conversation(client, { agent, model, session }), context.output);
        const terminal = { input: process.stdin, output: process.stderr, isInteractive };
        await shell.run(terminal, fileHistory(join(dataDir, "chat_history")));
        if (!isInteractive && (shell.failed > 0 || shell.completed === 0)) context.exit(EXIT.failed);
      },
      "works",
    ),
  );
}
