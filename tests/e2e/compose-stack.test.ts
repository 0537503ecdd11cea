/**
 * Exactly the processes of the compose file, with its environment, on loopback: they become healthy by its health checks,
 * the examples of the README run against them, and their traces reach the collector that it names.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { withServer } from "../support/adapters.ts";
import { composeFile, onLoopback } from "../support/compose-file.ts";
import type { LoopbackService } from "../support/compose-file.ts";
import { startMongo } from "../support/mongo.ts";
import { answers, launcher, Program, temporaryFolder } from "../support/program.ts";
import { linkCheckout, preambleOf, runnable, runShell } from "../support/readme.ts";
import { startRedis } from "../support/redis.ts";
import type { TestServer } from "../support/server-process.ts";

const ADMIN_KEY = "compose-admin-key";
const { redis, mongo } = inject("servers");

withServer("the compose file as processes", redis.url === null ? redis : mongo, () => {
  const folder = temporaryFolder();
  const servers: TestServer[] = [];
  const programs: Program[] = [];
  const spans: string[] = [];
  let collector: Server;
  let services: readonly LoopbackService[];
  let preamble = "";

  beforeAll(async () => {
    const [ownRedis, ownMongo] = await Promise.all([startRedis(), startMongo()]);
    servers.push(ownRedis, ownMongo);
    collector = createServer((request, response) => {
      const body: Buffer[] = [];
      request.on("data", (chunk: Buffer) => body.push(chunk));
      request.on("end", () => {
        spans.push(Buffer.concat(body).toString("latin1"));
        response.end();
      });
    });
    collector.listen(0, "127.0.0.1");
    await once(collector, "listening");
    const otlpUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const stores = { redisUrl: ownRedis.url, mongoUrl: `${ownMongo.url}/mainspring`, otlpUrl };
    services = await onLoopback(composeFile(), { MAINSPRING_ADMIN_KEY: ADMIN_KEY }, stores);
    for (const { name, runs, environment } of services) {
      // The image's directories, of which the workspaces are shared.
      const env = {
        ...environment,
        MAINSPRING_DATA_DIR: join(folder.path, "data", name),
        MAINSPRING_WORKSPACES: join(folder.path, "workspaces"),
      };
      programs.push(new Program([launcher, "serve", runs], { cwd: folder.path, env }));
    }
    linkCheckout(folder.path);
    const gateway = services.find(({ runs }) => runs === "gateway")!;
    preamble = preambleOf(`http://127.0.0.1:${gateway.environment["PORT"]}`, ADMIN_KEY);
  }, 180_000);

  afterAll(async () => {
    for (const program of programs) program.kill("SIGKILL");
    await Promise.all(programs.map((program) => program.ended));
    collector.close();
    await Promise.all(servers.map((server) => server.stop()));
    folder[Symbol.dispose]();
  });

  test("every service is healthy", async () => {
    expect(services.length).toBeGreaterThan(7);
    for (const { healthUrl } of services) await answers(healthUrl, 200);
  });

  describe("examples of the README", () => {
    test.each(runnable(false))("$number: $title", async ({ pattern, shell }) => {
      const { code, out, err } = await runShell(folder.path, `${preamble}\n${shell}`);
      expect(code, err).toBe(0);
      expect(out).toMatch(pattern);
    });
  });

  test("every service drains on SIGTERM, ends with 0, and its spans have reached the collector", async () => {
    for (const program of programs) program.kill();
    const ended = await Promise.all(programs.map((program) => program.ended));
    expect(ended.map(({ code }) => code)).toEqual(programs.map(() => 0));
    const sent = spans.join("\n");
    for (const service of ["gateway", "engine-worker", "model-router", "tool-runner"]) expect(sent).toContain(service);
    expect(sent).toContain("execute_tool calculator");
  });
});
