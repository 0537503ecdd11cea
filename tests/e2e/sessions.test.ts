/** Sessions over the native routes: queues that fill, steering, deletion, turns with very many calls. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { api, readToEnd } from "../support/run-reader.ts";

let server: EmbeddedServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-sessions-"));
  server = await startUp(dataDir);
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

interface Posted {
  readonly id: string;
}

async function newSession(): Promise<string> {
  return ((await (await api(server.url, "/v1/sessions", { agent: "script" })).json()) as Posted).id;
}

async function post(session: string, input: string, mode = "run"): Promise<Posted> {
  const response = await api(server.url, `/v1/sessions/${session}/runs`, { input, mode });
  expect(response.status).toBe(202);
  return (await response.json()) as Posted;
}

const responseOf = (run: Posted): string => run.id.replace("run_", "resp_");
const end = async (run: Posted) => (await readToEnd(() => server.url, responseOf(run))).at(-1)!;

test("every run of a session whose queue is full has an end, and those in the queue run in order", async () => {
  const session = await newSession();
  const first = await post(session, "wait 1500\nsay first");
  const others = await Promise.all(Array.from({ length: 80 }, (_, index) => post(session, `say ${index}`)));
  const ends = await Promise.all([first, ...others].map(end));
  const completed = ends.filter(({ type }) => type === "response.completed");
  expect(completed.length).toBeGreaterThanOrEqual(65);
  for (const { type, response } of ends.filter((event) => event.type !== "response.completed")) {
    expect(type).toBe("response.failed");
    expect(response).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  }
});

test("a steer names the run that it joined", async () => {
  const session = await newSession();
  const run = await post(session, "wait 700\nsay before");
  const steered = await post(session, "say steered", "steer");
  expect(steered.id).toBe(run.id);
  expect(JSON.stringify((await end(run))["response"])).toContain("steered");
});

test("a turn of a thousand calls does not end the server", async () => {
  const session = await newSession();
  const run = await post(session, `${'call calculator {"expression":"1"}\n'.repeat(1_000)}then\nsay survived`);
  expect(JSON.stringify((await end(run))["response"])).toContain("survived");
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("a deleted session is gone for every later request, a repeat of the one that made it among them", async () => {
  const make = (): Promise<Response> =>
    fetch(`${server.url}/v1/responses`, {
      method: "POST",
      headers: {
        authorization: "Bearer test-admin-key",
        "content-type": "application/json",
        "idempotency-key": "gone",
      },
      body: JSON.stringify({ model: "agent/script", input: "say secret" }),
    });
  const made = await make();
  const session = made.headers.get("x-mainspring-session")!;
  expect((await api(server.url, `/v1/sessions/${session}`, undefined, "DELETE")).status).toBe(204);
  for (;;) if ((await api(server.url, `/v1/sessions/${session}`)).status === 404) break;
  expect((await make()).status).toBe(404);
  expect((await api(server.url, `/v1/sessions/${session}`)).status).toBe(404);
});
