/** kill -9 in the middle of loading a Space: its name is free again, and nothing of it is left. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { api } from "../support/run-reader.ts";

let dataDir = "";
let server: EmbeddedServer;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-load-"));
  server = await startUp(dataDir);
});
afterEach(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

async function dumpOf(id: string): Promise<Uint8Array<ArrayBuffer>> {
  expect((await api(server.url, "/v1/spaces", { id })).status).toBe(201);
  const text = `${"lorem ipsum ".repeat(10_000)} quince`;
  expect((await api(server.url, `/v1/spaces/${id}/memories`, { text })).status).toBe(201);
  const response = await api(server.url, `/v1/spaces/${id}/dump`);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** Sends the first half and then nothing more. */
function loadHalf(id: string, dump: Uint8Array<ArrayBuffer>): Promise<Response> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(dump.subarray(0, dump.length / 2)),
  });
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  return fetch(`${server.url}/v1/spaces/${id}/load`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

test.each(["create", "load"])("a load that died leaves its name to the next %s, with nothing behind", async (next) => {
  const dump = await dumpOf("garden");
  const file = join(dataDir, "spaces", "copy.db");
  const died = loadHalf("copy", dump).catch(() => "died");
  await expect.poll(() => existsSync(file) && statSync(file).size > 0, { timeout: 10_000 }).toBe(true);

  const meanwhile = await api(server.url, "/v1/spaces", { id: "copy" });
  expect([meanwhile.status, await meanwhile.json()]).toMatchObject([409, { reason: "space_exists" }]);
  await server.process.kill("SIGKILL");
  expect(await died).toBe("died");
  expect(existsSync(file)).toBe(true);

  server = await startUp(dataDir);
  if (next === "create") {
    const made = await api(server.url, "/v1/spaces", { id: "copy" });
    expect([made.status, await made.json()]).toMatchObject([201, { id: "copy", space_seq: 0 }]);
  } else {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const whole = await fetch(`${server.url}/v1/spaces/copy/load`, { method: "POST", headers, body: dump });
    expect([whole.status, await whole.json()]).toMatchObject([201, { id: "copy", space_seq: 1 }]);
  }
});
