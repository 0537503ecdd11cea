/** What a server needs of its machine, looked at one by one. */
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import {
  IN_MEMORY,
  isDataDirLocked,
  probeDirectory,
  runningServer,
  unknownVariables,
} from "@mainspring/service-kit/settings";
import type { Environment } from "@mainspring/service-kit/settings";
import { namesOfTools, whyNoSandbox } from "@mainspring/tool-runner/looks";

import { findRunning, readAdminKey } from "../attach.ts";
import { readEmbeddedConfig } from "../server-config.ts";
import type { EmbeddedConfig } from "../server-config.ts";

const NODE_MAJOR_MIN = 24;
const REACH_TIMEOUT_MS = 5_000;
/** How long whoever has the port may take to say what it is. */
const ANSWER_TIMEOUT_MS = 2_000;

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
  for (const sentence of unknownVariables(environment)) {
    findings.push({ name: "variables", ...note(sentence, "correct the name, or unset it") });
  }
  const { gateway, modelRouter, toolRunner } = config;
  const running = await findRunning(gateway.dataDir);
  findings.push({ name: "bubblewrap", ...(await lookAtSandbox(toolRunner)) });
  findings.push({ name: "tools", ...(await lookAtTools(toolRunner)) });
  findings.push({ name: "data directory", ...lookAtData(gateway.dataDir, running) });
  findings.push({ name: "port", ...(await lookAtPort(gateway, running)) });
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

async function lookAtSandbox(settings: EmbeddedConfig["toolRunner"]): Promise<Look> {
  const remedy =
    settings.sandbox === "none"
      ? "unset MAINSPRING_SANDBOX"
      : process.platform === "linux"
        ? "apt-get install bubblewrap util-linux, on the PATH of the server; allow unprivileged user namespaces"
        : "run on Linux to have one";
  try {
    const why = await whyNoSandbox(settings);
    return why === "" ? ok("tools run in a sandbox") : note(`${why}: tools run without a sandbox`, remedy);
  } catch (error) {
    return missing(MainspringError.from(error).message, remedy);
  }
}

async function lookAtTools({ toolsDir }: EmbeddedConfig["toolRunner"]): Promise<Look> {
  if (toolsDir === undefined) return ok("only those that ship");
  try {
    const names = await namesOfTools(toolsDir);
    if (names.length > 0) return ok(`${names.join(", ")} in ${resolve(toolsDir)}`);
    return note(`${resolve(toolsDir)} has none`, "one module a tool, with a default export");
  } catch (error) {
    const sentence = MainspringError.from(error).message.replaceAll(/\s*\n\s*/g, " ");
    return missing(sentence, "correct the modules, or MAINSPRING_TOOLS_DIR");
  }
}

function lookAtData(dataDir: string, running: string | null): Look {
  if (dataDir === IN_MEMORY)
    return note("in memory: nothing survives the process", "set MAINSPRING_DATA_DIR to a path");
  const path = resolve(dataDir);
  if (running !== null) {
    return ok(`${path}, in use by the server at ${running} (process ${runningServer(dataDir)?.pid ?? "unknown"})`);
  }
  const another = "set MAINSPRING_DATA_DIR to another path";
  if (!existsSync(path)) {
    let parent = dirname(path);
    while (!existsSync(parent)) parent = dirname(parent);
    if (!isDirectory(parent)) return missing(`${path} cannot be made: ${parent} is a file`, another);
    if (isWritable(parent)) return ok(`${path}, made at the first start`);
    return missing(`${path} cannot be made: ${parent} is not writable`, another);
  }
  if (!isDirectory(path)) return missing(`${path} is a file and no directory`, another);
  if (!isWritable(path)) return missing(`${path} is not writable`, another);
  try {
    if (!isDataDirLocked(path)) return ok(`${path}, free`);
    const remedy = "a server that starts or stops holds it; look again in a moment";
    return missing(`${path} is in use by a server that does not answer`, remedy);
  } catch (error) {
    return missing(`${path}: its lock cannot be read: ${(error as Error).message}`, another);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path).isDirectory();
}

function isWritable(path: string): boolean {
  try {
    probeDirectory(path);
    return true;
  } catch {
    return false;
  }
}

async function lookAtPort({ host, port, mongoUrl }: EmbeddedConfig["gateway"], running: string | null): Promise<Look> {
  if (port === 0) return ok("any free one");
  if (running !== null && new URL(running).port === String(port)) return ok(`${port} on ${host}, in use by the server`);
  const problem = await listenOnce(host, port);
  if (problem === null) return ok(`${port} on ${host}, free`);
  const another = "choose another with PORT or --port";
  // The server works where it is; only its next start would not.
  if (running !== null) return note(`the server is at ${running}; ${port} on ${host}: ${problem}`, another);
  if (!(await isMainspring(host, port))) return missing(`${port} on ${host}: ${problem}`, another);
  // Servers on Redis and MongoDB leave no word in the data directory: it is most likely the one that is asked about.
  if (mongoUrl !== undefined) return ok(`${port} on ${host}, in use by a Mainspring server`);
  return missing(`${port} on ${host}: taken by a Mainspring server with another data directory`, another);
}

/** Whether the program that has the port answers as a server of this project does. */
async function isMainspring(host: string, port: number): Promise<boolean> {
  const reached = ["0.0.0.0", "::", ""].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${reached}:${port}/openapi.json`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const { info } = (await response.json()) as { readonly info?: { readonly title?: unknown } };
    return info?.title === "Mainspring";
  } catch {
    return false;
  }
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

function lookAtModel(config: EmbeddedConfig["modelRouter"]): Look {
  const { openAiKey, openAiBaseUrl, openAiModel, anthropicKey, anthropicBaseUrl, anthropicModel } = config;
  const remedy =
    "set OPENAI_API_KEY (or OPENAI_BASE_URL of a server of your own) and OPENAI_MODEL_NAME, or the same of ANTHROPIC";
  const without = "agent/assistant answers with offline/script";
  const hasOpenAi = openAiKey !== undefined || openAiBaseUrl !== undefined;
  const hasAnthropic = anthropicKey !== undefined || anthropicBaseUrl !== undefined;
  if (hasOpenAi && openAiModel !== undefined) return ok(`${openAiModel} at ${openAiBaseUrl ?? "OpenAI"}`);
  if (hasAnthropic && anthropicModel !== undefined)
    return ok(`${anthropicModel} at ${anthropicBaseUrl ?? "Anthropic"}`);
  if (!hasOpenAi && !hasAnthropic) return note(`none: ${without}`, remedy);
  return note(`${hasOpenAi ? "OPENAI" : "ANTHROPIC"}_MODEL_NAME is not set: ${without}`, remedy);
}

const PAIR = "set MAINSPRING_REDIS_URL and MAINSPRING_MONGO_URL, or neither";

async function lookAtRedis({ redisUrl, mongoUrl }: EmbeddedConfig["gateway"]): Promise<Look> {
  if (redisUrl === undefined)
    return mongoUrl === undefined ? ok("not used") : missing("MongoDB alone is not enough", PAIR);
  const { RedisBus } = await import("@mainspring/service-kit");
  const bus = new RedisBus({ url: redisUrl, prefix: "doctor", onError: () => undefined });
  return reach(bus.ping(), "MAINSPRING_REDIS_URL", () => bus.close());
}

async function lookAtMongo({ redisUrl, mongoUrl }: EmbeddedConfig["gateway"]): Promise<Look> {
  if (mongoUrl === undefined)
    return redisUrl === undefined ? ok("not used") : missing("Redis alone is not enough", PAIR);
  const { MongoConnection } = await import("@mainspring/service-kit");
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
