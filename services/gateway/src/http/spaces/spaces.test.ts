/** The memory routes over a recording port: what reaches it, and what becomes of its answers. */
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { MainspringError } from "@mainspring/kernel";
import { silentLogger } from "@mainspring/service-kit";
import { decode, encode } from "cborg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { MemoryApi, SpaceCaller } from "../../ports/memory-api.ts";
import { httpApp } from "../app.ts";
import type { HttpPorts } from "../app.ts";
import * as described from "../openapi-spaces.ts";
import { Admission } from "./admission.ts";
import { withIdempotencyKey } from "./memory-routes.ts";
import { citationView, spaceView } from "./views.ts";

const SPACE = {
  id: "notes",
  owner: "ana",
  name: "",
  description: "",
  isPublic: false,
  tier: 1,
  tierUpdatedAt: 5,
  shard: 0,
  createdAt: 0,
  spaceSeq: 3,
  details: { concepts: 2 },
};
const newest = <T>(value: T) => ({ value, nextCursor: "", staleAsOf: "" });

let calls: { readonly method: string; readonly args: readonly unknown[] }[];
let answers: Record<string, (...args: never[]) => unknown>;
let admission: Admission;
let server: Server;
let url: string;

beforeEach(async () => {
  calls = [];
  answers = {};
  admission = new Admission(2);
  const memory = new Proxy({} as MemoryApi, {
    get:
      (_, method: string) =>
      (...args: never[]) => {
        calls.push({ method, args });
        return answers[method]!(...args);
      },
  });
  const identify = async (secret: string, space: string) => {
    if (secret === "bad") throw new MainspringError("unauthenticated", "no", { reason: "invalid_token" });
    return { tenant: "t", subject: secret, scopes: secret === "root" ? ["admin"] : [space], spaceToken: "" };
  };
  const counter = { inc: () => undefined, observe: () => undefined };
  const metrics = { counter: () => counter, duration: () => counter };
  const identities = { identify: () => Promise.reject(new MainspringError("unauthenticated", "an API key")) };
  const ports = { metrics, logger: silentLogger, identities, memory, admission, spaceIdentities: { identify } };
  server = createServer(httpApp(ports as unknown as HttpPorts)).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: "POST", body: body as string, headers: { authorization: "Bearer ana", ...headers } });
const callerOf = (index = 0): SpaceCaller => calls[index]!.args[0] as SpaceCaller;

describe("bodies", () => {
  const probed = newest({ found: true, negativeCached: false, searchExhaustive: true, hits: [] });
  const asked = (): unknown => calls[0]?.args.slice(1);

  test.each([
    ["JSON without a type", '{"query":"tea","limit":3}', {}],
    ["JSON by its type", '{"query":"tea","limit":3}', { "content-type": "application/json; charset=utf-8" }],
    ["JSON as some text", '{"query":"tea","limit":3}', { "content-type": "text/plain" }],
    ["CBOR", encode({ query: "tea", limit: 3 }), { "content-type": "application/cbor" }],
  ])("%s", async (_name, body, headers) => {
    answers["probe"] = async () => probed;
    const sent = typeof body === "string" ? new TextEncoder().encode(body) : body;
    expect(await (await post("/v1/notes/probe", sent, headers)).json()).toEqual({
      result: { found: true, negative_cached: false, search_exhaustive: true },
    });
    expect(asked()).toEqual(["notes", "tea", 3]);
  });

  test("text counts as the query", async () => {
    answers["probe"] = async () => probed;
    await post("/v1/notes/probe", "green tea", { "content-type": "text/markdown" });
    expect(asked()).toEqual(["notes", "green tea", 0]);
  });

  test.each([
    ["broken JSON", "{", "application/json", "invalid_json"],
    ["broken CBOR", new Uint8Array([0xff]), "application/cbor", "invalid_cbor"],
    ["very deep CBOR", new Uint8Array(100_000).fill(0x81), "application/cbor", undefined],
    ["CBOR with bytes", encode({ query: new Uint8Array(1) }), "application/cbor", "invalid_cbor"],
    ["CBOR with numbers for keys", encode(new Map([[1, "tea"]])), "application/cbor", "invalid_cbor"],
    ["JSON too deep", `${"[".repeat(200)}${"]".repeat(200)}`, "application/json", "too_deep"],
    ["what is no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "application/json", undefined],
    ["an unknown field", '{"query":"tea","k":1}', "application/json", undefined],
    ["no query", "{}", "application/json", undefined],
  ])("%s is 400 in the envelope", async (_name, body, type, reason) => {
    const response = await post("/v1/notes/probe", body, { "content-type": type });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string; data: Record<string, string> } };
    expect(error.message).not.toBe("");
    expect(error.data["code"]).toBe("invalid_argument");
    if (reason !== undefined) expect(error.data["reason"]).toBe(reason);
    expect(calls).toEqual([]);
  });

  test("a body too large is 413", async () => {
    const response = await post("/v1/notes/probe", "x".repeat(3 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { data: { reason: "body_too_large" } } });
  });
});

