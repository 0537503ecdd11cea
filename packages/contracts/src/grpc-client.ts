/** Calls contracts over gRPC. One connection per peer; several peers are used in turn, dead ones are passed over. */
import { isIPv4 } from "node:net";

import { Client, credentials } from "@grpc/grpc-js";
import type { ClientDuplexStream, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";
import { MainspringError } from "@mainspring/kernel";

import { toMetadata } from "./call-metadata.ts";
import { MESSAGE_BYTES_MAX } from "./contract.ts";
import type { CallOptions, Connected, Contract, DuplexCall } from "./contract.ts";
import { FLOW_WINDOW_BYTES, KEEPALIVE_TIME_MS, KEEPALIVE_TIMEOUT_MS, sized } from "./grpc-options.ts";
import type { Sized } from "./grpc-options.ts";
import { callHasEnded } from "./in-process.ts";
import { PEERS_SCHEME } from "./peer-resolver.ts";
import { StreamBuffer } from "./stream-buffer.ts";
import { fromStatus } from "./wire-error.ts";

/** A peer that went away is tried again after 100 ms, then less often, and at least once a second. */
export const RECONNECT_INITIAL_MS = 100;
export const RECONNECT_MAX_MS = 1_000;

type Method = MethodDefinition<object, object>;

/** `addresses`: `host:port`, or several separated by commas. A name may stand for several servers. */
export function connectGrpc<Handlers, Definition>(
  contract: Contract<Handlers, Definition>,
  addresses: string,
): Connected<Contract<Handlers, Definition>> {
  const client = new Client(targetOf(addresses), credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.service_config_disable_resolution": 1,
    "grpc.initial_reconnect_backoff_ms": RECONNECT_INITIAL_MS,
    "grpc.max_reconnect_backoff_ms": RECONNECT_MAX_MS,
    "grpc.keepalive_time_ms": KEEPALIVE_TIME_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
    "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
    "grpc.enable_http_proxy": 0,
    "grpc.use_local_subchannel_pool": 1,
    "grpc-node.flow_control_window": FLOW_WINDOW_BYTES,
  });
  const connected: Record<string, unknown> = { close: () => client.close() };
  for (const [name, method] of Object.entries(contract.definition())) {
    connected[name] = clientMethod(client, method as Method);
  }
  return connected as Connected<Contract<Handlers, Definition>>;
}

/** The gRPC target of an address list. Throws `invalid_argument` for what cannot be one. */
export function targetOf(addresses: string): string {
  const list = addresses.split(",").map((address) => address.trim().replace(/^localhost:/, "127.0.0.1:"));
  for (const address of list) {
    if (!/^[^\s:/]+:\d{1,5}$/.test(address)) {
      throw new MainspringError("invalid_argument", `"${address}" is not an address of the form host:port`);
    }
  }
  if (list.every((address) => isIPv4(address.slice(0, address.lastIndexOf(":"))))) return `ipv4:${list.join(",")}`;
  return `${PEERS_SCHEME}:${list.join(",")}`;
}

function clientMethod(client: Client, method: Method): unknown {
  if (method.requestStream) return (options?: CallOptions) => duplex(client, method, options);
  if (method.responseStream) {
    return (request: object, options?: CallOptions) => stream(client, method, request, options);
  }
  return (request: object, options?: CallOptions) => unary(client, method, request, options);
}

function deadlineOf(options: CallOptions): { deadline?: number } {
  return options.timeoutMs === undefined ? {} : { deadline: Date.now() + options.timeoutMs };
}

/** The peer of a call is the channel's target until the call was given to a connection. */
function wasSent(client: Client, call: { getPeer(): string }): boolean {
  return call.getPeer() !== client.getChannel().getTarget();
}

function unary(client: Client, method: Method, request: object, options: CallOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    signal?.throwIfAborted();
    const call = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      toMetadata(options),
      deadlineOf(options),
      (error, response) => {
        signal?.removeEventListener("abort", onAbort);
        if (error === null) resolve(response);
        else reject(fromStatus(error, wasSent(client, call)));
      },
    );
    const onAbort = (): void => {
      reject(signal?.reason as Error);
      call.cancel();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

type Incoming = ClientReadableStream<Sized> | ClientDuplexStream<object, Sized>;

/** Lets a call's messages, its end and its failure through to a bounded buffer. */
function receive(client: Client, call: Incoming, options: CallOptions, onEnd: () => void): StreamBuffer<unknown> {
  const { signal } = options;
  const cancel = (): void => {
    signal?.removeEventListener("abort", onAbort);
    onEnd();
    call.cancel();
    call.resume();
  };
  const onAbort = (): void => {
    responses.abort(signal?.reason);
    cancel();
  };
  const responses = new StreamBuffer<unknown>(() => call.resume(), cancel);
  let failure: { error: unknown } | undefined;
  call.on("data", ({ message, bytes }: Sized) => {
    if (!responses.push(message, bytes)) call.pause();
  });
  // Messages before a failure may still wait in the stream: the reader gets it when they have been read.
  call.on("error", (error: ServiceError) => (failure ??= { error: fromStatus(error, wasSent(client, call)) }));
  call.on("end", () => responses.end(failure));
  call.on("status", () => {
    signal?.removeEventListener("abort", onAbort);
    onEnd();
  });
  signal?.addEventListener("abort", onAbort, { once: true });
  return responses;
}

function stream(client: Client, method: Method, request: object, options: CallOptions = {}): AsyncIterable<unknown> {
  if (options.signal?.aborted === true) return failed(options.signal.reason);
  const call = client.makeServerStreamRequest(
    method.path,
    method.requestSerialize,
    sized(method.responseDeserialize),
    request,
    toMetadata(options),
    deadlineOf(options),
  );
  return receive(client, call, options, () => undefined);
}

function failed(error: unknown): StreamBuffer<unknown> {
  const responses = new StreamBuffer<unknown>();
  responses.end({ error });
  return responses;
}

function duplex(client: Client, method: Method, options: CallOptions = {}): DuplexCall<unknown, unknown> {
  if (options.signal?.aborted === true) {
    const send = (): Promise<void> => Promise.reject(callHasEnded());
    return { send, responses: failed(options.signal.reason), end: () => undefined };
  }
  const call = client.makeBidiStreamRequest(
    method.path,
    method.requestSerialize,
    sized(method.responseDeserialize),
    toMetadata(options),
    deadlineOf(options),
  );
  let ended = false;
  let half = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  call.on("drain", wake);
  const responses = receive(client, call, options, () => {
    ended = true;
    wake();
  });
  const send = async (request: unknown): Promise<void> => {
    if (ended || half) throw callHasEnded();
    if (!call.write(request as object)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const end = (): void => {
    if (ended || half) return;
    half = true;
    call.end();
  };
  return { send, responses, end };
}
