/** One suite for both transports: what crosses the one crosses the other alike. */
import { hostname } from "node:os";

import { Client, credentials } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import {
  ANONYMOUS,
  connectGrpc,
  engineContract,
  InProcessServer,
  MESSAGE_BYTES_MAX,
  modelRouterContract,
  onBehalfOf,
  serve,
  serveGrpc,
  toolRunnerContract,
} from "@mainspring/contracts";
import type {
  CallContext,
  EngineClient,
  EngineHandlers,
  ModelRouterClient,
  ModelRouterHandlers,
  Registration,
  Serving,
  ToolRunnerHandlers,
} from "@mainspring/contracts";
import type { ConverseRequest__Output, ConverseResponse } from "@mainspring/contracts/model-router";
import type { SubscribeEventsResponse } from "@mainspring/contracts/engine";
import { MainspringError } from "@mainspring/kernel";
import { protoPath as healthProto } from "grpc-health-check";
import { afterEach, describe, expect, test } from "vitest";

interface Peer {
  readonly engine: EngineClient;
  readonly router: ModelRouterClient;
  readonly server: Serving;
}

type Open = (registrations: Registration[], onUnexpected: (method: string, thrown: unknown) => void) => Promise<Peer>;

const cleanups: (() => Promise<void> | void)[] = [];

async function openInProcess(...[registrations, onUnexpected]: Parameters<Open>): Promise<Peer> {
  const server = new InProcessServer(registrations, { onUnexpected });
  cleanups.push(() => server.drain(0));
  return { server, engine: server.connect(engineContract), router: server.connect(modelRouterContract) };
}

async function openGrpc(...[registrations, onUnexpected]: Parameters<Open>): Promise<Peer> {
  const server = await serveGrpc(registrations, { listen: "127.0.0.1:0", onUnexpected });
  const engine = connectGrpc(engineContract, server.address);
  const router = connectGrpc(modelRouterContract, server.address);
  cleanups.push(() => {
    engine.close();
    router.close();
    return server.drain(0);
  });
  return { server, engine, router };
}

const never = new Promise<never>(() => undefined);
const unused = (): never => {
  throw new MainspringError("unimplemented", "not part of this test");
};

/** A service whose every method fails, but for those given. */
function engineWith(handlers: Partial<EngineHandlers>): Registration {
  const all = Object.fromEntries(Object.keys(engineContract.definition()).map((name) => [name, unused]));
  return serve(engineContract, { ...(all as unknown as EngineHandlers), ...handlers });
}

function routerWith(handlers: Partial<ModelRouterHandlers>): Registration {
  return serve(modelRouterContract, { ListModels: unused, Converse: unused, ...handlers });
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function aborted(context: CallContext): Promise<unknown> {
  const { signal } = context;
  if (signal.aborted) return Promise.resolve(signal.reason);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason), { once: true }));
}

async function* events(count: number): AsyncGenerator<SubscribeEventsResponse> {
  for (let seq = 1; seq <= count; seq += 1) yield { event: { seq, type: "run.started", at_ms: 2 ** 42 } };
}

