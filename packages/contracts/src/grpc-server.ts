/** Serves contracts over gRPC, with health and reflection. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type {
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { MainspringError } from "@mainspring/kernel";
import { HealthImplementation } from "grpc-health-check";

import { credentialOf, isForwarded, principalOf, traceparentOf } from "./call-metadata.ts";
import { inCallSpan } from "./call-span.ts";
import { ANONYMOUS, MESSAGE_BYTES_MAX } from "./contract.ts";
import type { CallContext } from "./contract.ts";
import { FLOW_WINDOW_BYTES, KEEPALIVE_TIME_MS, KEEPALIVE_TIMEOUT_MS, sized } from "./grpc-options.ts";
import type { Sized } from "./grpc-options.ts";
import { packageDefinition } from "./package-definition.ts";
import { pump } from "./pump.ts";
import type {
  AnyHandler,
  DuplexHandler,
  OnUnexpected,
  Registration,
  Serving,
  StreamHandler,
  UnaryHandler,
} from "./registration.ts";
import { StreamBuffer } from "./stream-buffer.ts";
import { checkText, noticing } from "./strict-text.ts";
import { callerGone, deadlineExceeded, toStatusError } from "./wire-error.ts";

/** Calls that one connection may have open; more wait in the client. */
export const CONCURRENT_CALLS_PER_CONNECTION_MAX = 4096;

export interface GrpcServerOptions {
  /** `host:port`; port 0 picks a free one. */
  readonly listen: string;
  readonly onUnexpected?: OnUnexpected;
  /**
   * Strangers may call: who they say they are is not read, handlers get the credential that they show and make the spans of
   * their calls. Default false.
   */
  readonly isPublic?: boolean;
}

export interface GrpcServer extends Serving {
  /** `host:port` with the real port. */
  readonly address: string;
  readonly port: number;
}

export async function serveGrpc(
  registrations: readonly Registration[],
  options: GrpcServerOptions,
): Promise<GrpcServer> {
  const onUnexpected = options.onUnexpected ?? (() => undefined);
  const server = new Server({
    "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
    "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
    "grpc.max_concurrent_streams": CONCURRENT_CALLS_PER_CONNECTION_MAX,
    "grpc.keepalive_time_ms": KEEPALIVE_TIME_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc-node.flow_control_window": FLOW_WINDOW_BYTES,
  });
  const health = new HealthImplementation({ "": "SERVING" });
  for (const { name, definition, handlers } of registrations) {
    const implementation: Record<string, UntypedHandleCall> = {};
    for (const [method, handler] of Object.entries(handlers)) {
      const called = definition[method] as MethodDefinition<object, object>;
      implementation[method] = adapt(called, handler, { ...options, onUnexpected });
    }
    server.addService(reading(definition, options.isPublic === true), implementation);
    health.setStatus(name, "SERVING");
  }
  health.addToServer(server);
  const names = registrations.map((registration) => registration.name);
  new ReflectionService(packageDefinition(), { services: names }).addToServer(server);

  const port = await bind(server, options.listen);
  const host = options.listen.slice(0, options.listen.lastIndexOf(":"));
  return {
    port,
    address: `${host}:${port}`,
    setServing: (name, serving) => health.setStatus(name, serving ? "SERVING" : "NOT_SERVING"),
    drain: async (graceMs) => {
      for (const name of ["", ...names]) health.setStatus(name, "NOT_SERVING");
      await shutDown(server, graceMs);
    },
  };
}

/**
 * How requests are read. Those of a stream come with their size, so that what waits for the handler can be bounded; of a
 * stranger's it is noticed when their texts are none.
 */
function reading(definition: ServiceDefinition, isPublic: boolean): ServiceDefinition {
  const entries = Object.entries(definition).map(([name, method]) => {
    const read = method.requestDeserialize as (bytes: Buffer) => object;
    const strict = isPublic ? noticing(read) : read;
    return [name, { ...method, requestDeserialize: method.requestStream ? sized(strict) : strict }];
  });
  return Object.fromEntries(entries) as ServiceDefinition;
}

function bind(server: Server, listen: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(listen, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(new MainspringError("unavailable", `cannot listen on ${listen}`, { cause: error, retry: "never" }));
    });
  });
}

