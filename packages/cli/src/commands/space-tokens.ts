/** `mainspring space tokens`: who may use a Space by token. */
import { spacePath } from "@mainspring/client";
import type { ApiClient, SpaceTokenView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import { Option } from "commander";
import type { Command } from "commander";

import { table } from "../output.ts";
import { addClientFlags, examples, EXIT, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const LIFE_S_MAX = 10 * 365 * 86_400;

interface TokensFlags {
  readonly add?: string;
  readonly scope: string;
  readonly label?: readonly string[];
  readonly unlabelled?: boolean;
  readonly expiresIn?: number;
  readonly revoke?: string;
  readonly json?: boolean;
}

export function tokensCommand(space: Command, context: CommandContext): void {
  const command = space
    .command("tokens")
    .description("Lists the tokens of a Space, makes one, or revokes one. A token is shown once, when it is made.")
    .argument("<id>", "id of the Space")
    .option("--add <name>", "make a token of this name")
    .addOption(
      new Option(
        "--scope <right>",
        "what it allows; * is read and write, and still neither `kip --write` nor managing the Space: those take a CWT or an admin key",
      )
        .choices(["read", "write", "*"])
        .default("read"),
    )
    .option(
      "--label <label...>",
      "labels that it is bound to, with scope read only; the memory has none yet, so it reads none of it",
    )
    .option("--unlabelled", "it is bound to what has no label of its own, so it reads none of the memory")
    .option("--expires-in <seconds>", "how long it is valid (default: for good)", wholeNumber(1, LIFE_S_MAX))
    .option("--revoke <name>", "revoke the token of this name")
    .option("--json", "one JSON object a line")
    .addHelpText(
      "after",
      examples(
        "mainspring space tokens notes",
        "mainspring space tokens notes --add dashboard --scope read --expires-in 86400",
        "mainspring space tokens notes --revoke dashboard",
      ),
    );
  addClientFlags(command).action((id: string, flags: TokensFlags) =>
    withClient(command, context, (client, signal) => tokens(client, signal, context, id, flags)),
  );
}

async function tokens(
  client: ApiClient,
  signal: AbortSignal,
  context: CommandContext,
  id: string,
  flags: TokensFlags,
): Promise<void> {
  if (flags.add !== undefined && flags.revoke !== undefined) {
    throw new MainspringError("invalid_argument", "give --add or --revoke, not both");
  }
  const path = spacePath(id, "/management");
  if (flags.add !== undefined) return add(client, signal, context, path, flags);
  if (flags.revoke !== undefined) return revoke(client, signal, context, path, flags.revoke);
  const { result } = await client.get<{ result: readonly SpaceTokenView[] }>(`${path}/space_tokens`, { signal });
  list(result, flags.json === true, context);
}

function list(tokens: readonly SpaceTokenView[], asJson: boolean, { output }: CommandContext): void {
  if (asJson) return output.out(tokens.map((token) => `${JSON.stringify(token)}\n`).join(""));
  if (tokens.length === 0) return output.err("there are no tokens; --add makes one\n");
  const rows = tokens.map(({ token, name, scope, usage, expires_at, labels }) => [
    token,
    scope,
    String(usage),
    expires_at === undefined ? "never" : new Date(expires_at).toISOString(),
    labels === undefined ? "all" : ["(none)", ...labels].join(","),
    name,
  ]);
  output.out(table(["TOKEN", "SCOPE", "USED", "EXPIRES", "LABELS", "NAME"], rows));
}

async function add(
  client: ApiClient,
  signal: AbortSignal,
  { output }: CommandContext,
  path: string,
  { add: name, scope, label, unlabelled, expiresIn, json }: TokensFlags,
): Promise<void> {
  const body = {
    name,
    scope,
    ...(expiresIn === undefined ? {} : { expires_at: Date.now() + expiresIn * 1000 }),
    ...(label === undefined && unlabelled !== true ? {} : { labels: label ?? [] }),
  };
  const { result } = await client.post<{ result: SpaceTokenView }>(`${path}/add_space_token`, body, { signal });
  if (json === true) return output.out(`${JSON.stringify(result)}\n`);
  output.err(`${output.dim(`${result.name}, ${result.scope}; shown once:`)}\n`);
  output.out(`${result.token}\n`);
}

async function revoke(
  client: ApiClient,
  signal: AbortSignal,
  { output, exit }: CommandContext,
  path: string,
  name: string,
): Promise<void> {
  const { result } = await client.post<{ result: boolean }>(`${path}/revoke_space_token`, { name }, { signal });
  if (result) return output.out(`${name} is revoked\n`);
  output.err(`there is no token ${name}\n`);
  exit(EXIT.failed);
}
