/** `mainspring space`: Spaces themselves, and who may use them. */
import { spacePath } from "@mainspring/client";
import type { ListPage, SpaceView, VerificationView } from "@mainspring/client";
import type { Command } from "commander";

import { brief, table } from "../output.ts";
import type { Output } from "../output.ts";
import { addClientFlags, examples, EXIT, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";
import { dumpCommand, loadCommand } from "./dump-and-load.ts";
import { deleteCommand, TIER_MAX, updateCommand } from "./space-changes.ts";
import { tokensCommand } from "./space-tokens.ts";

const SPACES_PAGE_MAX = 200;
const SHARD_MAX = 65_535;
const DESCRIPTION_CHARS = 60;

export function spaceCommand(program: Command, context: CommandContext): void {
  const space = program
    .command("space")
    .description(
      "Creates, lists, changes, moves, saves, checks and removes Spaces, the long-term memory. Most of it needs an admin key.",
    )
    .addHelpText(
      "after",
      examples(
        "mainspring space create notes",
        "mainspring space list",
        "mainspring space dump notes notes.dump",
        "mainspring space tokens notes --add dashboard --scope read",
      ),
    );
  createCommand(space, context);
  listCommand(space.command("list"), context);
  showCommand(space, context);
  updateCommand(space, context);
  moveCommand(space, context);
  verifyCommand(space, context);
  dumpCommand(space, context);
  loadCommand(space, context);
  tokensCommand(space, context);
  deleteCommand(space, context);
}

interface CreateFlags {
  readonly owner?: string;
  readonly tier?: number;
  readonly shard?: number;
  readonly json?: boolean;
}

function createCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("create")
    .description("Makes a Space.")
    .argument("<id>", "1 to 64 of a-z, 0-9 and _")
    .option("--owner <principal>", "whose it is (default: who has the key)")
    .option(
      "--tier <n>",
      "formation takes up to 10^(tier+2) concepts or conversations (default: 2)",
      wholeNumber(0, TIER_MAX),
    )
    .option("--shard <n>", "where it goes (default: the least loaded one)", wholeNumber(0, SHARD_MAX))
    .option("--json", "the Space as JSON")
    .addHelpText(
      "after",
      examples("mainspring space create notes", "mainspring space create team --owner ana --tier 3"),
    );
  addClientFlags(command).action((id: string, { json, ...flags }: CreateFlags) => {
    const { owner, tier, shard } = flags;
    return withClient(
      command,
      context,
      async (client, signal) => {
        const body = { id, owner, tier, shard };
        const made = await client.post<SpaceView>("/v1/spaces", body, { signal });
        context.output.out(json === true ? `${JSON.stringify(made)}\n` : `${made.id}\n`);
      },
      "writes",
    );
  });
}

/** `mainspring spaces`, as with sessions: the list. */
export function spacesCommand(program: Command, context: CommandContext): void {
  listCommand(program.command("spaces"), context);
}

function listCommand(bare: Command, context: CommandContext): void {
  const command = bare
    .description("Lists Spaces by id.")
    .option("--limit <n>", "how many", wholeNumber(1, SPACES_PAGE_MAX), 20)
    .option("--after <cursor>", "go on after a page, with the cursor that it ended with", "")
    .option("--json", "one JSON object a line")
    .addHelpText("after", examples("mainspring space list", "mainspring space list --json"));
  addClientFlags(command).action((flags: { limit: number; after: string; json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const query = { limit: String(flags.limit), after: flags.after };
      const page = await client.get<ListPage<SpaceView>>("/v1/spaces", { query, signal });
      printSpaces(page, flags.json === true, context.output);
    }),
  );
}

function printSpaces({ data, next }: ListPage<SpaceView>, asJson: boolean, output: Output): void {
  if (asJson) {
    for (const space of data) output.out(`${JSON.stringify(space)}\n`);
  } else if (data.length === 0) {
    output.err("there are no Spaces yet; `mainspring space create` makes one\n");
  } else {
    const rows = data.map((space) => [
      space.id,
      space.owner,
      space.public ? "public" : "private",
      String(space.tier),
      String(space.shard),
      space.created_at,
      brief(space.name === "" ? space.description : space.name, DESCRIPTION_CHARS),
    ]);
    output.out(table(["SPACE", "OWNER", "READERS", "TIER", "SHARD", "CREATED", "NAME"], rows));
  }
  if (next !== null) output.err(`${output.dim(`more: --after ${next}`)}\n`);
}

function showCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("show")
    .description("Prints what a Space is and how much is in it, as JSON.")
    .argument("<id>", "id of the Space")
    .addHelpText("after", examples("mainspring space show notes"));
  addClientFlags(command).action((id: string) =>
    withClient(command, context, async (client, signal) => {
      const { result } = await client.get<{ result: object }>(spacePath(id, "/info"), { signal });
      context.output.out(`${JSON.stringify(result, null, 2)}\n`);
    }),
  );
}

function moveCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("move")
    .description("Hands a Space to another shard.")
    .argument("<id>", "id of the Space")
    .argument("<shard>", "number of the shard", wholeNumber(0, SHARD_MAX))
    .addHelpText("after", examples("mainspring space move notes 2"));
  addClientFlags(command).action((id: string, shard: number) =>
    withClient(command, context, async (client, signal) => {
      const moved = await client.post<SpaceView>(spacePath(id, "/move"), { shard }, { signal });
      context.output.out(`${moved.id} is on shard ${moved.shard}\n`);
    }),
  );
}

function verifyCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("verify")
    .description("Compares the database of a Space with its record log. Exit code 1 when they differ.")
    .argument("<id>", "id of the Space")
    .option("--json", "the findings as JSON")
    .addHelpText("after", examples("mainspring space verify notes"));
  addClientFlags(command).action((id: string, { json }: { json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const { output, exit } = context;
      const options = { signal, timeoutMs: VERIFY_TIMEOUT_MS };
      const found = await client.post<VerificationView>(spacePath(id, "/verify"), {}, options);
      if (json === true) output.out(`${JSON.stringify(found)}\n`);
      else if (found.equal) output.out(`${id} is whole: ${found.rows} rows\n`);
      else output.out(`${[`${id} differs`, ...found.differences].join("\n  ")}\n`);
      if (!found.equal) exit(EXIT.failed);
    }),
  );
}

/** A large Space takes minutes to compare. */
const VERIFY_TIMEOUT_MS = 600_000;
