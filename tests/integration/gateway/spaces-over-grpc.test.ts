/** Gateway and memory-brain as processes of their own: Spaces through real connections, and without their service. */
import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { uniqueName } from "../../support/adapters.ts";
import { freePort } from "../../support/free-port.ts";
import { ADMIN_KEY, startService } from "../../support/mainspring-process.ts";
import type { Environment, MainspringProcess } from "../../support/mainspring-process.ts";

const REDIS_DATABASES = 16;
const { redis, mongo } = inject("servers");
const missing = [redis, mongo].find((server) => server.url === null);
const isThere = missing === undefined;

let directory: string;
let environment: Environment;
let gateway: MainspringProcess;
let brain: MainspringProcess;
let url = "";

beforeAll(async () => {
  if (redis.url === null || mongo.url === null) return;
  directory = mkdtempSync(join(tmpdir(), "mainspring-grpc-"));
  const [database, queue] = [new URL(mongo.url), new URL(redis.url)];
  database.pathname = uniqueName();
  queue.pathname = String(randomInt(1, REDIS_DATABASES));
  const nowhere = `127.0.0.1:${await freePort()}`;
  const address = `127.0.0.1:${await freePort()}`;
  environment = {
    PORT: "0",
    MAINSPRING_REDIS_URL: queue.href,
    MAINSPRING_MONGO_URL: database.href,
    MAINSPRING_DATA_DIR: directory,
    MAINSPRING_ADMIN_KEY: ADMIN_KEY,
    MAINSPRING_LOG_LEVEL: "warn",
    MAINSPRING_ENGINE_WORKER_ADDR: nowhere,
    MAINSPRING_MODEL_ROUTER_ADDR: nowhere,
    MAINSPRING_MEMORY_BRAIN_ADDR: address,
    MAINSPRING_MEMORY_BRAIN_LISTEN: address,
  };
  brain = (await startService("memory-brain", environment)).process;
  const started = await startService("gateway", environment);
  gateway = started.process;
  url = started.address;
});

afterAll(async () => {
  if (!isThere) return;
  await Promise.all([gateway.kill(), brain.kill()]);
  rmSync(directory, { recursive: true, force: true });
});

const headers = { authorization: `Bearer ${ADMIN_KEY}` };
const get = (path: string): Promise<Response> => fetch(url + path, { headers });
const post = (path: string, body: object): Promise<Response> =>
  fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });

if (missing?.url === null) {
  const { reason } = missing;
  test("Spaces over gRPC are not tested", (context) => context.skip(reason));
}

describe.runIf(isThere)("Spaces over gRPC", () => {
  test("a Space of several messages is dumped and loaded whole", async () => {
    expect((await post("/v1/spaces", { id: "large" })).status).toBe(201);
    for (let index = 0; index < 6; index += 1) {
      const text = `Chapter ${index} tells of ${randomBytes(350_000).toString("hex")}`;
      expect((await post("/v1/spaces/large/memories", { text })).status).toBe(201);
    }
    const dump = await (await get("/v1/spaces/large/dump")).arrayBuffer();
    expect(dump.byteLength).toBeGreaterThan(4 * 1024 * 1024);
    const load = await fetch(`${url}/v1/spaces/copied/load`, { method: "POST", headers, body: dump });
    expect(load.status).toBe(201);
    const { result } = (await (await get("/v1/copied/info")).json()) as { result: { concepts: number } };
    const original = (await (await get("/v1/large/info")).json()) as { result: { concepts: number } };
    expect(result).toMatchObject({ concepts: original.result.concepts, conversations: 6 });
    const found = (await (await get("/v1/spaces/copied/memories?query=chapter")).json()) as { found: boolean };
    expect(found.found).toBe(true);
  });

  test("a load that breaks off leaves no Space, and its name is free again", async () => {
    const dump = Buffer.from(await (await get("/v1/spaces/large/dump")).arrayBuffer());
    const upload = httpRequest(`${url}/v1/spaces/half/load`, { method: "POST", headers });
    const gone = new Promise((resolve) => upload.once("close", resolve));
    upload.on("error", () => undefined);
    upload.write(dump.subarray(0, dump.length / 2), () => upload.destroy());
    await gone;
    expect((await get("/v1/half/info")).status).toBe(404);
    const load = (): Promise<Response> =>
      fetch(`${url}/v1/spaces/half/load`, { method: "POST", headers, body: new Uint8Array(dump) });
    // The name is taken until the service has noticed.
    await expect.poll(async () => (await load()).status, { timeout: 30_000, interval: 200 }).toBe(201);
    expect((await get("/v1/half/info")).status).toBe(200);
  });

  test("refusals cross with their code and their reason", async () => {
    expect((await post("/v1/spaces", { id: "large" })).status).toBe(409);
    const wrong = await fetch(`${url}/v1/large/info`, { headers: { ...headers, "shard-id": "9" } });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { data: { reason: "wrong_shard" } } }]);
    const broken = await fetch(`${url}/v1/spaces/broken/load`, { method: "POST", headers, body: "no dump" });
    expect(broken.status).toBe(400);
  });

  test("without its service requests are 503 and the gateway serves the rest; with it they go on", async () => {
    await brain.kill();
    const refused = await get("/v1/large/info");
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { data: { code: "unavailable" } } }]);
    expect((await get("/v1/keys")).status).toBe(200);
    const { checks } = (await (await get("/readyz")).json()) as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).not.toContain("memory-brain");
    brain = (await startService("memory-brain", environment)).process;
    await expect.poll(async () => (await get("/v1/large/info")).status, { timeout: 30_000, interval: 200 }).toBe(200);
  });
});
