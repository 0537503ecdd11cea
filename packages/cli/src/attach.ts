/** Which server a command talks to: the one named, else the one on the data directory, else one of its own. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { ApiClient } from "@mainspring/client";
import { MainspringError, sleep, systemClock } from "@mainspring/kernel";
import { IN_MEMORY, runningServer, unknownVariables } from "@mainspring/service-kit/settings";
import type { Environment } from "@mainspring/service-kit/settings";

import type { ClientConfig } from "./config.ts";
import { commandEnvironment, readClientConfig } from "./config.ts";
import type { Output } from "./output.ts";

const HINTS = {
  unreachable: "; start one with `mainspring up`, or name another with --url",
  unauthenticated: "; give a key with --key or MAINSPRING_API_KEY",
};
const ALIVE_TIMEOUT_MS = 2_000;
/** How long a server that holds the lock may take until it tells where it is. */
const ANNOUNCE_TRIES_MAX = 100;
const ANNOUNCE_EVERY_MS = 100;

export interface Attached {
  readonly client: ApiClient;
  /** Ends the server that was started for this command, if one was. */
  close(): Promise<void>;
}

/**
 * What a command needs of a server that is started for it: `works` takes up runs, `reads` answers and accepts posts and
 * leaves every run, and so every tool, to the next server that works. `writes` is the same, where there was no data too.
 */
export type Need = "works" | "writes" | "reads";

export async function attach(flags: Environment, output: Output, need: Need): Promise<Attached> {
  const environment = { ...commandEnvironment(), ...flags };
  const config = readClientConfig(environment);
  if (config.url !== undefined) return attached(config.url, config.key ?? "");
  const running = await findRunning(config.dataDir);
  if (running !== null) return attached(running, localKey(config, environment));
  try {
    return await startOwn(environment, config, output, need);
  } catch (error) {
    if (!(error instanceof MainspringError) || error.reason !== "data_dir_in_use") throw error;
    const url = await announced(config.dataDir);
    if (url === null) throw error;
    return attached(url, localKey(config, environment));
  }
}

function attached(url: string, key: string): Attached {
  return { client: new ApiClient({ url, key, hints: HINTS }), close: async () => undefined };
}

/** URL of the server that was announced in the data directory, when it still answers. */
export async function findRunning(dataDir: string): Promise<string | null> {
  const server = dataDir === IN_MEMORY ? null : runningServer(dataDir);
  if (server === null) return null;
  const client = new ApiClient({ url: server.url, key: "" });
  return await client.get("/livez", { timeoutMs: ALIVE_TIMEOUT_MS }).then(
    () => server.url,
    () => null,
  );
}

/** The lock is taken, so its holder is about to announce itself. */
async function announced(dataDir: string): Promise<string | null> {
  for (let tries = 0; tries < ANNOUNCE_TRIES_MAX; tries += 1) {
    const url = await findRunning(dataDir);
    if (url !== null) return url;
    await sleep(systemClock, ANNOUNCE_EVERY_MS);
  }
  return null;
}

/** Never sent to a server that was named by URL. */
function localKey(config: ClientConfig, environment: Environment): string {
  return config.key ?? environment["MAINSPRING_ADMIN_KEY"] ?? readAdminKey(config.dataDir) ?? "";
}

/** Null where there is none yet. */
export function readAdminKey(dataDir: string): string | null {
  const file = join(dataDir, "admin-key");
  const key = statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, "utf8").trim() : "";
  return key === "" ? null : key;
}

async function startOwn(environment: Environment, config: ClientConfig, output: Output, need: Need): Promise<Attached> {
  if (need === "reads" && !existsSync(join(config.dataDir, "mainspring.db"))) {
    throw new MainspringError(
      "failed_precondition",
      `no server is running and there is no data in ${resolve(config.dataDir)}; start a server with \`mainspring up\`, or name one with --url or --data-dir`,
      { reason: "no_server" },
    );
  }
  // Loaded only here: a command that finds its server does without the services.
  const { readEmbeddedConfig, startEmbedded } = await import("./index.ts");
  const own = { PORT: "0", HOST: "127.0.0.1", MAINSPRING_LOG_LEVEL: environment["MAINSPRING_LOG_LEVEL"] ?? "error" };
  const settings = readEmbeddedConfig({ ...environment, ...own });
  for (const sentence of unknownVariables(environment)) output.err(`mainspring: ${sentence}\n`);
  const embedded = await startEmbedded(settings, { works: need === "works" });
  const where = config.dataDir === IN_MEMORY ? "in memory: nothing is kept" : resolve(config.dataDir);
  output.err(`${output.dim(`no server is running, so one was started for this command (data: ${where})`)}\n`);
  const client = new ApiClient({ url: embedded.url, key: config.key ?? embedded.adminKey.secret, hints: HINTS });
  return { client, close: () => embedded.stop() };
}
