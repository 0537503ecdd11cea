/** Every service starts under plain Node, says that it is ready, ends well, and refuses a wrong configuration. */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, inject, test } from "vitest";

import { uniqueName } from "../support/adapters.ts";
import { freePort } from "../support/free-port.ts";
import { answers, launcher, Program, projectRoot, runToEnd, systemNodes, temporaryFolder } from "../support/program.ts";
import type { Ended } from "../support/program.ts";

const SERVICES = ["model-router", "tool-runner", "memory-brain", "engine-worker", "eval-runner", "gateway"] as const;
const REDIS_DATABASES = 16;
const mainOf = (service: string): string => join(projectRoot, "services", service, "src/main.ts");
const upperOf = (service: string): string => service.toUpperCase().replaceAll("-", "_");

/** Windows has no SIGTERM: there a process is ended and says nothing of it. */
function endedWell({ code, signal }: Ended): boolean {
  return process.platform === "win32" ? code !== 0 || signal !== null : code === 0;
}

describe("a server in one process", () => {
  test.each(["data", "memory"])("starts with the data directory `%s`, is ready, and ends with 0", async (dataDir) => {
    using folder = temporaryFolder();
    await using program = new Program([launcher, "up", "--port", "0", "--data-dir", dataDir], { cwd: folder.path });
    const [, url] = await program.printed(/Mainspring is at (\S+)/);
    await answers(`${url}/readyz`, 200);
    program.kill();
    expect(endedWell(await program.ended), program.err).toBe(true);
  });

  test("reads a .env file, over which the environment wins, over which flags win", async () => {
    using folder = temporaryFolder();
    const lines = ["PORT=1", "MAINSPRING_DATA_DIR=memory", "MAINSPRING_ADMIN_KEY=from-file", "MAINSPRING_DRAIN_MS=1"];
    writeFileSync(join(folder.path, ".env"), lines.join("\n"));
    const env = { MAINSPRING_ADMIN_KEY: "from-environment", PORT: "2" };
    await using program = new Program([launcher, "up", "--port", "0"], { cwd: folder.path, env });
    const [, url] = await program.printed(/Mainspring is at (\S+)/);
    await program.printed(/nothing is kept/);
    const statusWith = async (key: string): Promise<number> =>
      (await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await statusWith("from-environment")).toBe(200);
    expect(await statusWith("from-file")).toBe(401);
    program.kill();
    expect(endedWell(await program.ended), program.err).toBe(true);
  });

  test("a second server on the same data directory says who has it", async () => {
    using folder = temporaryFolder();
    await using first = new Program([launcher, "up", "--port", "0"], { cwd: folder.path });
    const [, url] = await first.printed(/Mainspring is at (\S+)/);
    const second = await runToEnd([launcher, "up", "--port", "0"], { cwd: folder.path });
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`in use by the server at ${url}`) });
    first.kill();
    await first.ended;
  });
});

describe("stores that are not there", () => {
  test("are named, and the server lives, is not ready, and ends with 0", async () => {
    using folder = temporaryFolder();
    const nowhere = `127.0.0.1:${await freePort()}`;
    const urls = ["--redis-url", `redis://${nowhere}`, "--mongo-url", `mongodb://${nowhere}`];
    await using program = new Program([launcher, "up", "--port", "0", ...urls], { cwd: folder.path });
    const [, url] = await program.printed(/Mainspring is at (\S+)/);
    await program.printed(/"msg":"not ready"/, "err");
    for (const store of ["MongoDB", "Redis"]) expect(program.err).toContain(`{"name":"${store}","ok":false`);
    await answers(`${url}/livez`, 200);
    await answers(`${url}/readyz`, 503);
    program.kill();
    expect(endedWell(await program.ended), program.err).toBe(true);
  });
});

