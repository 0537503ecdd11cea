/** What a server needs of its machine, looked at one by one. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import { IN_MEMORY, lockDataDir, MongoConnection, RedisBus, runningServer } from "@mainspring/service-kit";
import type { Environment } from "@mainspring/service-kit";

import { findRunning, readAdminKey } from "../client/attach.ts";
import { readEmbeddedConfig } from "../server-config.ts";
import type { EmbeddedConfig } from "../server-config.ts";

const NODE_MAJOR_MIN = 24;
const REACH_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;

export interface Finding {
  readonly name: string;
  /** `note`: works without, but less well. `missing`: a server does not start or not work. */
  readonly state: "ok" | "note" | "missing";
  readonly detail: string;
  /** How to mend it; empty when there is nothing to mend. */
  readonly remedy: string;
}

type Look = Omit<Finding, "name">;

const ok = (detail: string): Look => ({ state: "ok", detail, remedy: "" });
const note = (detail: string, remedy: string): Look => ({ state: "note", detail, remedy });
const missing = (detail: string, remedy: string): Look => ({ state: "missing", detail, remedy });

export async function examine(environment: Environment): Promise<Finding[]> {
  const findings: Finding[] = [{ name: "Node", ...lookAtNode(process.versions.node) }];
  let config: EmbeddedConfig;
  try {
    config = readEmbeddedConfig(environment);
  } catch (error) {
    const problems = MainspringError.from(error).message.split("\n");
    return [...findings, ...problems.map((line) => ({ name: "configuration", ...missing(line, "correct the value") }))];
  }
  const { gateway, modelRouter } = config;
  const running = await findRunning(gateway.dataDir);
  findings.push({ name: "bubblewrap", ...lookAtSandbox() });
  findings.push({ name: "data directory", ...lookAtData(gateway.dataDir, running) });
  findings.push({ name: "port", ...(await lookAtPort(gateway.host, gateway.port, running)) });
  findings.push({ name: "admin key", ...lookAtKey(gateway) });
  findings.push({ name: "model", ...lookAtModel(modelRouter) });
  findings.push({ name: "Redis", ...(await lookAtRedis(gateway)) });
  findings.push({ name: "MongoDB", ...(await lookAtMongo(gateway)) });
  return findings;
}

export function lookAtNode(version: string): Look {
  const major = Number(version.split(".")[0]);
  if (major >= NODE_MAJOR_MIN) return ok(version);
  return missing(`${version}, and ${NODE_MAJOR_MIN} is needed`, "`npm ci` brings one along on Linux; else nodejs.org");
}

function lookAtSandbox(): Look {
  if (process.platform !== "linux") {
    return note(`none on ${process.platform}: tools run without a sandbox`, "run on Linux to have one");
  }
  const args = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "true"];
  const tried = spawnSync("bwrap", args, { timeout: COMMAND_TIMEOUT_MS, encoding: "utf8" });
  if (tried.status === 0) return ok("tools run in a sandbox");
  const why = tried.error === undefined ? brief(tried.stderr) : "not installed";
  const remedy = tried.error === undefined ? "allow unprivileged user namespaces" : "apt-get install bubblewrap";
  return note(`${why}: tools run without a sandbox`, remedy);
}