describe("answers", () => {
  const getInfo = (accept: string) =>
    fetch(`${url}/v1/notes/info`, { headers: { authorization: "Bearer ana", accept } });
  const result = { concepts: 2, id: "notes", owner: "ana", public: false, tier: { tier: 1, updated_at: 5 } };
  beforeEach(() => {
    answers["getSpace"] = async () => ({ ...newest(SPACE), staleAsOf: "2026-01-01T00:00:00.000Z" });
  });

  test("follow Accept", async () => {
    expect(await (await getInfo("*/*")).json()).toEqual({ result });
    const cbor = await getInfo("application/cbor");
    expect(cbor.headers.get("content-type")).toContain("application/cbor");
    expect(decode(new Uint8Array(await cbor.arrayBuffer()))).toEqual({ result });
    const markdown = await getInfo("text/markdown");
    expect(markdown.headers.get("content-type")).toContain("text/markdown");
    expect(JSON.parse(await markdown.text())).toEqual({ result });
  });

  test("a stale one says as of when", async () => {
    expect((await getInfo("*/*")).headers.get("x-mainspring-stale-as-of")).toBe("2026-01-01T00:00:00.000Z");
    const native = await fetch(`${url}/v1/spaces/notes`, { headers: { authorization: "Bearer ana" } });
    expect(described.space.parse(await native.json())).toMatchObject({ stale_as_of: "2026-01-01T00:00:00.000Z" });
  });

  test("failures are JSON in the envelope, and problem details on native routes", async () => {
    answers["getSpace"] = async () => Promise.reject(new MainspringError("not_found", "space not found"));
    const response = await getInfo("text/markdown");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: { message: "space not found", data: { code: "not_found" } } });
    const native = await fetch(`${url}/v1/spaces/notes`, { headers: { authorization: "Bearer ana" } });
    expect(await native.json()).toMatchObject({ status: 404, code: "not_found", detail: "space not found" });
  });

  test("a bad credential is 401", async () => {
    const response = await fetch(`${url}/v1/notes/info`, { headers: { authorization: "Bearer bad" } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { data: { reason: "invalid_token" } } });
  });

  test("the views are as described", () => {
    described.space.parse(spaceView(SPACE));
    const citation = { entity: "C-1", type: "", name: "", confidence: null, source: "", createdAt: "", text: "" };
    expect(described.memory.parse(citationView(citation))).toEqual({ entity: "C-1" });
    described.memory.parse(citationView({ ...citation, confidence: 0, createdAt: "2026-01-01T00:00:00.000Z" }));
  });
});

