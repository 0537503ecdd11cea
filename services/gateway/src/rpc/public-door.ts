/** A contract as strangers may call it: who they are is found out, and the call is passed on in their name. */
import { openSpan, serve, TENANT_ATTRIBUTE } from "@mainspring/contracts";
import type { CallContext, CallOptions, Contract, DuplexCall, Principal, Registration } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

/** `service`: only services of the deployment may call it. */
export type Access = "public" | "service";

/** How long a call may take whose caller sets no deadline: longer than the longest that the services set themselves. */
export const CALL_TIMEOUT_MS = 70_000;

export interface PublicCaller {
  readonly principal: Principal;
  /** Put into the request. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** To be called when the call has ended. */
  readonly leave: () => void;
}

/** `spaceId`: the Space that the request names, or empty. Throws `unauthenticated`. */
export type Identify = (credential: string, spaceId: string) => Promise<PublicCaller>;

type Fields = Readonly<Record<string, unknown>>;
type Unary = (request: Fields, options: CallOptions) => Promise<unknown>;
type Streaming = (request: Fields, options: CallOptions) => AsyncIterable<unknown>;
type Duplex = (options: CallOptions) => DuplexCall<unknown, unknown>;

/** `client` is asked for at each call, once its caller is known; throws where there is none. */
export function publicDoor<Handlers, Definition>(
  contract: Contract<Handlers, Definition>,
  client: () => object,
  access: Readonly<Record<string, Access>>,
  identify: Identify,
): Registration {
  const handlers: Record<string, unknown> = {};
  const method = <T>(name: string): T => (client() as Readonly<Record<string, T>>)[name]!;
  for (const [name, { path, requestStream, responseStream }] of Object.entries(contract.definition())) {
    const call = new PublicCall(path, identify);
    if (access[name] !== "public") handlers[name] = refuse(name, responseStream);
    else if (requestStream) handlers[name] = call.duplex((options) => method<Duplex>(name)(options));
    else if (responseStream)
      handlers[name] = call.streaming((request, options) => method<Streaming>(name)(request, options));
    else handlers[name] = call.unary((request, options) => method<Unary>(name)(request, options));
  }
  return serve(contract, handlers as never);
}

function refuse(name: string, streams: boolean): () => unknown {
  const error = new MainspringError("permission_denied", `only a service of this deployment may call ${name}`);
  if (!streams) return () => Promise.reject(error);
  return async function* () {
    yield await Promise.reject(error);
  };
}

class PublicCall {
  /** `/package.Service/Method`. */
  readonly #path: string;
  readonly #identify: Identify;

  constructor(path: string, identify: Identify) {
    this.#path = path;
    this.#identify = identify;
  }

  /** A caller that leaves cancels nothing that was accepted, so its signal is not passed on. */
  unary(call: Unary) {
    return async (request: Fields, context: CallContext): Promise<unknown> => {
      const { caller, options, end } = await this.#begin(context, request);
      try {
        const answer = await call({ ...request, ...caller.fields }, options);
        end();
        return answer;
      } catch (error) {
        end(error);
        throw error;
      }
    };
  }

  streaming(call: Streaming) {
    return (request: Fields, context: CallContext): AsyncIterable<unknown> =>
      this.#stream(context, request, (caller, options) => call({ ...request, ...caller.fields }, options));
  }

  /** The Space of a request that streams in is not known when the call begins: it takes a right on every Space. */
  duplex(call: Duplex) {
    return (requests: AsyncIterable<unknown>, context: CallContext): AsyncIterable<unknown> =>
      this.#stream(context, {}, (_caller, options) => relay(requests, call(options)));
  }

  async *#stream(
    context: CallContext,
    request: Fields,
    call: (caller: PublicCaller, options: CallOptions) => AsyncIterable<unknown>,
  ): AsyncGenerator<unknown> {
    const { caller, options, end } = await this.#begin(context, request);
    let failure: unknown;
    try {
      yield* call(caller, { ...options, signal: context.signal, timeoutMs: remainingMs(context) });
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      end(failure);
    }
  }

  async #begin(context: CallContext, request: Fields) {
    const { space_id: spaceId } = request;
    const caller = await this.#identify(context.credential, typeof spaceId === "string" ? spaceId : "");
    const name = this.#path.slice(1);
    const span = openSpan("gateway", name, {
      parent: context.callerTraceparent,
      kind: "server",
      attributes: { "rpc.system.name": "grpc", "rpc.method": name, [TENANT_ATTRIBUTE]: caller.principal.tenant },
    });
    const options: CallOptions = {
      principal: caller.principal,
      traceparent: span.traceparent,
      timeoutMs: remainingMs(context) ?? CALL_TIMEOUT_MS,
    };
    const end = (error?: unknown): void => {
      caller.leave();
      span.end(error);
    };
    return { caller, options, end };
  }
}

function remainingMs({ deadlineMs }: CallContext): number | undefined {
  return deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - Date.now());
}

/** Both directions at once. What ends the answers ends the requests too. */
async function* relay(requests: AsyncIterable<unknown>, call: DuplexCall<unknown, unknown>): AsyncGenerator<unknown> {
  const send = async (): Promise<void> => {
    for await (const request of requests) await call.send(request);
    call.end();
  };
  // The answers tell what is wrong with the call.
  void send().catch(() => call.end());
  yield* call.responses;
}