describe.each<{ name: string; open: Open }>([
  { name: "in process", open: openInProcess },
  { name: "gRPC", open: openGrpc },
])("calls $name", ({ open }) => {
  const unexpected: unknown[] = [];
  const start = (engine: Partial<EngineHandlers>, router: Partial<ModelRouterHandlers> = {}): Promise<Peer> => {
    unexpected.length = 0;
    return open([engineWith(engine), routerWith(router)], (_method, thrown) => unexpected.push(thrown));
  };

  test("a unary call passes its message through the contract: defaults filled, unknown keys dropped", async () => {
    let seen: unknown;
    const { engine } = await start({
      SubmitInput: async (request) => {
        seen = request;
        return { session_id: "ses_1", mail_no: 2 ** 52 };
      },
    });
    const request = { client_run_id: "a", unknown_key: 1 };
    const response = await engine.SubmitInput(request);
    expect(response).toEqual({ session_id: "ses_1", run_id: "", mail_no: 2 ** 52, created: false });
    expect(seen).toMatchObject({ client_run_id: "a", items_json: "", session_id: "" });
    expect(seen).not.toHaveProperty("unknown_key");
  });

  test("a server stream arrives whole and in order, and absent parts read alike", async () => {
    const { engine } = await start({ SubscribeEvents: () => events(1000) });
    const seen: number[] = [];
    for await (const item of engine.SubscribeEvents({ session_id: "s" })) {
      expect(item.item).toBe("event");
      expect(item.delta ?? null).toBeNull();
      seen.push(item.event?.seq ?? 0);
    }
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  });

  test("a duplex call answers while requests still come, and ends when the caller ends", async () => {
    const { router } = await start(
      {},
      {
        Converse: async function* echo(requests) {
          for await (const { append } of requests) yield { delta: { text: append?.items_json ?? "" } };
          yield { completed: { finish_reason: "stop" } };
        },
      },
    );
    const call = router.Converse();
    const responses = call.responses[Symbol.asyncIterator]();
    for (const text of ["a", "b", "c"]) {
      await call.send({ append: { items_json: text } });
      const { value } = await responses.next();
      expect(value).toMatchObject({ message: "delta", delta: { text } });
    }
    call.end();
    expect((await responses.next()).value).toMatchObject({ message: "completed" });
    expect((await responses.next()).done).toBe(true);
    await expect(call.send({ stop: {} })).rejects.toMatchObject({ reason: "call_ended" });
  });

  test("an error crosses with all its fields", async () => {
    const { engine } = await start({
      GetRun: async () => {
        throw new MainspringError("failed_precondition", "nicht möglich: ☃", {
          retry: { afterMs: 1500 },
          reason: "run_over",
          param: "$.run_id",
          cause: new Error("secret"),
        });
      },
    });
    const error = await engine.GetRun({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MainspringError);
    expect(error).toMatchObject({
      code: "failed_precondition",
      message: "nicht möglich: ☃",
      retry: { afterMs: 1500 },
      reason: "run_over",
      param: "$.run_id",
    });
    expect((error as Error).cause).toBeUndefined();
    expect(unexpected).toEqual([]);
  });

  test.each(["never", "safe", "unknownOutcome"] as const)("retry %s crosses", async (retry) => {
    const { engine } = await start({
      GetRun: async () => {
        throw new MainspringError("unavailable", "x", { retry });
      },
    });
    await expect(engine.GetRun({})).rejects.toMatchObject({ code: "unavailable", retry });
  });

  test("an unexpected error tells the caller nothing, and the server everything", async () => {
    const { engine } = await start({
      GetRun: () => {
        throw new TypeError("secret of the server");
      },
    });
    const error = await engine.GetRun({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "internal", retry: "never" });
    expect(String(error)).not.toContain("secret");
    expect(unexpected).toHaveLength(1);
  });

  test("an error in mid-stream comes after the messages before it", async () => {
    const { engine } = await start({
      SubscribeEvents: async function* fail() {
        yield* events(3);
        throw new MainspringError("data_loss", "log ends early");
      },
    });
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const { event } of engine.SubscribeEvents({})) seen.push(event?.seq ?? 0);
    };
    await expect(read()).rejects.toMatchObject({ code: "data_loss", message: "log ends early" });
    expect(seen).toEqual([1, 2, 3]);
  });

  test("caller, trace and deadline arrive, and can be handed on", async () => {
    const seen: CallContext[] = [];
    const { engine } = await start({
      GetRun: async (_request, context) => {
        seen.push(context);
        return {};
      },
    });
    const principal = { tenant: "t1", subject: "key_1", scopes: ["read", "ünï"] };
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const before = Date.now();
    await engine.GetRun({}, { principal, traceparent, timeoutMs: 60_000 });
    await engine.GetRun({});
    const [given, bare] = seen;
    expect(given).toMatchObject({ principal, traceparent });
    expect(given?.deadlineMs).toBeGreaterThan(before + 30_000);
    expect(given?.deadlineMs).toBeLessThanOrEqual(Date.now() + 60_001);
    expect(bare).toMatchObject({ principal: ANONYMOUS, traceparent: "", deadlineMs: undefined });
    expect(onBehalfOf(given as CallContext)).toMatchObject({ principal, traceparent });
    expect(onBehalfOf(given as CallContext).timeoutMs).toBeGreaterThan(30_000);
  });

  test("a deadline fails the caller with an unknown outcome, and aborts the handler", async () => {
    const reason = Promise.withResolvers<unknown>();
    const { engine } = await start({
      GetRun: async (_request, context) => {
        reason.resolve(aborted(context));
        return await never;
      },
    });
    await expect(engine.GetRun({}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "deadline_exceeded",
      retry: "unknownOutcome",
    });
    expect(await reason.promise).toMatchObject({ code: "deadline_exceeded" });
  });

  test("a cancelled unary call rejects with the signal's reason, and aborts the handler", async () => {
    const reason = Promise.withResolvers<unknown>();
    const entered = Promise.withResolvers<void>();
    const { engine } = await start({
      GetRun: async (_request, context) => {
        entered.resolve();
        reason.resolve(aborted(context));
        return await never;
      },
    });
    const controller = new AbortController();
    const call = engine.GetRun({}, { signal: controller.signal });
    const why = new Error("no longer wanted");
    void entered.promise.then(() => controller.abort(why));
    await expect(call).rejects.toBe(why);
    expect(await reason.promise).toMatchObject({ name: "AbortError" });
    await expect(engine.GetRun({}, { signal: controller.signal })).rejects.toBe(why);
  });

  test("a cancelled stream rejects with the signal's reason, and closes the handler's source", async () => {
    const closed = Promise.withResolvers<void>();
    const { engine } = await start({
      SubscribeEvents: async function* wait(_request, context) {
        try {
          yield* events(1);
          await aborted(context);
        } finally {
          closed.resolve();
        }
      },
    });
    const controller = new AbortController();
    const why = new Error("left");
    const read = async (): Promise<void> => {
      for await (const _ of engine.SubscribeEvents({}, { signal: controller.signal })) controller.abort(why);
    };
    await expect(read()).rejects.toBe(why);
    await closed.promise;
  });

  test("leaving a stream cancels it", async () => {
    const reason = Promise.withResolvers<unknown>();
    const { engine } = await start({
      SubscribeEvents: async function* wait(_request, context) {
        reason.resolve(aborted(context));
        yield* events(1);
        await never;
      },
    });
    for await (const _ of engine.SubscribeEvents({})) break;
    expect(await reason.promise).toMatchObject({ name: "AbortError" });
  });

  test("a cancelled duplex call fails the handler's requests", async () => {
    const failure = Promise.withResolvers<unknown>();
    const { router } = await start(
      {},
      {
        Converse: async function* wait(requests) {
          yield { delta: { text: "ready" } };
          try {
            for await (const _ of requests) void _;
          } catch (error) {
            failure.resolve(error);
            throw error;
          }
        },
      },
    );
    const controller = new AbortController();
    const call = router.Converse({ signal: controller.signal });
    const responses = call.responses[Symbol.asyncIterator]();
    await responses.next();
    const why = new Error("stop");
    controller.abort(why);
    await expect(responses.next()).rejects.toBe(why);
    expect(await failure.promise).toMatchObject({ name: "AbortError" });
    await expect(call.send({ stop: {} })).rejects.toMatchObject({ reason: "call_ended" });
  });

  test("a slow reader holds the writer back, and still gets everything", async () => {
    const total = 2_000;
    const text = "x".repeat(16 * 1024);
    let written = 0;
    const { router } = await start(
      {},
      {
        Converse: async function* flood(): AsyncGenerator<ConverseResponse> {
          for (; written < total; written += 1) yield { delta: { text } };
        },
      },
    );
    const responses = router.Converse().responses[Symbol.asyncIterator]();
    await responses.next();
    let before = -1;
    while (written !== before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(written).toBeLessThan(total / 2);
    let seen = 1;
    while ((await responses.next()).done !== true) seen += 1;
    expect(seen).toBe(total);
  });

  test("a slow handler holds the sender back, and still gets everything", async () => {
    const go = Promise.withResolvers<void>();
    const text = "x".repeat(16 * 1024);
    const total = 1_000;
    const { router } = await start(
      {},
      {
        Converse: async function* slow(requests: AsyncIterable<ConverseRequest__Output>) {
          await go.promise;
          let seen = 0;
          for await (const { append } of requests) seen += append?.items_json.length === text.length ? 1 : 0;
          yield { attempt: seen };
        },
      },
    );
    const call = router.Converse();
    let sent = 0;
    const send = async (): Promise<void> => {
      for (; sent < total; sent += 1) await call.send({ append: { items_json: text } });
      call.end();
    };
    const sending = send();
    let before = -1;
    while (sent !== before) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sent).toBeLessThan(total / 2);
    go.resolve();
    await sending;
    for await (const { attempt } of call.responses) expect(attempt).toBe(total);
  });

  test("messages of 1 MB pass both ways, and those above the limit fail alone", async () => {
    const { router, engine } = await start(
      { GetRun: async () => ({ spec_json: "x".repeat(MESSAGE_BYTES_MAX + 1) }), GetSession: async () => ({}) },
      {
        Converse: async function* echo(requests) {
          for await (const { append } of requests) yield { delta: { text: append?.items_json ?? "" } };
        },
      },
    );
    const text = "é".repeat(500_000);
    const call = router.Converse();
    const responses = call.responses[Symbol.asyncIterator]();
    for (let round = 0; round < 5; round += 1) {
      await call.send({ append: { items_json: text } });
      expect((await responses.next()).value?.delta?.text).toBe(text);
    }
    call.end();
    const large = { session_id: "x".repeat(MESSAGE_BYTES_MAX + 1) };
    await expect(engine.GetSession(large)).rejects.toMatchObject({ code: "resource_exhausted" });
    await expect(engine.GetRun({})).rejects.toMatchObject({ code: "resource_exhausted" });
    await expect(engine.GetSession({})).resolves.toEqual({ session: null });
  });

  test("a server that goes away in mid-stream leaves the outcome unknown, and then answers nothing", async () => {
    const reason = Promise.withResolvers<unknown>();
    const { engine, server } = await start({
      SubscribeEvents: async function* wait(_request, context) {
        reason.resolve(aborted(context));
        yield* events(1);
        await never;
      },
    });
    const responses = engine.SubscribeEvents({})[Symbol.asyncIterator]();
    await responses.next();
    await server.drain(0);
    await expect(responses.next()).rejects.toMatchObject({ code: "unavailable", retry: "unknownOutcome" });
    await reason.promise;
    await expect(engine.GetRun({}, { timeoutMs: 10_000 })).rejects.toMatchObject({
      code: "unavailable",
      retry: "safe",
    });
  });

  test("a drain lets calls under way finish", async () => {
    const entered = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const { engine, server } = await start({
      GetRun: async () => {
        entered.resolve();
        await go.promise;
        return { spec_json: "done" };
      },
    });
    const call = engine.GetRun({});
    await entered.promise;
    const drained = server.drain(60_000);
    go.resolve();
    expect((await call).spec_json).toBe("done");
    await drained;
  });
});

