/** A real Redis for tests: given by URL, else on the path, else installed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";
import { installDebian, onPath } from "./machine.ts";
import { ServerProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";

/** The Redis that a run uses: MAINSPRING_TEST_REDIS_URL, or one of its own. */
export async function findRedis(): Promise<TestServer> {
  const url = process.env["MAINSPRING_TEST_REDIS_URL"];
  if (url !== undefined && url !== "") {
    return { url, description: "Redis given by URL", control: null, stop: () => Promise.resolve() };
  }
  return await startRedis();
}

/** Whether startRedis works without installing anything. */
export function canStartRedis(): boolean {
  return onPath("redis-server");
}

/** A Redis of its own on a free port, without persistence: a restart begins empty. */
export async function startRedis(): Promise<TestServer> {
  if (!onPath("redis-server")) installDebian(["redis-server"]);
  const directory = mkdtempSync(join(tmpdir(), "mainspring-redis-"));
  const port = await freePort();
  const persistence = ["--save", "", "--appendonly", "no", "--dir", directory];
  const server = new ServerProcess({
    name: "redis-server",
    command: "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", ...persistence],
    readyLine: /Ready to accept connections/,
  });
  await server.start();
  return {
    url: `redis://127.0.0.1:${port}`,
    description: "redis-server of this machine",
    control: server,
    stop: async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
