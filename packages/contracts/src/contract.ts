/**
 * What a service contract is to the code that serves or calls it. Handlers and clients are plain functions over
 * promises and async iterables; which transport lies between them changes neither.
 */
import type { ServerDuplexStream, ServerUnaryCall, ServerWritableStream, ServiceDefinition } from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";

/** Largest message on either transport, 4 MiB. What may grow beyond is streamed in frames of at most 1 MiB. */
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** A stream's buffer is full at this many messages or bytes, whichever comes first; then its writer waits. */
export const STREAM_BUFFER_MESSAGES_MAX = 64;
export const STREAM_BUFFER_BYTES_MAX = 1024 * 1024;

/** Who calls. Crosses with every call; an absent one is ANONYMOUS. */
export interface Principal {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

export const ANONYMOUS: Principal = Object.freeze({ tenant: "", subject: "", scopes: Object.freeze([]) });

export interface CallContext {
  /** Aborted when the caller cancels, its deadline passes, the connection breaks or the server closes. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, Unix ms by the clock of this process. */
  readonly deadlineMs: number | undefined;
  readonly principal: Principal;
  /** W3C traceparent of the call's span, or empty: what calls on its behalf are given. */
  readonly traceparent: string;
  /** W3C traceparent of the caller, or empty: what outlives the call, and perhaps this process, lies under. */
  readonly callerTraceparent: string;
  /** A replica of the service passed the call on; it is not passed on again. */
  readonly forwarded: boolean;
  /** What a stranger shows at a public door, unchecked; empty elsewhere. */
  readonly credential: string;
}

export interface CallOptions {
  /** The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The call rejects with `deadline_exceeded` after this long. No limit when absent. */
  readonly timeoutMs?: number | undefined;
  readonly principal?: Principal | undefined;
  readonly traceparent?: string | undefined;
  /** Set by a replica that passes a call on to another. Default false. */
  readonly forwarded?: boolean | undefined;
}

/** One open stream in both directions. */
export interface DuplexCall<Request, Response> {
  /** Resolves when there is room for more. Rejects once the call has ended. */
  send(request: Request): Promise<void>;
  /** Ends once the server ended the call; throws what failed it. Can be read once; leaving it cancels the call. */
  readonly responses: AsyncIterable<Response>;
  /** No more requests follow. */
  end(): void;
}

/** A service: its full proto name and, for the type checker only, the generated types of its methods. */
export interface Contract<Handlers, Definition> {
  readonly name: string;
  readonly definition: () => ServiceDefinition;
  readonly types?: { readonly handlers: Handlers; readonly definition: Definition };
}

/** Method names without the index signature of the generated types. */
type MethodNames<Handlers> = keyof { [K in keyof Handlers as string extends K ? never : K & string]: true };
type CallOf<Handler> = Handler extends (call: infer Call, ...rest: never[]) => unknown ? Call : never;

type Handler<Generated> =
  CallOf<Generated> extends ServerDuplexStream<infer Req, infer Res>
    ? (requests: AsyncIterable<Req>, context: CallContext) => AsyncIterable<Res>
    : CallOf<Generated> extends ServerWritableStream<infer Req, infer Res>
      ? (request: Req, context: CallContext) => AsyncIterable<Res>
      : CallOf<Generated> extends ServerUnaryCall<infer Req, infer Res>
        ? (request: Req, context: CallContext) => Promise<Res>
        : never;

type ClientMethod<Generated, Definition> =
  Definition extends MethodDefinition<infer Req, infer _Sent, infer _Received, infer Res>
    ? CallOf<Generated> extends ServerDuplexStream<infer _Q, infer _S>
      ? (options?: CallOptions) => DuplexCall<Req, Res>
      : CallOf<Generated> extends ServerWritableStream<infer _Q, infer _S>
        ? (request: Req, options?: CallOptions) => AsyncIterable<Res>
        : (request: Req, options?: CallOptions) => Promise<Res>
    : never;

/** What a service implements: one function a method. */
export type HandlersOf<C> =
  C extends Contract<infer Handlers, infer _Definition>
    ? { readonly [K in MethodNames<Handlers>]: K extends keyof Handlers ? Handler<Handlers[K]> : never }
    : never;

/** What a caller gets: one function a method. */
export type ClientOf<C> =
  C extends Contract<infer Handlers, infer Definition>
    ? {
        readonly [K in MethodNames<Handlers>]: K extends keyof Handlers & keyof Definition
          ? ClientMethod<Handlers[K], Definition[K]>
          : never;
      }
    : never;

/** A client with its connection. */
export type Connected<C> = ClientOf<C> & { readonly close: () => void };

/** Options for a call made on behalf of the call that is being served: same caller, trace, deadline and signal. */
export function onBehalfOf(context: CallContext): CallOptions {
  return {
    signal: context.signal,
    timeoutMs: context.deadlineMs === undefined ? undefined : Math.max(1, context.deadlineMs - Date.now()),
    principal: context.principal,
    traceparent: context.traceparent,
  };
}