describe("a gRPC server", () => {
  const toolRunner = serve(toolRunnerContract, {
    ListTools: unused,
    ResolveCalls: unused,
    CancelCalls: unused,
  } satisfies ToolRunnerHandlers);

  async function raw(address: string): Promise<Client> {
    const client = new Client(address, credentials.createInsecure());
    cleanups.push(() => client.close());
    return client;
  }

  test("answers health, one service at a time", async () => {
    const server = await serveGrpc([engineWith({}), toolRunner], { listen: "127.0.0.1:0" });
    cleanups.push(() => server.drain(0));
    const client = await raw(server.address);
    const health = loadSync(healthProto)["grpc.health.v1.Health"] as ReturnType<typeof engineContract.definition>;
    const check = health["Check"];
    const status = (service: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          check?.path ?? "",
          check?.requestSerialize as never,
          check?.responseDeserialize as never,
          { service },
          (error, response) => (error === null ? resolve((response as { status: number }).status) : reject(error)),
        );
      });
    expect(await status("")).toBe(1);
    expect(await status(engineContract.name)).toBe(1);
    server.setServing(engineContract.name, false);
    expect(await status(engineContract.name)).toBe(2);
    expect(await status(toolRunnerContract.name)).toBe(1);
    await expect(status("nobody")).rejects.toMatchObject({ code: 5 });
  });

  test("lists every service by reflection, and describes each", async () => {
    const registrations = [engineWith({}), routerWith({}), toolRunner];
    const server = await serveGrpc(registrations, { listen: "127.0.0.1:0" });
    cleanups.push(() => server.drain(0));
    const client = await raw(server.address);
    const reflection = new URL("../../node_modules/@grpc/reflection/build/proto/", import.meta.url).pathname;
    const loaded = loadSync("grpc/reflection/v1/reflection.proto", { includeDirs: [reflection], defaults: true });
    const service = loaded["grpc.reflection.v1.ServerReflection"] as ReturnType<typeof engineContract.definition>;
    const method = service["ServerReflectionInfo"];
    const ask = (request: object): Promise<Record<string, unknown>> =>
      new Promise((resolve, reject) => {
        const call = client.makeBidiStreamRequest(
          method?.path ?? "",
          method?.requestSerialize as never,
          method?.responseDeserialize as never,
        );
        call.on("data", (response: Record<string, unknown>) => resolve(response));
        call.on("error", reject);
        call.write(request);
        call.end();
      });
    const listed = (await ask({ listServices: "*" }))["listServicesResponse"] as { service: { name: string }[] };
    expect(listed.service.map(({ name }) => name).sort()).toEqual(registrations.map(({ name }) => name).sort());
    for (const { name } of registrations) {
      const described = await ask({ fileContainingSymbol: name });
      expect(described["fileDescriptorResponse"], name).toMatchObject({
        fileDescriptorProto: expect.arrayContaining([expect.anything()]),
      });
    }
  });

  test("is used in turn with its replicas, and passed over when dead; found again when back", async () => {
    const named = (name: string): Registration => engineWith({ GetRun: async () => ({ spec_json: name }) });
    const first = await serveGrpc([named("a")], { listen: "127.0.0.1:0" });
    const second = await serveGrpc([named("b")], { listen: "127.0.0.1:0" });
    cleanups.push(() => second.drain(0));
    const engine = connectGrpc(engineContract, `${first.address},${second.address}`);
    cleanups.push(() => engine.close());
    const seen = new Set<string>();
    while (seen.size < 2) seen.add((await engine.GetRun({})).spec_json);
    await first.drain(0);
    for (let call = 0; call < 10; call += 1) expect((await engine.GetRun({})).spec_json).toBe("b");
    const again = await serveGrpc([named("a again")], { listen: first.address });
    cleanups.push(() => again.drain(0));
    while (!seen.has("a again")) seen.add((await engine.GetRun({})).spec_json);
  });

  test("is found by name, and a list may hold names that lead nowhere", async () => {
    const server = await serveGrpc([engineWith({ GetRun: async () => ({ spec_json: "here" }) })], {
      listen: "127.0.0.1:0",
    });
    cleanups.push(() => server.drain(0));
    const [byName, nowhere] = [hostname(), "no-such-host.invalid"];
    const found = connectGrpc(engineContract, `${nowhere}:7001,127.0.0.1:${server.port},${byName}:1`);
    const lost = connectGrpc(engineContract, `${nowhere}:7001`);
    cleanups.push(
      () => found.close(),
      () => lost.close(),
    );
    expect((await found.GetRun({})).spec_json).toBe("here");
    await expect(lost.GetRun({}, { timeoutMs: 20_000 })).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
  });
});
