/** `mainspring up`: every service in this process, until a signal. */
import { join, resolve } from "node:path";

import { commonVariables, endOnStray, IN_MEMORY, stopOnSignals, warnOfUnknown } from "@mainspring/service-kit";
import type { Environment } from "@mainspring/service-kit";
import type { Command } from "commander";

import { commandEnvironment } from "../config.ts";
import type { Embedded } from "../embedded.ts";
import { startEmbedded } from "../embedded.ts";
import { addEmbeddedFlags } from "../flags.ts";
import type { Output } from "../output.ts";
import { readEmbeddedConfig } from "../server-config.ts";
import type { EmbeddedConfig } from "../server-config.ts";
import { examples } from "./context.ts";
import type { CommandContext } from "./context.ts";

const DATA_DIR_DEFAULT = commonVariables.dataDir.schema.parse(undefined);

export function defineCommand(command: Command, { output }: CommandContext): void {
  command.addHelpText(
    "after",
    examples(
      "mainspring up",
      "mainspring up --port 9000 --data-dir /var/lib/mainspring",
      "mainspring up --data-dir memory --log-level warn",
      "mainspring up --redis-url redis://127.0.0.1 --mongo-url mongodb://127.0.0.1",
    ) + "\n\nEvery flag is also a variable, named in brackets; a .env file of the working directory is read.",
  );
  const given = addEmbeddedFlags(command);
  command.action(() => up(given(), output));
}

async function up(flags: Environment, output: Output): Promise<void> {
  const environment = { ...commandEnvironment(), ...flags };
  const config = readEmbeddedConfig(environment);
  warnOfUnknown(environment, "mainspring", config.gateway.logLevel);
  const embedded = await startEmbedded(config);
  endOnStray(embedded.logger);
  stopOnSignals(embedded.logger, () => embedded.stop());
  output.out(banner(embedded, config));
}

function banner(embedded: Embedded, { gateway }: EmbeddedConfig): string {
  const { url, adminKey, grpc } = embedded;
  const { dataDir, mongoUrl } = gateway;
  const found = mongoUrl === undefined && dataDir !== IN_MEMORY;
  const where = found
    ? dataDir === DATA_DIR_DEFAULT
      ? ""
      : ` --data-dir ${dataDir}`
    : ` --url ${url}${keyFlag(gateway)}`;
  const kept = dataDir === IN_MEMORY ? "in memory, nothing is kept" : resolve(dataDir);
  return [
    `Mainspring is at ${url}`,
    `  data: ${mongoUrl === undefined ? kept : "MongoDB and Redis"}`,
    ...Object.entries(grpc).map(([service, address]) => `  gRPC of ${service}: ${address}`),
    ...(adminKey.isNew ? [`  admin key (shown once): ${adminKey.secret}`] : []),
    "",
    "Try, in another terminal:",
    `  curl ${url}/v1/responses${keyHeader(gateway)} -d '{"model":"agent/script","input":"hello"}'`,
    `  npx mainspring run${where} "What can you do?"`,
    `  npx mainspring sessions${where}`,
    "",
    "",
  ].join("\n");
}

type Gateway = EmbeddedConfig["gateway"];

function keyHeader(gateway: Gateway): string {
  return gateway.auth === "off" ? "" : ` -H "authorization: Bearer ${shellKey(gateway)}"`;
}

function keyFlag(gateway: Gateway): string {
  return gateway.auth === "off" ? "" : ` --key "${shellKey(gateway)}"`;
}

/** How a shell gets at the key, so that it stands in no history. */
function shellKey({ adminKey, dataDir }: Gateway): string {
  if (adminKey !== undefined) return "$MAINSPRING_ADMIN_KEY";
  return dataDir === IN_MEMORY ? "<the admin key>" : `$(cat ${join(dataDir, "admin-key")})`;
}