function brief(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

function lookAtData(dataDir: string, running: string | null): Look {
  if (dataDir === IN_MEMORY)
    return note("in memory: nothing survives the process", "set MAINSPRING_DATA_DIR to a path");
  const path = resolve(dataDir);
  if (running !== null) {
    return ok(`${path}, in use by the server at ${running} (process ${runningServer(dataDir)?.pid ?? "unknown"})`);
  }
  if (!existsSync(path)) {
    let parent = dirname(path);
    while (!existsSync(parent)) parent = dirname(parent);
    if (isWritable(parent)) return ok(`${path}, made at the first start`);
    return missing(`${path} cannot be made: ${parent} is not writable`, "set MAINSPRING_DATA_DIR to another path");
  }
  if (!isWritable(path)) return missing(`${path} is not writable`, "set MAINSPRING_DATA_DIR to another path");
  try {
    lockDataDir(path).release();
    return ok(`${path}, free`);
  } catch (error) {
    return missing(
      MainspringError.from(error).message,
      "a server that starts or stops holds it; look again in a moment",
    );
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function lookAtPort(host: string, port: number, running: string | null): Promise<Look> {
  if (port === 0) return ok("any free one");
  if (running !== null && new URL(running).port === String(port)) return ok(`${port} on ${host}, in use by the server`);
  const problem = await listenOnce(host, port);
  if (problem === null) return ok(`${port} on ${host}, free`);
  return missing(`${port} on ${host}: ${problem}`, "choose another with PORT or --port");
}

function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      done(error.code === "EADDRINUSE" ? "taken by another program" : error.message),
    );
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

function lookAtKey({ adminKey, auth, dataDir, mongoUrl }: EmbeddedConfig["gateway"]): Look {
  if (auth === "off") return note("MAINSPRING_AUTH=off: everybody on this machine is admin", "unset MAINSPRING_AUTH");
  if (adminKey !== undefined) return ok("given by MAINSPRING_ADMIN_KEY");
  if (dataDir !== IN_MEMORY && readAdminKey(dataDir) !== null) return ok(`in ${resolve(dataDir)}/admin-key`);
  if (mongoUrl !== undefined) {
    return note(
      "each machine makes one of its own at its first start",
      "set MAINSPRING_ADMIN_KEY, the same everywhere",
    );
  }
  return ok("made and shown at the first start");
}

function lookAtModel({ openAiKey, openAiBaseUrl, openAiModel }: EmbeddedConfig["modelRouter"]): Look {
  const remedy = "set OPENAI_API_KEY (or OPENAI_BASE_URL of a server of your own) and OPENAI_MODEL_NAME";
  const without = "agent/assistant answers with offline/script";
  if (openAiKey === undefined && openAiBaseUrl === undefined) return note(`none: ${without}`, remedy);
  if (openAiModel === undefined) return note(`OPENAI_MODEL_NAME is not set: ${without}`, remedy);
  return ok(`${openAiModel} at ${openAiBaseUrl ?? "OpenAI"}`);
}

const PAIR = "set MAINSPRING_REDIS_URL and MAINSPRING_MONGO_URL, or neither";

async function lookAtRedis({ redisUrl, mongoUrl }: EmbeddedConfig["gateway"]): Promise<Look> {
  if (redisUrl === undefined)
    return mongoUrl === undefined ? ok("not used") : missing("MongoDB alone is not enough", PAIR);
  const bus = new RedisBus({ url: redisUrl, prefix: "doctor", onError: () => undefined });
  return reach(bus.ping(), "MAINSPRING_REDIS_URL", () => bus.close());
}

async function lookAtMongo({ redisUrl, mongoUrl }: EmbeddedConfig["gateway"]): Promise<Look> {
  if (mongoUrl === undefined)
    return redisUrl === undefined ? ok("not used") : missing("Redis alone is not enough", PAIR);
  const connection = new MongoConnection({ url: mongoUrl });
  return reach(connection.ping(), "MAINSPRING_MONGO_URL", () => connection.close());
}

async function reach(ping: Promise<unknown>, variable: string, close: () => Promise<void>): Promise<Look> {
  const late = AbortSignal.timeout(REACH_TIMEOUT_MS);
  const timeout = new Promise<string>((done) => late.addEventListener("abort", () => done("no answer in time")));
  const answer = ping.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : "no answer"),
  );
  const problem = await Promise.race([answer, timeout]);
  await close().catch(() => undefined);
  return problem === "" ? ok("answers") : missing(problem, `start it, or correct ${variable}`);
}
