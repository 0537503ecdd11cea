import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterEach, describe, expect, test } from "vitest";

import { ApiClient, problemOf } from "./api-client.ts";
import { followSession } from "./follow.ts";

let server: Server | null = null;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = null;
});

async function serving(listener: RequestListener): Promise<ApiClient> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return new ApiClient({ url: `http://127.0.0.1:${(started.address() as AddressInfo).port}/`, key: "k" });
}

const row = (seq: number, type: string): string =>
  `event: ${type}\nid: ${seq}\ndata: ${JSON.stringify({ seq, type, run_id: "run_1", data: {} })}\n\n`;

describe("problems", () => {
  test("problem details keep their code, reason and sentence", () => {
    const text = JSON.stringify({ detail: "no such run", code: "not_found", reason: "run_not_found" });
    expect(problemOf(404, text)).toMatchObject({ code: "not_found", reason: "run_not_found", message: "no such run" });
  });

  test("OpenAI's shape and what is no JSON are read by their status", () => {
    expect(problemOf(429, '{"error":{"message":"slow down"}}')).toMatchObject({
      code: "resource_exhausted",
      message: "slow down",
    });
    expect(problemOf(502, "<html>")).toMatchObject({ code: "unavailable", message: "the server answered 502" });
    expect(problemOf(401, "{}", "; give a key").message).toContain("give a key");
    const rpc = '{"error":{"message":"space not found","data":{"code":"not_found","reason":"gone"}}}';
    expect(problemOf(404, rpc)).toMatchObject({ code: "not_found", reason: "gone", message: "space not found" });
  });
});

describe("calls", () => {
  test("send the key, the query and the body", async () => {
    const seen: Partial<IncomingMessage>[] = [];
    const client = await serving((request, response) => {
      const { method, url, headers } = request;
      seen.push({ method: method!, url: url!, headers });
      response.end("{}");
    });
    await client.post("/v1/x", { a: 1 }, { query: { b: "c d" } });
    expect(seen).toMatchObject([{ method: "POST", url: "/v1/x?b=c+d", headers: { authorization: "Bearer k" } }]);
  });

  test("an address or a key that cannot be one is refused at once, without repeating the key", () => {
    for (const url of ["nonsense", "localhost:1234", "http://", "ftp://host"])
      expect(() => new ApiClient({ url, key: "" })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    const refusal = { code: "invalid_argument", message: expect.not.stringContaining("secret") as string };
    expect(() => new ApiClient({ url: "http://host", key: "secret\n" })).toThrow(expect.objectContaining(refusal));
  });

  test("a server that is not there is unavailable", async () => {
    const client = new ApiClient({ url: "http://127.0.0.1:9", key: "" });
    await expect(client.get("/")).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("following", () => {
  test("goes on behind the last event when the connection breaks, and ends with the run", async () => {
    const cursors: (string | undefined)[] = [];
    const client = await serving((request, response) => {
      cursors.push(request.headers["last-event-id"] as string | undefined);
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (cursors.length === 1) response.write(row(1, "run.started"), () => response.destroy());
      else response.write(row(2, "run.completed"));
    });
    const signal = new AbortController().signal;
    const seen: string[] = [];
    const tries: number[] = [];
    const onRetry = (count: number): void => void tries.push(count);
    const options = { run: "run_1", after: "", signal, onRetry };
    for await (const { event } of followSession(client, "ses_1", options)) seen.push(event);
    expect(tries).toEqual([1]);
    expect(seen).toEqual(["run.started", "run.completed"]);
    expect(cursors).toEqual([undefined, "1"]);
  });

  test("has caught up once, however often the server says so", async () => {
    const caughtUp = 'event: caught_up\ndata: {"last_seq":1}\n\n';
    let calls = 0;
    const client = await serving((_request, response) => {
      calls += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(caughtUp + row(calls, calls === 1 ? "run.started" : "run.completed"), () => response.destroy());
    });
    const signal = new AbortController().signal;
    const seen: string[] = [];
    for await (const { event } of followSession(client, "ses_1", { run: "", after: "", signal })) {
      seen.push(event);
      if (event === "run.completed") break;
    }
    expect(seen).toEqual(["caught_up", "run.started", "run.completed"]);
  });

  test("stops at once when its signal aborts", async () => {
    const client = await serving((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(row(1, "run.started"));
    });
    const abort = new AbortController();
    const following = async (): Promise<void> => {
      for await (const _ of followSession(client, "ses_1", { run: "", after: "", signal: abort.signal })) abort.abort();
    };
    await expect(following()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("does not try again what the server refuses", async () => {
    let calls = 0;
    const client = await serving((_request, response) => {
      calls += 1;
      response.writeHead(404).end('{"code":"not_found","detail":"no session"}');
    });
    const signal = new AbortController().signal;
    const messages = followSession(client, "ses_1", { run: "", after: "", signal });
    await expect(messages.next()).rejects.toMatchObject({ code: "not_found" });
    expect(calls).toBe(1);
  });
});

describe("bytes", () => {
  test("are sent and received as they come", async () => {
    const client = await serving((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (request.method === "GET") return void response.end("dump");
      void text(request).then((body) => response.end(JSON.stringify({ body, type: request.headers["content-type"] })));
    });
    const source = (async function* () {
      yield Buffer.from("one ");
      yield Buffer.from("two");
    })();
    const type = "application/octet-stream";
    expect(await client.upload("/load", source, {})).toEqual({ body: "one two", type });
    expect(await text(client.download("/dump", new AbortController().signal))).toBe("dump");
  });

  test("that break off are a failure, and so is a source that does", async () => {
    const client = await serving((request, response) => {
      request.resume();
      response.writeHead(200);
      response.write("half");
      setImmediate(() => response.destroy());
    });
    await expect(text(client.download("/dump", new AbortController().signal))).rejects.toMatchObject({
      code: "unavailable",
    });
    const source = (async function* () {
      yield Buffer.from("half");
      throw new Error("the disk is gone");
    })();
    await expect(client.upload("/load", source, {})).rejects.toThrow();
  });
});
