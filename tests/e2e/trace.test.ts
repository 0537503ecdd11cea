/** One trace through every hop of a run, in one process: kept locally, shown by tenant, or sent to a collector. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { api, readToEnd, startRun } from "../support/run-reader.ts";
import { chainOf, traceOfRun } from "../support/traces.ts";

const INPUT = [
  'call calculator {"expression":"1+1"}',
  'call calculator {"expression":"2/0"}',
  "then",
  "say {{result}}",
];

let server: EmbeddedServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-trace-"));
  server = await startUp(dataDir);
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

async function tracedRun(): Promise<string> {
  const id = await startRun(server.url, INPUT.join("\n"), `trace-${Math.random()}`);
  await readToEnd(() => server.url, id);
  return id.replace("resp_", "run_");
}

test("gateway, engine, router and tools lie in one parent chain under the request", async () => {
  const run = await tracedRun();
  const names = ["POST /v1/responses", "invoke_agent script", "chat script", "chat script", "execute_tool calculator"];
  const spans = await traceOfRun(server.url, run, names);
  const above = ["engine-worker: invoke_agent script", "gateway: POST /v1/responses"];
  const chains = spans.map((span) => chainOf(spans, span));
  expect(chains.filter(([name]) => name === "model-router: chat script")).toEqual(
    Array.from({ length: 2 }, () => ["model-router: chat script", ...above]),
  );
  expect(chains.filter(([name]) => name === "tool-runner: execute_tool calculator")).toEqual(
    Array.from({ length: 2 }, () => ["tool-runner: execute_tool calculator", ...above]),
  );
  expect(spans.filter(({ parent_span_id }) => parent_span_id === null)).toHaveLength(1);
  const failed = spans.filter(({ status }) => status === "error").map(({ name }) => name);
  expect(failed).toEqual(["execute_tool calculator"]);
  const chat = spans.find(({ name }) => name === "chat script")!;
  expect(chat.attributes).toMatchObject({ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "offline" });
  expect(JSON.stringify(spans)).not.toContain("1+1");
});

test("a trace belongs to its tenant, and an unknown one is missing", async () => {
  const run = await tracedRun();
  const { trace_id: id } = (await (await api(server.url, `/v1/runs/${run}`)).json()) as { trace_id: string };
  const made = await api(server.url, "/v1/keys", { tenant: "other", name: "n" });
  const { key } = (await made.json()) as { key: string };
  const foreign = await fetch(`${server.url}/v1/traces/${id}`, { headers: { authorization: `Bearer ${key}` } });
  expect(foreign.status).toBe(404);
  expect((await api(server.url, `/v1/traces/${"0".repeat(32)}`)).status).toBe(404);
  expect((await api(server.url, "/v1/traces/nonsense")).status).toBe(404);
});

test("a caller's own trace goes on", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const response = await fetch(`${server.url}/v1/responses`, {
    method: "POST",
    headers: {
      authorization: "Bearer test-admin-key",
      "content-type": "application/json",
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ model: "agent/script", input: "say hi" }),
  });
  expect(response.headers.get("traceparent")).toContain(traceId);
  const run = response.headers.get("x-mainspring-run")!;
  const spans = await traceOfRun(server.url, run, ["POST /v1/responses"], "b7ad6b7169203331");
  expect(spans.find(({ service }) => service === "gateway")!.parent_span_id).toBe("b7ad6b7169203331");
});

test("with a collector set, spans go there and not into the store", { timeout: 60_000 }, async () => {
  const received: string[] = [];
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      received.push(`${request.url} ${body}`);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const exporting = await startUp("memory", {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  const id = await startRun(exporting.url, INPUT.join("\n"), "exported");
  await readToEnd(() => exporting.url, id);
  const run = await api(exporting.url, `/v1/runs/${id.replace("resp_", "run_")}`);
  const { trace_id: traceId } = (await run.json()) as { trace_id: string };
  const answer = await api(exporting.url, `/v1/traces/${traceId}`);
  expect(await answer.json()).toMatchObject({ reason: "traces_exported" });
  // What waits is sent when the process ends.
  await exporting.process.kill("SIGTERM");
  collector.close();
  const sent = received.join("\n");
  expect(received.every((request) => request.startsWith("/v1/traces "))).toBe(true);
  for (const name of ["POST /v1/responses", "invoke_agent script", "chat script", "execute_tool calculator"])
    expect(sent).toContain(`"name":"${name}"`);
  expect(sent).toContain(traceId);
});
