/** `mainspring keys`: who may use the server. */
import type { KeyView, ListPage } from "@mainspring/client";
import { Option } from "commander";
import type { Command } from "commander";

import { table } from "../output.ts";
import { addClientFlags, examples, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const KEYS_MAX = 1_000;

export function keysCommand(program: Command, context: CommandContext): void {
  const keys = program
    .command("keys")
    .description("Creates, lists and revokes API keys. It needs an admin key.")
    .addHelpText(
      "after",
      examples("mainspring keys create --name laptop", "mainspring keys list", "mainspring keys revoke key_…"),
    );
  createKey(keys, context);
  listKeys(keys, context);
  revokeKey(keys, context);
}

interface CreateFlags {
  readonly name: string;
  readonly tenant?: string;
  readonly admin?: boolean;
  readonly space?: readonly string[];
  readonly json?: boolean;
}

function createKey(keys: Command, { output, exit }: CommandContext): void {
  const command = keys
    .command("create")
    .description("Creates a key and prints it, once: only its hash is kept.")
    .option("--name <text>", "what it is for", "")
    .option(
      "--tenant <name>",
      "whose sessions it sees (default: the tenant of your key; others by the operator's only)",
    )
    .option("--admin", "it may manage keys and Spaces")
    .addOption(
      new Option(
        "--space <right...>",
        "it may do just this to its tenant's Spaces (default: read and write, which * is too; `kip --write` and managing Spaces take --admin)",
      ).choices(["read", "write", "*"]),
    )
    .option("--json", "the key with its id as JSON")
    .addHelpText(
      "after",
      examples(
        "mainspring keys create --name laptop",
        "mainspring keys create --tenant acme --name production",
        "mainspring keys create --name dashboard --space read",
      ),
    );
  addClientFlags(command).action((flags: CreateFlags) =>
    withClient(command, { output, exit }, async (client, signal) => {
      const { name, tenant } = flags;
      const scopes = [
        ...(flags.admin === true ? ["admin"] : []),
        ...(flags.space ?? []).map((right) => `space:${right}`),
      ];
      const key = await client.post<KeyView>("/v1/keys", { name, tenant, scopes }, { signal });
      if (flags.json === true) return output.out(`${JSON.stringify(key)}\n`);
      output.err(`${output.dim(`${key.id}, tenant ${key.tenant}; shown once:`)}\n`);
      output.out(`${key.key ?? ""}\n`);
    }),
  );
}

function listKeys(keys: Command, { output, exit }: CommandContext): void {
  const command = keys
    .command("list")
    .description("Lists keys, the latest first.")
    .option("--limit <n>", "how many", wholeNumber(1, KEYS_MAX), 100)
    .option("--json", "one JSON object a line")
    .addHelpText("after", examples("mainspring keys list"));
  addClientFlags(command).action((flags: { limit: number; json?: boolean }) =>
    withClient(command, { output, exit }, async (client, signal) => {
      const { data } = await client.get<ListPage<KeyView>>("/v1/keys", {
        query: { limit: String(flags.limit) },
        signal,
      });
      if (flags.json === true) return output.out(data.map((key) => `${JSON.stringify(key)}\n`).join(""));
      if (data.length === 0)
        return output.err("there are no keys but the admin key; `mainspring keys create` makes one\n");
      const rows = data.map((key) => [
        key.id,
        key.tenant,
        key.scopes.join(",") || "-",
        key.revoked_at === null ? "valid" : "revoked",
        key.created_at,
        key.name,
      ]);
      output.out(table(["KEY", "TENANT", "SCOPES", "STATE", "CREATED", "NAME"], rows));
    }),
  );
}

function revokeKey(keys: Command, { output, exit }: CommandContext): void {
  const command = keys
    .command("revoke")
    .description("Makes a key invalid, for good.")
    .argument("<id>", "id of the key, key_…")
    .addHelpText("after", examples("mainspring keys revoke key_…"));
  addClientFlags(command).action((id: string) =>
    withClient(command, { output, exit }, async (client) => {
      await client.delete(`/v1/keys/${encodeURIComponent(id)}`);
      output.out(`${id} is revoked\n`);
    }),
  );
}