function shutDown(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      // A peer that keeps its end of the connection open would be waited for without end.
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function adapt(
  method: MethodDefinition<object, object>,
  handler: AnyHandler,
  { onUnexpected, isPublic = false }: GrpcServerOptions & { readonly onUnexpected: OnUnexpected },
): UntypedHandleCall {
  const seen = (thrown: unknown): Error => {
    if (!(thrown instanceof MainspringError)) onUnexpected(method.path, thrown);
    return toStatusError(thrown);
  };
  if (method.requestStream) {
    return (call: ServerDuplexStream<Sized, unknown>) => void duplex(call, handler as DuplexHandler, isPublic, seen);
  }
  if (method.responseStream) {
    return (call: ServerWritableStream<unknown, unknown>) => {
      const start = (context: CallContext): AsyncIterable<unknown> => {
        checkText(call.request);
        return (handler as StreamHandler)(call.request, context);
      };
      void respond(call, start, isPublic, seen);
    };
  }
  return (
    call: ServerUnaryCall<unknown, unknown>,
    callback: (error: Error | null, response?: unknown) => void,
  ): void => {
    const run = async (): Promise<void> => {
      try {
        checkText(call.request);
        const context = contextOf(call, isPublic);
        const handle = (inner: CallContext): Promise<unknown> => (handler as UnaryHandler)(call.request, inner);
        callback(null, isPublic ? await handle(context) : await inCallSpan(method.path, context, handle));
      } catch (thrown) {
        callback(call.cancelled ? toStatusError(thrown) : seen(thrown));
      }
    };
    void run();
  };
}

interface ServedCall extends Pick<ServerUnaryCall<unknown, unknown>, "getDeadline" | "metadata"> {
  once(event: "cancelled", listener: () => void): unknown;
}

function contextOf(call: ServedCall, isPublic: boolean): CallContext {
  const controller = new AbortController();
  const deadline = call.getDeadline();
  const deadlineMs = typeof deadline === "number" ? deadline : deadline.getTime();
  call.once("cancelled", () => {
    controller.abort(Date.now() >= deadlineMs ? deadlineExceeded() : callerGone());
  });
  const traceparent = traceparentOf(call.metadata);
  return {
    signal: controller.signal,
    deadlineMs: Number.isFinite(deadlineMs) ? deadlineMs : undefined,
    principal: isPublic ? ANONYMOUS : principalOf(call.metadata),
    traceparent,
    callerTraceparent: traceparent,
    forwarded: !isPublic && isForwarded(call.metadata),
    credential: isPublic ? credentialOf(call.metadata) : "",
  };
}

type ServerStream = ServerWritableStream<unknown, unknown> | ServerDuplexStream<Sized, unknown>;

async function respond(
  call: ServerStream,
  start: (context: CallContext) => AsyncIterable<unknown>,
  isPublic: boolean,
  seen: (thrown: unknown) => Error,
): Promise<void> {
  try {
    const context = contextOf(call, isPublic);
    await pump(start(context), context.signal, (item) => (call.write(item) ? undefined : roomIn(call)));
    call.end();
  } catch (thrown) {
    if (!call.cancelled) call.emit("error", seen(thrown));
  }
}

/** Resolves when the stream takes more, or never will. */
function roomIn(call: ServerStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off("drain", done);
      call.off("cancelled", done);
      call.off("close", done);
      resolve();
    };
    call.once("drain", done);
    call.once("cancelled", done);
    call.once("close", done);
  });
}

async function duplex(
  call: ServerDuplexStream<Sized, unknown>,
  handler: DuplexHandler,
  isPublic: boolean,
  seen: (thrown: unknown) => Error,
): Promise<void> {
  const requests = new StreamBuffer<unknown>(
    () => call.resume(),
    () => call.resume(),
  );
  call.on("data", ({ message, bytes }: Sized) => {
    if (!requests.push(message, bytes)) call.pause();
  });
  // A reset connection reads as an orderly end first and is reported as cancelled in the same turn of the event loop.
  call.on("end", () => setImmediate(() => requests.end()));
  call.on("cancelled", () => requests.abort(callerGone()));
  await respond(call, (context) => handler(requests, context), isPublic, seen);
  requests.abort(callerGone());
  call.resume();
}
