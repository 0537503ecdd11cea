/** A MongoDB for tests: given by URL, else mongod on the path, else a stand-in that speaks its protocol. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { freePort } from "./free-port.ts";
import { installDebian, onPath } from "./machine.ts";
import { ServerProcess } from "./server-process.ts";
import type { ServerCommand, TestServer } from "./server-process.ts";

const BUILD_TIMEOUT_MS = 600_000;
const standInSource = fileURLToPath(new URL("./mongo-standin", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/mongo-standin", import.meta.url));

/** The MongoDB that a run uses: MAINSPRING_TEST_MONGO_URL, or one of its own. */
export async function findMongo(): Promise<TestServer> {
  const url = process.env["MAINSPRING_TEST_MONGO_URL"];
  if (url !== undefined && url !== "") {
    return { url, description: "MongoDB given by URL", control: null, stop: () => Promise.resolve() };
  }
  return await startMongo();
}

/** Whether startMongo works without installing anything. */
export function canStartMongo(): boolean {
  return onPath("mongod") || (onPath("javac") && onPath("mvn"));
}

/** A server of its own on a free port. A restart finds the data again, after SIGKILL perhaps without the last second. */
export async function startMongo(): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), "mainspring-mongo-"));
  const port = await freePort();
  const real = onPath("mongod");
  const server = new ServerProcess(real ? mongod(port, directory) : standIn(port, directory));
  await server.start();
  return {
    url: `mongodb://127.0.0.1:${port}`,
    description: real ? "mongod of this machine" : "mongo-java-server 1.47.0 (stand-in)",
    control: server,
    stop: async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function mongod(port: number, directory: string): ServerCommand {
  const args = ["--port", String(port), "--bind_ip", "127.0.0.1", "--dbpath", directory];
  return { name: "mongod", command: "mongod", args, readyLine: /Waiting for connections/ };
}

function standIn(port: number, directory: string): ServerCommand {
  const built = buildStandIn();
  const classPath = `${join(built, "classes")}:${join(built, "lib")}/*`;
  const memory = ["-Xmx1536m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4"];
  return {
    name: "mongo-java-server",
    command: "java",
    args: [...memory, "-cp", classPath, "Main", String(port), join(directory, "data.h2")],
    readyLine: /^ready$/,
  };
}

/** Builds the stand-in once for its sources; returns the folder with `classes` and `lib`. */
function buildStandIn(): string {
  const missing = [...(onPath("javac") ? [] : ["openjdk-17-jdk-headless"]), ...(onPath("mvn") ? [] : ["maven"])];
  if (missing.length > 0) installDebian(missing);
  const pom = join(standInSource, "pom.xml");
  const names = readdirSync(standInSource, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => name.endsWith(".java")).map((name) => join(standInSource, name));
  const hash = createHash("sha256");
  for (const file of [pom, ...sources.sort()]) hash.update(readFileSync(file));
  const built = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(built)) return built;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "draft-"));
  const lib = join(draft, "lib");
  console.log("building the MongoDB stand-in (once)");
  const run = (command: string, args: readonly string[]): void => {
    execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: BUILD_TIMEOUT_MS });
  };
  run("mvn", ["-B", "-q", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${lib}`]);
  run("javac", ["-cp", `${lib}/*`, "-d", join(draft, "classes"), ...sources]);
  try {
    renameSync(draft, built);
  } catch (error) {
    // Another run was faster.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(built)) throw error;
  }
  return built;
}