describe("addresses", () => {
  beforeEach(() => {
    answers["getSpace"] = async () => newest(SPACE);
  });

  test("a Space is found at both, and the names of routes are none", async () => {
    for (const path of ["/v1/notes/info", "/v1/spaces/notes/info"]) {
      const response = await fetch(url + path, { headers: { authorization: "Bearer ana" } });
      expect(response.status, path).toBe(200);
    }
    expect(callerOf().scopes).toEqual(["notes"]);
    for (const path of ["/v1/sessions/info", "/v1/models/info", "/v1/spaces/keys/info"]) {
      expect((await fetch(url + path, { headers: { authorization: "Bearer ana" } })).status, path).toBe(401);
    }
    expect(calls).toHaveLength(2);
  });

  test.each(["/v1/notes/formation", "/v1/spaces/notes/wiki/docs", "/v1/notes/info"])(
    "POST %s is no route",
    async (path) => {
      const response = await post(path, "{}", { authorization: "Bearer bad" });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { data: { reason: "no_such_route" } } });
    },
  );

  test.each([
    ["shard-id", "3", 3],
    ["x-shard", "0", 0],
    ["shard-id", "three", null],
    ["shard-id", "-1", null],
    ["accept", "*/*", null],
  ])("%s: %s asks for shard %s", async (name, value, shard) => {
    await fetch(`${url}/v1/notes/info`, { headers: { authorization: "Bearer ana", [name]: value } });
    expect(callerOf().shard).toBe(shard);
  });

  test("/info and /SKILL.md need no credential", async () => {
    expect(await (await fetch(`${url}/info`)).json()).toMatchObject({ name: "mainspring", sharding: 0 });
    expect(await (await fetch(`${url}/SKILL.md`)).text()).toContain("/execute_kip_readonly");
  });
});

describe("KIP", () => {
  const kip = { kip: "2.0", status: "failed", results: [] };
  beforeEach(() => {
    answers["executeKip"] = async () => newest(JSON.stringify(kip));
  });

  test("answers the KIP response itself, also where it failed", async () => {
    const response = await post("/v1/notes/execute_kip_readonly", '"DESCRIBE PRIMER"');
    expect([response.status, await response.json()]).toEqual([200, kip]);
    expect(calls[0]!.args.slice(1)).toEqual(["notes", '"DESCRIBE PRIMER"', true]);
    await post("/v1/notes/execute_kip", "DESCRIBE PRIMER", { "content-type": "text/plain" });
    expect(calls[1]!.args.slice(1)).toEqual(["notes", '"DESCRIBE PRIMER"', false]);
  });

  test("takes its idempotency key from the header", async () => {
    await post("/v1/notes/execute_kip", '"X"', { "idempotency-key": "k" });
    const request = { kip: "2.0", operations: [{ command: "X" }], execution: { idempotency_key: "k" } };
    expect(JSON.parse(calls[0]!.args[2] as string)).toEqual(request);
    const long = await post("/v1/notes/execute_kip", '"X"', { "idempotency-key": "k".repeat(257) });
    expect(long.status).toBe(400);
  });

  test("keeps the key that it has", () => {
    const own = { execution: { idempotency_key: "own", mode: "sequence" }, operations: [] };
    expect(withIdempotencyKey(own, "k")).toBe(own);
    const inOperation = { operations: [{ command: "X", idempotency_key: "own" }] };
    expect(withIdempotencyKey(inOperation, "k")).toBe(inOperation);
    expect(withIdempotencyKey({ execution: { mode: "sequence" } }, "k")).toEqual({
      execution: { mode: "sequence", idempotency_key: "k" },
    });
    for (const wrong of [{ execution: 7 }, { execution: null }, { execution: [] }]) {
      expect(withIdempotencyKey(wrong, "k")).toBe(wrong);
    }
  });
});

