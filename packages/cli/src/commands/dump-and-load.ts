/** `mainspring space dump` and `mainspring space load`. */
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

import { spacePath } from "@mainspring/client";
import type { SpaceView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import type { Command } from "commander";

import { addClientFlags, examples, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

export function dumpCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("dump")
    .description("Saves a whole Space, for `space load`. Its tokens are not in it.")
    .argument("<id>", "id of the Space")
    .argument("<file>", "where it goes; - is standard output")
    .addHelpText(
      "after",
      examples("mainspring space dump notes notes.dump", "mainspring space dump notes - | gzip > notes.dump.gz"),
    );
  addClientFlags(command).action((id: string, file: string) =>
    withClient(command, context, async (client, signal) => {
      const bytes = client.download(spacePath(id, "/dump"), signal);
      if (file !== "-") return save(bytes, file);
      for await (const part of bytes) {
        if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once("drain", resolve));
      }
    }),
  );
}

/** Under its name only when it is whole. */
async function save(bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  if (existsSync(file)) throw new MainspringError("already_exists", `${file} is there already`);
  const part = `${file}.part`;
  try {
    await pipeline(bytes, createWriteStream(part, { mode: 0o600, flush: true }));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

export function loadCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("load")
    .description("Makes a Space from a dump. It has no tokens; `space tokens <id> --add` makes new ones.")
    .argument("<id>", "id of the new Space")
    .argument("<file>", "the dump; - reads it from standard input")
    .option("--owner <principal>", "whose it is (default: who has the key)", "")
    .option("--json", "the Space as JSON")
    .addHelpText(
      "after",
      examples(
        "mainspring space load notes_copy notes.dump",
        "gunzip -c notes.dump.gz | mainspring space load notes -",
      ),
    );
  addClientFlags(command).action((id: string, file: string, { owner, json }: { owner: string; json?: boolean }) =>
    withClient(
      command,
      context,
      async (client, signal) => {
        if (file !== "-") await stat(file).catch(unreadable(file));
        const bytes = file === "-" ? process.stdin : createReadStream(file);
        const made = await client.upload<SpaceView>(spacePath(id, "/load"), bytes, { signal, query: { owner } });
        context.output.out(json === true ? `${JSON.stringify(made)}\n` : `${made.id}\n`);
        context.output.err(
          `no tokens come with a dump; \`mainspring space tokens ${made.id} --add <name>\` makes one\n`,
        );
      },
      "writes",
    ),
  );
}

function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new MainspringError("failed_precondition", `${file} cannot be read`, { cause });
  };
}
