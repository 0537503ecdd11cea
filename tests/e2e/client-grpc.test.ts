/** `@mainspring/client/grpc`: a program against the public gRPC of the embedded server. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Mainspring } from "@mainspring/client";
import type { DeltaRow, EventRow, SessionMessage } from "@mainspring/client";
import { connectGrpc } from "@mainspring/client/grpc";
import type { GrpcOptions, MainspringGrpc } from "@mainspring/client/grpc";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { CuttingProxy } from "../support/cutting-proxy.ts";
import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { TlsProxy } from "../support/tls-proxy.ts";

let server: EmbeddedServer;
let dataDir: string;
let address: string;
let http: Mainspring;
const open: MainspringGrpc[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-client-grpc-"));
  server = await startUp(dataDir, { MAINSPRING_GATEWAY_GRPC_LISTEN: "127.0.0.1:0" });
  address = (await server.process.line(/gRPC of gateway: (\S+)/))[1]!;
  http = new Mainspring({ url: server.url, key: ADMIN_KEY });
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

function connect(more: Partial<GrpcOptions> = {}): MainspringGrpc {
  const client = connectGrpc({ address, apiKey: ADMIN_KEY, ...more });
  open.push(client);
  return client;
}

async function submit({ engine }: MainspringGrpc, text: string, sessionId = "") {
  const { session_id, run_id } = await engine.SubmitInput({
    session_id: sessionId,
    items_json: JSON.stringify([{ type: "message", role: "user", text }]),
    spec_json: JSON.stringify({ agent: "script" }),
  });
  return { session: session_id, run: run_id };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const isEvent = ({ event }: SessionMessage): boolean => event !== "delta" && event !== "caught_up";
const textOf = (messages: readonly SessionMessage[]): string =>
  messages.flatMap(({ event, data }) => (event === "delta" ? [(data as DeltaRow).text] : [])).join("");

describe("calls", () => {
  test("run agents, and what is followed is what HTTP has", async () => {
    const client = connect();
    const { session, run } = await submit(client, 'call calculator {"expression":"6*7"}\nsay {{result}}');
    const messages = await all(client.followSession(session, { run }));
    expect(messages.at(-1)!.event).toBe("run.completed");
    const { data: log } = await http.sessions.log(session, { limit: 1_000, run });
    expect(messages.filter(isEvent).map(({ data }) => data)).toEqual(log);
    expect((await client.engine.GetRun({ run_id: run })).run).toMatchObject({ status: "completed", agent: "script" });
    // From a cursor on: what comes after it, and that alone.
    const after = String((messages.find(isEvent)!.data as EventRow).seq);
    const rest = await all(client.followSession(session, { run, after }));
    expect(rest.filter(isEvent)).toEqual(messages.filter(isEvent).slice(1));
  });

  test("reach Spaces, and a Space token opens its own alone", async () => {
    const { memory } = connect();
    await memory.CreateSpace({ space_id: "wire", user: "me" });
    await memory.Remember({ space_id: "wire", text: "Ana moved to Lisbon.", idempotency_key: "k" });
    const { token } = await memory.AddSpaceToken({ space_id: "wire", name: "reader", scope: "read" });
    const reader = connect({ apiKey: token!.token }).memory;
    const { memories } = await reader.Recall({ space_id: "wire", query: "where is Ana" });
    expect(JSON.stringify(memories)).toContain("Lisbon");
    const refused = reader.Remember({ space_id: "wire", text: "x" });
    await expect(refused).rejects.toMatchObject({ name: "MainspringError", code: "permission_denied" });
  });

  test("make experiments, which are followed to their end", async () => {
    const client = connect();
    const subjects = [{ model: "agent/script" }, { model: "offline/script" }];
    const tasks = [{ id: "hello", input: "say hello", expected: "hello" }];
    const definition_json = JSON.stringify({ name: "over gRPC", subjects, tasks, repetitions: 2 });
    const { experiment } = await client.evals.CreateExperiment({ definition_json });
    const seen = await all(client.followExperiment(experiment!.id));
    expect(seen.at(-1)).toMatchObject({ status: "completed", progress: { cells: 4, passed: 4 } });
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(seen.length);
    const { report_json } = await client.evals.GetReport({ experiment_id: experiment!.id });
    expect(JSON.parse(report_json)).toMatchObject({ subjects: [{ passed: 2 }, { passed: 2 }] });
    expect(await all(client.followExperiment(experiment!.id))).toHaveLength(1);
  });

  test("fail as they do over HTTP", async () => {
    const { engine, evals } = connect();
    const failureOf = (call: Promise<unknown>) =>
      call.then(
        () => expect.unreachable(),
        ({ name, code, reason, message }: Error & { code: string; reason: string }) => ({
          name,
          code,
          reason,
          message,
        }),
      );
    const run = `run_${"0".repeat(48)}`;
    expect(await failureOf(engine.GetRun({ run_id: run }))).toEqual(await failureOf(http.runs.get(run)));
    const id = `exp_${"0".repeat(32)}`;
    const missing = await failureOf(evals.GetExperiment({ experiment_id: id }));
    expect(missing).toEqual(await failureOf(http.api.get(`/v1/experiments/${id}`)));
    const stranger = await failureOf(connect({ apiKey: "wrong" }).engine.ListSessions({ page_size: 1 }));
    const overHttp = new Mainspring({ url: server.url, key: "wrong" }).sessions.list({ limit: 1 });
    expect(stranger).toEqual(await failureOf(overHttp));
    await expect(all(connect().followSession("ses_x"))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("what ends a call", () => {
  /** Takes connections and says nothing. */
  async function silent(): Promise<{ address: string; taken: Promise<unknown>; [Symbol.dispose](): void }> {
    const sockets: Socket[] = [];
    const listener = createServer((socket) => void sockets.push(socket));
    const taken = once(listener, "connection");
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const close = (): void => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    };
    return { address: `127.0.0.1:${(listener.address() as AddressInfo).port}`, taken, [Symbol.dispose]: close };
  }

  test("its deadline, of the client or of the call", async () => {
    using nobody = await silent();
    const late = { name: "MainspringError", code: "deadline_exceeded" };
    const quick = connect({ address: nobody.address, timeoutMs: 50 });
    await expect(quick.engine.ListAgents({})).rejects.toMatchObject(late);
    const patient = connect({ address: nobody.address });
    await expect(patient.engine.ListAgents({}, { timeoutMs: 50 })).rejects.toMatchObject(late);
  });

  test("no server", async () => {
    const { engine } = connect({ address: "127.0.0.1:9" });
    await expect(engine.ListAgents({})).rejects.toMatchObject({ name: "MainspringError", code: "unavailable" });
  });

  test("its signal, with the signal's reason", async () => {
    using nobody = await silent();
    const leaving = new AbortController();
    const call = connect({ address: nobody.address }).engine.ListAgents({}, { signal: leaving.signal });
    await nobody.taken;
    leaving.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });

  test("of what is followed: its signal or the end of the client; the run goes on", async () => {
    const [client, leaving] = [connect(), new AbortController()];
    const { session, run } = await submit(client, "say one\nwait 600000\nsay two");
    const follow = async (options: { signal?: AbortSignal }, onText: () => void): Promise<void> => {
      for await (const { event } of client.followSession(session, { run, ...options })) if (event === "delta") onText();
    };
    await expect(follow({ signal: leaving.signal }, () => leaving.abort())).rejects.toThrow(/abort/);
    await expect(follow({}, () => client.close())).rejects.toThrow("the client was closed");
    await expect(client.engine.GetRun({ run_id: run })).rejects.toMatchObject({ code: "failed_precondition" });
    await expect(follow({}, () => undefined)).rejects.toMatchObject({ code: "failed_precondition" });
    expect((await http.runs.get(run)).status).toBe("running");
    await http.runs.cancel(run);
  });

  test("a text that is none, which else would be changed without a word", async () => {
    const { memory } = connect();
    await memory.CreateSpace({ space_id: "texts", user: "u" });
    const remember = (text: string) => memory.Remember({ space_id: "texts", text });
    await expect(remember("a\ud800b")).rejects.toMatchObject({ code: "invalid_argument", reason: "invalid_utf8" });
    expect((await remember("a\ufffdb, which is one")).entities).toHaveLength(1);
  });

  test("a deadline or a certificate that cannot be one", () => {
    const refusal = { code: "invalid_argument" };
    for (const more of [{ timeoutMs: Number.NaN }, { timeoutMs: 0 }, { tls: { ca: "junk" } }])
      expect(() => connect(more)).toThrow(expect.objectContaining(refusal));
  });

  test("a key or an address that cannot be one, without repeating the key", () => {
    const wrong = () => connect({ apiKey: "sec\nret" });
    expect(wrong).toThrow(expect.objectContaining({ code: "invalid_argument", param: "apiKey" }));
    expect(wrong).not.toThrow(/ret/);
    expect(() => connect({ address: "http://127.0.0.1:1" })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });
});

