/** `mainspring space update` and `mainspring space delete`. */
import { Spaces } from "@mainspring/client";
import type { SpaceChange, SpaceView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import { Option } from "commander";
import type { Command } from "commander";

import { confirmed } from "../confirmed.ts";
import { addClientFlags, examples, EXIT, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

export const TIER_MAX = 12;

interface UpdateFlags {
  readonly name?: string;
  readonly description?: string;
  readonly public?: "on" | "off";
  readonly tier?: number;
  readonly json?: boolean;
}

export function updateCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("update")
    .description("Changes what a Space is called, who may read it, and how much it takes.")
    .argument("<id>", "id of the Space")
    .option("--name <text>", "its name; empty for none")
    .option("--description <text>", "what it is for; empty for none")
    .addOption(new Option("--public <on|off>", "whether anybody may read it").choices(["on", "off"]))
    .option("--tier <n>", "formation takes up to 10^(tier+2) concepts or conversations", wholeNumber(0, TIER_MAX))
    .option("--json", "the Space as JSON")
    .addHelpText(
      "after",
      examples("mainspring space update notes --tier 3", 'mainspring space update notes --name "Garden" --public on'),
    );
  addClientFlags(command).action((id: string, flags: UpdateFlags) =>
    withClient(command, context, async (client, signal) => {
      const change = changeOf(flags);
      if (Object.keys(change).length === 0) {
        throw new MainspringError("invalid_argument", "say what to change: --name, --description, --public or --tier");
      }
      const changed = await new Spaces(client).update(id, change, { signal });
      context.output.out(flags.json === true ? `${JSON.stringify(changed)}\n` : `${described(changed)}\n`);
    }),
  );
}

function changeOf({ name, description, public: open, tier }: UpdateFlags): SpaceChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(open === undefined ? {} : { public: open === "on" }),
    ...(tier === undefined ? {} : { tier }),
  };
}

function described({ id, name, description, public: open, tier }: SpaceView): string {
  const called = [name, description].filter((text) => text !== "").map((text) => JSON.stringify(text));
  return `${id} is ${[open ? "public" : "private", `of tier ${tier}`, ...called].join(", ")}`;
}

export function deleteCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("delete")
    .description("Removes a Space with everything in it, for good. Its name is free again.")
    .argument("<id>", "id of the Space")
    .option("--yes", "do not ask")
    .addHelpText("after", examples("mainspring space delete notes", "mainspring space delete notes --yes"));
  addClientFlags(command).action((id: string, { yes }: { yes?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const { output, exit } = context;
      const question = `Remove the Space ${id} with everything in it, for good? [y/N] `;
      if (yes !== true && !(await confirmed(question, process.stdin, process.stderr, signal))) {
        output.err(`${id} stays\n`);
        return exit(EXIT.failed);
      }
      await new Spaces(client).delete(id, { signal });
      output.out(`${id} is removed\n`);
    }),
  );
}
