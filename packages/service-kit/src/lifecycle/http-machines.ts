/** What machines ask a service of its own over HTTP: does it live, is it ready, what does it count. */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { MainspringError } from "@mainspring/kernel";

import type { Platform } from "./compose.ts";

/** A request that takes longer is broken off. */
const REQUEST_TIMEOUT_MS = 10_000;

type Parts = Pick<Platform, "readiness" | "metrics" | "lifecycle" | "logger">;

/** Serves /livez, /readyz, /health and /metrics. Resolves with `host:port` once it listens. */
export async function serveMachines(parts: Parts, listen: string): Promise<string> {
  const server = createServer((request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      parts.logger.warn({ error }, "a question of a machine could not be answered");
      response.destroy();
    });
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const address = await listenOn(server, listen);
  parts.lifecycle.onClose("HTTP for machines", async () => {
    server.close();
    server.closeAllConnections();
  });
  return address;
}

async function answer(
  { readiness, metrics }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (new URL(request.url ?? "/", "http://localhost").pathname) {
    case "/livez":
      return send(response, 200, JSON.stringify({ status: "alive" }));
    case "/readyz":
    case "/health": {
      const told = await readiness.tell();
      return send(response, told.status === "ready" ? 200 : 503, JSON.stringify(told));
    }
    case "/metrics":
      response.setHeader("content-type", metrics.contentType);
      return send(response, 200, await metrics.text());
    default:
      return send(response, 404, JSON.stringify({ error: "there are /livez, /readyz and /metrics" }));
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "application/json");
  response.writeHead(status).end(body);
}

function listenOn(server: Server, listen: string): Promise<string> {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(listen) ?? [];
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new MainspringError("unavailable", `cannot listen on ${listen}`, { cause, retry: "never" }));
    });
    server.listen(Number(port), host, () => resolve(`${host}:${(server.address() as AddressInfo).port}`));
  });
}