describe("admission", () => {
  test("a client that leaves cancels nothing, and its place is taken until the work has ended", async () => {
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    answers["pin"] = async () => {
      started.resolve();
      await finish.promise;
      return {};
    };
    const closed = Promise.withResolvers<void>();
    server.once("request", (_request, response) => response.once("close", closed.resolve));
    const client = httpRequest(`${url}/v1/notes/memory/pin`, { method: "POST" });
    client.on("error", () => undefined);
    client.end('{"entity":"C-1"}');
    await started.promise;
    client.destroy();
    await closed.promise;
    expect(admission.admitted).toBe(1);
    finish.resolve();
    await expect.poll(() => admission.admitted).toBe(0);
  });

  test("past the limit requests are 503, and served again when there is room", async () => {
    const finish = Promise.withResolvers<void>();
    answers["getSpace"] = async () => {
      await finish.promise;
      return newest(SPACE);
    };
    const waiting = [fetch(`${url}/v1/notes/info`), fetch(`${url}/v1/notes/info`)];
    await expect.poll(() => calls.length).toBe(2);
    const refused = await fetch(`${url}/v1/notes/info`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    finish.resolve();
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
    await expect.poll(() => admission.admitted).toBe(0);
    expect((await fetch(`${url}/v1/notes/info`)).status).toBe(200);
  });
});

describe("dump and load", () => {
  const admin = { authorization: "Bearer root" };

  test("need an admin before a byte of the body is read", async () => {
    expect((await post("/v1/spaces/notes/load", "bytes")).status).toBe(403);
    expect((await fetch(`${url}/v1/spaces/notes/dump`, { headers: { authorization: "Bearer ana" } })).status).toBe(403);
    expect(calls).toEqual([]);
  });

  test("a dump comes as it is read, and one that breaks off breaks the connection", async () => {
    const broken = Promise.withResolvers<void>();
    answers["dumpSpace"] = async function* () {
      yield new TextEncoder().encode("first");
      await broken.promise;
      throw new MainspringError("unavailable", "gone");
    };
    const response = await fetch(`${url}/v1/spaces/notes/dump`, { headers: admin });
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("first");
    broken.resolve();
    await expect(reader.read()).rejects.toThrow();
  });

  test("a dump that cannot begin is a problem", async () => {
    answers["dumpSpace"] = async function* () {
      yield* [];
      throw new MainspringError("not_found", "space not found");
    };
    const response = await fetch(`${url}/v1/spaces/notes/dump`, { headers: admin });
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  test("a load is passed on in frames of at most 1 MiB, for the owner that is named", async () => {
    const frames: number[] = [];
    answers["loadSpace"] = async (...args: readonly unknown[]) => {
      for await (const frame of args[3] as AsyncIterable<Uint8Array>) frames.push(frame.length);
      return SPACE;
    };
    const response = await post("/v1/spaces/notes/load?owner=bo", new Uint8Array(5 * 1024 * 1024), admin);
    expect(response.status).toBe(201);
    expect(calls[0]!.args.slice(1, 3)).toEqual(["notes", "bo"]);
    expect(frames.reduce((sum, bytes) => sum + bytes, 0)).toBe(5 * 1024 * 1024);
    expect(Math.max(...frames)).toBeLessThanOrEqual(1024 * 1024);
  });

  test("a load that is refused while its client still sends is answered all the same", async () => {
    answers["loadSpace"] = async (...args: readonly unknown[]) => {
      await (args[3] as AsyncGenerator<Uint8Array>).next();
      throw new MainspringError("already_exists", "there is one");
    };
    const client = httpRequest(`${url}/v1/spaces/notes/load`, { method: "POST", headers: admin });
    const answered = new Promise<number>((resolve, reject) => {
      client.once("response", (response) => response.resume().once("end", () => resolve(response.statusCode ?? 0)));
      client.once("error", reject);
    });
    const sent = new Promise<void>((resolve, reject) => client.once("finish", resolve).once("error", reject));
    client.end(new Uint8Array(64 * 1024 * 1024));
    expect(await answered).toBe(409);
    await sent;
  });

  test("a load whose client leaves fails instead of ending", async () => {
    const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    answers["loadSpace"] = async (...args: readonly unknown[]) => {
      try {
        for await (const _ of args[3] as AsyncIterable<Uint8Array>) began.resolve();
        ended.resolve("ended");
      } catch (error) {
        ended.resolve(error);
      }
      throw new MainspringError("aborted", "broken off");
    };
    const client = httpRequest(`${url}/v1/spaces/notes/load`, { method: "POST", headers: admin });
    client.on("error", () => undefined);
    client.write("half");
    await began.promise;
    client.destroy();
    expect(await ended.promise).toBeInstanceOf(Error);
  });
});
