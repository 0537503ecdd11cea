/** Calls contracts over gRPC. One connection per peer; several peers are used in turn, dead ones are passed over. */
import { Client, credentials } from "@grpc/grpc-js";
import type { ClientDuplexStream, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";
import { MainspringError } from "@mainspring/kernel";

import { toMetadata } from "./call-metadata.ts";
import { MESSAGE_BYTES_MAX } from "./contract.ts";
import type { CallOptions, ClientOf, Connected, Contract, DuplexCall } from "./contract.ts";
import { FLOW_WINDOW_BYTES, KEEPALIVE_TIME_MS, KEEPALIVE_TIMEOUT_MS, sized } from "./grpc-options.ts";
import type { Sized } from "./grpc-options.ts";
import { callHasEnded } from "./in-process.ts";
import { namedTargetOf, targetOf } from "./grpc-target.ts";
import { StreamBuffer } from "./stream-buffer.ts";
import { fromStatus } from "./wire-error.ts";

/** A peer that went away is tried again after 100 ms, then less often, and at least once a second. */
export const RECONNECT_INITIAL_MS = 100;
export const RECONNECT_MAX_MS = 1_000;

type Method = MethodDefinition<object, object>;

const CHANNEL_OPTIONS = {
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
} as const;

export interface GrpcConnectOptions {
  /** Shown with every call: the key or token of a caller at a public door. Default none. */
  readonly credential?: string;
  /** `ca`: PEM of who signed the server's certificate; those that Node trusts without it. Default: no TLS. */
  readonly tls?: { readonly ca?: string };
  /** Deadline of unary calls that set none. Default: none. */
  readonly timeoutMs?: number;
}

/** What calls need of their connection. */
interface Link {
  readonly client: Client;
  readonly credential: string;
  readonly timeoutMs: number | undefined;
  isClosed: boolean;
}

/** A connection to one server or its replicas, which any number of contracts are called over. */
export class GrpcConnection {
  readonly #link: Link;

  /** `addresses`: `host:port`, or several separated by commas. A name may stand for several servers. */
  constructor(addresses: string, { credential = "", tls, timeoutMs }: GrpcConnectOptions = {}) {
    const target = tls === undefined ? targetOf(addresses) : namedTargetOf(addresses);
    const security = tls === undefined ? credentials.createInsecure() : credentials.createSsl(pemOf(tls.ca));
    this.#link = { client: new Client(target, security, CHANNEL_OPTIONS), credential, timeoutMs, isClosed: false };
  }

  client<Handlers, Definition>(contract: Contract<Handlers, Definition>): ClientOf<Contract<Handlers, Definition>> {
    const methods: Record<string, unknown> = {};
    for (const [name, method] of Object.entries(contract.definition())) {
      methods[name] = clientMethod(this.#link, method as Method);
    }
    return methods as ClientOf<Contract<Handlers, Definition>>;
  }

  /** Calls under way go on; further ones fail with `failed_precondition`. */
  close(): void {
    this.#link.isClosed = true;
    this.#link.client.close();
  }
}

/** A connection of its own for one contract; `addresses` as of GrpcConnection. */
export function connectGrpc<Handlers, Definition>(
  contract: Contract<Handlers, Definition>,
  addresses: string,
): Connected<Contract<Handlers, Definition>> {
  const connection = new GrpcConnection(addresses);
  return { ...connection.client(contract), close: () => connection.close() };
}

function pemOf(ca: string | undefined): Buffer | null {
  return ca === undefined ? null : Buffer.from(ca);
}

function clientMethod(link: Link, method: Method): unknown {
  if (method.requestStream) return (options?: CallOptions) => duplex(link, method, options);
  if (method.responseStream) {
    return (request: object, options?: CallOptions) => stream(link, method, request, options);
  }
  return (request: object, options?: CallOptions) => unary(link, method, request, options);
}

function deadlineOf(timeoutMs: number | undefined): { deadline?: number } {
  return timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
}

/** What keeps a call from being made at all. */
function hindrance({ isClosed }: Link, { signal }: CallOptions): { readonly error: unknown } | null {
  if (isClosed) return { error: new MainspringError("failed_precondition", "the connection was closed") };
  return signal?.aborted === true ? { error: signal.reason } : null;
}

/** The peer of a call is the channel's target until the call was given to a connection. */
function wasSent(client: Client, call: { getPeer(): string }): boolean {
  return call.getPeer() !== client.getChannel().getTarget();
}

function unary(link: Link, method: Method, request: object, options: CallOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { client } = link;
    const { signal } = options;
    const hindered = hindrance(link, options);
    if (hindered !== null) return reject(hindered.error as Error);
    const call = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      toMetadata(options, link.credential),
      deadlineOf(options.timeoutMs ?? link.timeoutMs),
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

function stream(link: Link, method: Method, request: object, options: CallOptions = {}): AsyncIterable<unknown> {
  const { client } = link;
  const hindered = hindrance(link, options);
  if (hindered !== null) return failed(hindered.error);
  const call = client.makeServerStreamRequest(
    method.path,
    method.requestSerialize,
    sized(method.responseDeserialize),
    request,
    toMetadata(options, link.credential),
    deadlineOf(options.timeoutMs),
  );
  return receive(client, call, options, () => undefined);
}

function failed(error: unknown): StreamBuffer<unknown> {
  const responses = new StreamBuffer<unknown>();
  responses.end({ error });
  return responses;
}

function duplex(link: Link, method: Method, options: CallOptions = {}): DuplexCall<unknown, unknown> {
  const { client } = link;
  const hindered = hindrance(link, options);
  if (hindered !== null) {
    const send = (): Promise<void> => Promise.reject(callHasEnded());
    return { send, responses: failed(hindered.error), end: () => undefined };
  }
  const call = client.makeBidiStreamRequest(
    method.path,
    method.requestSerialize,
    sized(method.responseDeserialize),
    toMetadata(options, link.credential),
    deadlineOf(options.timeoutMs),
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