describe("a wrong configuration", () => {
  const wrong = { PORT: "99999", MAINSPRING_LOG_LEVEL: "loud", MAINSPRING_DRAIN_MS: "soon" };

  test("stops the server in one process, with a sentence for every variable of every service", async () => {
    using folder = temporaryFolder();
    const env = { ...wrong, MAINSPRING_SESSIONS_MAX: "0", OPENAI_BASE_URL: "nowhere", MAINSPRING_SANDBOX: "maybe" };
    const { code, err } = await runToEnd([launcher, "up"], { cwd: folder.path, env });
    expect(code).toBe(78);
    for (const name of Object.keys(env)) expect(err).toContain(`${name} (--`);
    expect(err.trimEnd().split("\n")).toHaveLength(Object.keys(env).length);
  });

  test.each(SERVICES)("stops %s", async (service) => {
    using folder = temporaryFolder();
    const { code, err } = await runToEnd([mainOf(service)], { cwd: folder.path, env: wrong });
    expect(code).toBe(78);
    for (const name of ["MAINSPRING_LOG_LEVEL", "MAINSPRING_DRAIN_MS"]) expect(err).toContain(`${name} (--`);
  });

  test.each(SERVICES)("%s alone names the stores that it shares with the others", async (service) => {
    using folder = temporaryFolder();
    const { code, err } = await runToEnd([launcher, "serve", service], { cwd: folder.path });
    expect(code).toBe(78);
    expect(err).toContain("MAINSPRING_REDIS_URL and MAINSPRING_MONGO_URL");
  });
});

describe("a misspelt variable", () => {
  test("is warned of by the server in one process, without its value", async () => {
    using folder = temporaryFolder();
    const env = { MAINSPRING_ATUH: "hidden-value", MAINSPRING_MEMORY_SHARD: "1" };
    await using program = new Program([launcher, "up", "--port", "0"], { cwd: folder.path, env });
    await program.printed(/Mainspring is at (\S+)/);
    expect(program.err).toContain("MAINSPRING_ATUH is no variable that anything reads: is MAINSPRING_AUTH meant?");
    expect(program.err.match(/is no variable/g)).toHaveLength(1);
    expect(program.err).not.toContain("hidden-value");
  });

  test.each(SERVICES)("is named by %s when what it was to set is missing", async (service) => {
    using folder = temporaryFolder();
    const env = { MAINSPRING_LOG_LEVL: "loud", MAINSPRING_REDIS_URL: "redis://127.0.0.1", MAINSPRING_MONGO: "x" };
    const { code, err } = await runToEnd([mainOf(service)], { cwd: folder.path, env });
    expect(code).toBe(78);
    expect(err).toContain("MAINSPRING_LOG_LEVL is no variable that anything reads: is MAINSPRING_LOG_LEVEL meant?");
  });
});

describe("what is in a data directory", () => {
  const up = [launcher, "up", "--port", "0", "--data-dir", "data"];

  test("an admin key that was not written whole is made anew", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "data"));
    writeFileSync(join(folder.path, "data", "admin-key"), "");
    await using program = new Program(up, { cwd: folder.path });
    const [, url] = await program.printed(/Mainspring is at (\S+)/);
    const key = readFileSync(join(folder.path, "data", "admin-key"), "utf8").trim();
    const { status } = await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
    program.kill();
    await program.ended;
  });

  test.each(["mainspring.db", "spaces", "admin-key"])(
    "%s that cannot be used ends the start by its path",
    async (name) => {
      using folder = temporaryFolder();
      const path = join(folder.path, "data", name);
      mkdirSync(name === "spaces" ? join(folder.path, "data") : path, { recursive: true });
      if (name === "spaces") writeFileSync(path, "");
      const { code, err } = await runToEnd(up, { cwd: folder.path });
      expect(code).toBe(78);
      expect(err).toContain(join("data", name));
    },
  );

  test("a store that is none ends the start by its path", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "data"));
    writeFileSync(join(folder.path, "data", "mainspring.db"), "no database ".repeat(1_000));
    const { code, err } = await runToEnd(up, { cwd: folder.path });
    expect([code, err]).toEqual([78, expect.stringContaining(join("data", "mainspring.db"))]);
  });
});

describe.runIf(process.platform === "linux")("a data directory that cannot be made", () => {
  test.each(["up", "run"])("ends `mainspring %s` at once, with a sentence", async (command) => {
    using folder = temporaryFolder();
    const args = command === "up" ? ["up", "--port", "0"] : ["run", "hello"];
    const env = { MAINSPRING_DATA_DIR: "/proc/mainspring" };
    const { code, err } = await runToEnd([launcher, ...args], { cwd: folder.path, env });
    expect(code).toBe(78);
    expect(err).toContain("MAINSPRING_DATA_DIR (--data-dir): /proc/mainspring cannot be made");
  });

  test.each(["memory-brain", "gateway", "tool-runner"])("ends %s at once", async (service) => {
    using folder = temporaryFolder();
    const env: Record<string, string> = {
      MAINSPRING_DATA_DIR: "/proc/mainspring",
      MAINSPRING_REDIS_URL: "redis://127.0.0.1:1",
      MAINSPRING_MONGO_URL: "mongodb://127.0.0.1:1",
    };
    for (const peer of SERVICES) env[`MAINSPRING_${upperOf(peer)}_ADDR`] = "127.0.0.1:1";
    const { code, err } = await runToEnd([mainOf(service)], { cwd: folder.path, env });
    expect(code).toBe(78);
    expect(err).toContain("MAINSPRING_DATA_DIR (--data-dir): /proc/mainspring");
  });
});