describe("a connection that breaks", () => {
  const words = Array.from({ length: 120 }, (_, index) => `word${index}`).join(" ");
  // It goes on for as long as it takes to come back, and has something to say each time.
  const input = Array.from({ length: 6 }, (_, part) => `say part${part} ${words}\nwait 300`).join("\n");
  let proxy: CuttingProxy;
  beforeAll(async () => {
    proxy = await CuttingProxy.start(`http://${address}`);
  });
  afterAll(() => proxy.close());

  async function followed(client: MainspringGrpc, session: string, run: string, onDelta: (count: number) => void) {
    const messages: SessionMessage[] = [];
    for await (const message of client.followSession(session, { run })) {
      messages.push(message);
      if (message.event === "delta") onDelta(messages.length);
    }
    const { data: log } = await http.sessions.log(session, { limit: 1_000, run });
    expect(messages.filter(isEvent).map(({ data }) => data)).toEqual(log);
    expect(messages.filter(({ event }) => event === "caught_up")).toHaveLength(1);
    const deltas = messages.flatMap(({ event, data }) => (event === "delta" ? [data as DeltaRow] : []));
    expect(deltas.map(({ chunk }) => chunk)).toEqual(deltas.map((_, index) => index));
    expect(textOf(messages).match(/part\d/g)).toEqual(["part0", "part1", "part2", "part3", "part4", "part5"]);
    expect(textOf(messages).match(/word\d+/g)).toHaveLength(6 * 120);
  }

  test("loses and doubles nothing of a session, wherever it is cut", async () => {
    const { session, run } = await submit(connect(), input);
    const client = connect({ address: new URL(proxy.url).host });
    const before = proxy.cuts;
    await followed(client, session, run, (count) => count % 150 === 0 && proxy.cutNow());
    expect(proxy.cuts - before).toBeGreaterThan(3);
  });

  test("nor in the middle of a message", async () => {
    const { session, run } = await submit(connect(), input);
    const before = proxy.cuts;
    proxy.cut(4, 3_001);
    await followed(connect({ address: new URL(proxy.url).host }), session, run, () => undefined);
    expect(proxy.cuts - before).toBe(4);
  });

  test("nor the end of an experiment, and tells nothing of it twice", async () => {
    const subjects = [{ model: "agent/script" }, { model: "offline/script" }];
    const tasks = [{ id: "slow", input: "wait 400\nsay hello", expected: "hello" }];
    const definition_json = JSON.stringify({ name: "broken", subjects, tasks, repetitions: 6 });
    const { experiment } = await connect().evals.CreateExperiment({ definition_json });
    const client = connect({ address: new URL(proxy.url).host });
    const seen: object[] = [];
    for await (const each of client.followExperiment(experiment!.id)) {
      seen.push(each);
      proxy.cutNow();
    }
    expect(seen.at(-1)).toMatchObject({ status: "completed", progress: { passed: 12 } });
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(seen.length);
  });
});

describe("TLS", () => {
  let proxy: TlsProxy;
  beforeAll(async () => {
    proxy = await TlsProxy.start(address);
  });
  afterAll(() => proxy.close());

  test("is spoken with a server whose certificate is trusted, and with no other", async () => {
    const there = { address: `localhost:${proxy.port}` };
    const { agents } = await connect({ ...there, tls: { ca: proxy.ca } }).engine.ListAgents({});
    expect(agents.map(({ name }) => name)).toContain("script");
    const unavailable = { code: "unavailable" };
    await expect(connect({ ...there, tls: true }).engine.ListAgents({})).rejects.toMatchObject(unavailable);
    await expect(connect(there).engine.ListAgents({})).rejects.toMatchObject(unavailable);
    const plain = address.replace("127.0.0.1", "localhost");
    await expect(connect({ address: plain, tls: true }).engine.ListAgents({})).rejects.toMatchObject(unavailable);
  });
});
