/** `mainspring recall` and `mainspring remember`. */
import { text as readAll } from "node:stream/consumers";

import { spacePath } from "@mainspring/client";
import type { MemoryView, RecallView, RememberedView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import type { Command } from "commander";

import { brief } from "../output.ts";
import { printDoubts } from "../kip/print.ts";
import { SpaceSession } from "../kip/space-session.ts";
import { addClientFlags, examples, EXIT, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const MEMORIES_MAX = 50;
const SOURCE_CHARS_MAX = 60;

export function recallCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("recall")
    .description(
      "Prints the passages of a Space that fit a query best, with what they come from. Exit code 1 for none.",
    )
    .argument("<space>", "id of the Space")
    .argument("<query>", "what to recall")
    .option("--limit <n>", "how many", wholeNumber(1, MEMORIES_MAX), 8)
    .option("--json", "one JSON object a line")
    .addHelpText(
      "after",
      examples('mainspring recall notes "where does Ana live"', "mainspring recall notes coffee --json"),
    );
  addClientFlags(command).action((space: string, query: string, flags: { limit: number; json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const { output, exit } = context;
      const asked = { query, limit: String(flags.limit) };
      const { data } = await client.get<RecallView>(spacePath(space, "/memories"), { query: asked, signal });
      if (flags.json === true) output.out(data.map((memory) => `${JSON.stringify(memory)}\n`).join(""));
      else {
        output.out(data.map((memory) => shown(memory)).join("\n"));
        const doubtful = data.filter(isDoubtful).map(({ entity }) => entity);
        await printDoubts(doubtful, new SpaceSession(client, space, false), output);
      }
      if (data.length > 0) return;
      output.err("nothing is known of it\n");
      exit(EXIT.failed);
    }),
  );
}

/** What is claimed and not simply believed ends with the status of the belief. */
function isDoubtful({ type, text }: MemoryView): boolean {
  return type === "Proposition" && /\((contested|uncertain)\)$/.test(text ?? "");
}

function shown(memory: MemoryView): string {
  const { entity, type, name, confidence, source, created_at, text } = memory;
  // How sure one claim is says nothing where claims exclude each other; they are listed below.
  const sure = confidence === undefined || isDoubtful(memory) ? undefined : `confidence ${confidence}`;
  const by = source === undefined || source === "" ? undefined : `by ${brief(source, SOURCE_CHARS_MAX)}`;
  const about = [entity, type, by, sure, created_at].filter((part) => part !== undefined);
  return `${text ?? name ?? entity}\n  [${about.join(", ")}]\n`;
}

export function rememberCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("remember")
    .description("Keeps a text in a Space as evidence, and prints what holds it.")
    .argument("<space>", "id of the Space")
    .argument("<text>", "what to keep; - reads it from standard input")
    .option("--user <name>", "who said it (default: who has the key)")
    .option("--idempotency-key <key>", "a repeated key keeps nothing twice")
    .option("--json", "the answer as JSON")
    .addHelpText(
      "after",
      examples(
        'mainspring remember notes "Ana moved to Lisbon."',
        "mainspring remember notes --user ana - < letter.txt",
      ),
    );
  addClientFlags(command).action((space: string, given: string, flags: RememberFlags) =>
    withClient(
      command,
      context,
      async (client, signal) => {
        const text = given === "-" ? await readAll(process.stdin) : given;
        if (text.trim() === "") throw new MainspringError("invalid_argument", "the text is empty; say what to keep");
        const { user, idempotencyKey, json } = flags;
        const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
        const body = { text, ...(user === undefined ? {} : { user }) };
        const kept = await client.post<RememberedView>(spacePath(space, "/memories"), body, { signal, headers });
        context.output.out(json === true ? `${JSON.stringify(kept)}\n` : `${kept.entities.join("\n")}\n`);
      },
      "writes",
    ),
  );
}

interface RememberFlags {
  readonly user?: string;
  readonly idempotencyKey?: string;
  readonly json?: boolean;
}