describe("services of their own", () => {
  const { redis, mongo } = inject("servers");
  const reason = redis.url === null ? redis.reason : mongo.url === null ? mongo.reason : null;

  test("each starts under plain Node, all become ready, and each ends with 0", async (context) => {
    if (redis.url === null || mongo.url === null) return context.skip(reason ?? "");
    using folder = temporaryFolder();
    const database = new URL(mongo.url);
    database.pathname = uniqueName();
    const redisUrl = new URL(redis.url);
    redisUrl.pathname = String(randomInt(1, REDIS_DATABASES));
    const env: Record<string, string> = {
      MAINSPRING_REDIS_URL: redisUrl.href,
      MAINSPRING_MONGO_URL: database.href,
      MAINSPRING_ADMIN_KEY: "smoke",
    };
    const port = String(await freePort());
    Object.assign(env, { PORT: port, MAINSPRING_GATEWAY_URL: `http://127.0.0.1:${port}` });
    for (const service of SERVICES) {
      if (service === "gateway") continue;
      const address = `127.0.0.1:${await freePort()}`;
      env[`MAINSPRING_${upperOf(service)}_ADDR`] = address;
      env[`MAINSPRING_${upperOf(service)}_LISTEN`] = address;
      env[`MAINSPRING_${upperOf(service)}_HTTP_LISTEN`] = "127.0.0.1:0";
    }
    await using stack = new AsyncDisposableStack();
    const programs = SERVICES.map((service) => stack.use(new Program([mainOf(service)], { cwd: folder.path, env })));
    for (const [index, service] of SERVICES.entries()) {
      await programs[index]!.printed(new RegExp(`"service":"${service}","(address|url)"`));
    }
    const [, url] = await programs.at(-1)!.printed(/"url":"([^"]+)"/);
    await answers(`${url}/readyz`, 200);
    await programs[SERVICES.indexOf("engine-worker")]!.printed(/"msg":"ready"/, "err");
    for (const program of programs.slice(0, -1)) {
      const [, http] = await program.printed(/"http":"([^"]+)"/);
      for (const path of ["livez", "readyz", "metrics"]) await answers(`http://${http}/${path}`, 200);
      await answers(`http://${http}/nowhere`, 404);
    }
    for (const program of programs.toReversed()) {
      program.kill();
      expect(endedWell(await program.ended), program.err).toBe(true);
    }
  });
});

describe("the launcher", () => {
  const nodes = systemNodes().map((node) => ({
    node,
    major: Number(execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" })),
  }));
  const older = nodes.find(({ major }) => major < 24 && major >= 18);
  if (older === undefined) console.log("no older Node on this machine: the launcher is tested under this one only");

  test(`passes on signals and exit codes, under Node ${older?.major ?? process.versions.node}`, async () => {
    using folder = temporaryFolder();
    const command = older?.node ?? process.execPath;
    await using program = new Program([launcher, "up", "--port", "0"], { cwd: folder.path, command });
    const [, url] = await program.printed(/Mainspring is at (\S+)/);
    await answers(`${url}/readyz`, 200);
    program.kill();
    expect(endedWell(await program.ended), program.err).toBe(true);
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
    const usage = await runToEnd([launcher, "no-such-command"], { cwd: folder.path, command });
    expect(usage.code).toBe(2);
  });

  test.skipIf(process.platform === "win32")("a signal to it and to what it started counts once", async () => {
    using folder = temporaryFolder();
    const command = older?.node ?? process.execPath;
    await using program = new Program([launcher, "up", "--port", "0"], { cwd: folder.path, command, group: true });
    await program.printed(/Mainspring is at/);
    program.killGroup("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test("works from another directory and through the link that npm makes", async () => {
    using folder = temporaryFolder();
    const link = join(projectRoot, "node_modules/@mainspring/cli/bin/mainspring.js");
    const { code, out } = await runToEnd([link, "--version"], { cwd: folder.path });
    expect({ code, out }).toEqual({ code: 0, out: "0.1.0\n" });
  });
});
