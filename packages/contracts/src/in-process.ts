/**
 * The in-process transport: calls without a socket that behave as calls over gRPC do. Messages pass through their
 * encoding, errors through theirs; cancellation, deadline, caller and trace reach the handler; streams are bounded.
 */
import type { MethodDefinition } from "@grpc/proto-loader";
import { MainspringError } from "@mainspring/kernel";

import { inCallSpan } from "./call-span.ts";
import type { CallContext, CallOptions, Connected, Contract, DuplexCall } from "./contract.ts";
import { LocalCall, transcode } from "./local-call.ts";
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
import { callerGone, throughWire, unavailable } from "./wire-error.ts";

type Method = MethodDefinition<object, object>;

export interface InProcessOptions {
  readonly onUnexpected?: OnUnexpected;
}

export class InProcessServer implements Serving {
  readonly #services: ReadonlyMap<string, Registration>;
  readonly #onUnexpected: OnUnexpected;
  readonly #calls = new Set<LocalCall>();
  readonly #notServing = new Set<string>();
  #draining: PromiseWithResolvers<void> | undefined;

  constructor(registrations: readonly Registration[], options: InProcessOptions = {}) {
    this.#services = new Map(registrations.map((registration) => [registration.name, registration]));
    this.#onUnexpected = options.onUnexpected ?? (() => undefined);
  }

  connect<Handlers, Definition>(contract: Contract<Handlers, Definition>): Connected<Contract<Handlers, Definition>> {
    const service = this.#services.get(contract.name);
    if (service === undefined) throw new MainspringError("unimplemented", `${contract.name} is not served here`);
    const client: Record<string, unknown> = { close: () => undefined };
    for (const [name, method] of Object.entries(service.definition)) {
      client[name] = this.#clientMethod(method as Method, service.handlers[name] as AnyHandler);
    }
    return client as Connected<Contract<Handlers, Definition>>;
  }

  setServing(serviceName: string, serving: boolean): void {
    if (serving) this.#notServing.delete(serviceName);
    else this.#notServing.add(serviceName);
  }

  isServing(serviceName: string): boolean {
    return this.#draining === undefined && this.#services.has(serviceName) && !this.#notServing.has(serviceName);
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining ??= Promise.withResolvers<void>();
    if (this.#calls.size === 0) return;
    const timer = setTimeout(() => {
      for (const call of this.#calls) call.fail(unavailable("unknownOutcome"), unavailable("unknownOutcome"));
    }, graceMs);
    await this.#draining.promise;
    clearTimeout(timer);
  }

  #clientMethod(method: Method, handler: AnyHandler): unknown {
    if (method.requestStream) return (options?: CallOptions) => this.#duplex(method, handler as DuplexHandler, options);
    if (method.responseStream) {
      return (request: unknown, options?: CallOptions) =>
        this.#stream(method, handler as StreamHandler, request, options);
    }
    return (request: unknown, options?: CallOptions) => this.#unary(method, handler as UnaryHandler, request, options);
  }

  #open(options: CallOptions, onFail: (error: unknown) => void): LocalCall {
    options.signal?.throwIfAborted();
    if (this.#draining !== undefined) throw unavailable("safe");
    const call = new LocalCall(options, (ended) => this.#close(ended), onFail);
    this.#calls.add(call);
    return call;
  }

  #close(call: LocalCall): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#draining?.resolve();
  }

  /** What the caller sees of what a handler threw. */
  #seen(method: Method, thrown: unknown): MainspringError {
    if (!(thrown instanceof MainspringError)) this.#onUnexpected(method.path, thrown);
    return throughWire(thrown);
  }

  #unary(method: Method, handler: UnaryHandler, request: unknown, options: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { message } = transcode(request, method.requestSerialize, method.requestDeserialize);
      const call = this.#open(options, reject);
      void inCallSpan(method.path, call.context, (inner) => invoke(handler, message, inner))
        .then((response) => transcode(response, method.responseSerialize, method.responseDeserialize).message)
        .then(resolve, (thrown: unknown) => {
          if (!call.ended) reject(this.#seen(method, thrown));
        })
        .finally(() => call.end());
    });
  }

  #stream(method: Method, handler: StreamHandler, request: unknown, options: CallOptions = {}): AsyncIterable<unknown> {
    const responses: StreamBuffer<unknown> = new StreamBuffer(undefined, () => call?.fail(undefined, callerGone()));
    let call: LocalCall | undefined;
    try {
      const { message } = transcode(request, method.requestSerialize, method.requestDeserialize);
      call = this.#open(options, (error) => responses.abort(error));
      this.#respond(method, () => handler(message, (call as LocalCall).context), call, responses);
    } catch (error) {
      responses.end({ error });
    }
    return responses;
  }

  #duplex(method: Method, handler: DuplexHandler, options: CallOptions = {}): DuplexCall<unknown, unknown> {
    const requests = new StreamBuffer<unknown>();
    const responses: StreamBuffer<unknown> = new StreamBuffer(undefined, () => call?.fail(undefined, callerGone()));
    let call: LocalCall | undefined;
    try {
      call = this.#open(options, (error) => {
        responses.abort(error);
        requests.abort(callerGone());
      });
      const { context } = call;
      this.#respond(
        method,
        () => handler(requests, context),
        call,
        responses,
        () => requests.abort(callerGone()),
      );
    } catch (error) {
      responses.end({ error });
    }
    const send = async (request: unknown): Promise<void> => {
      if (call === undefined || call.ended) throw callHasEnded();
      if (requests.isClosed) return;
      const { message, bytes } = transcode(request, method.requestSerialize, method.requestDeserialize);
      if (!requests.push(message, bytes)) await requests.drained();
    };
    return { send, responses, end: () => requests.end() };
  }

  #respond(
    method: Method,
    start: () => AsyncIterable<unknown>,
    call: LocalCall,
    responses: StreamBuffer<unknown>,
    onEnd: () => void = () => undefined,
  ): void {
    const write = (item: unknown): Promise<void> | undefined => {
      const { message, bytes } = transcode(item, method.responseSerialize, method.responseDeserialize);
      return responses.push(message, bytes) ? undefined : responses.drained();
    };
    const run = async (): Promise<void> => await pump(start(), call.context.signal, write);
    void run()
      .then(
        () => responses.end(),
        (thrown: unknown) => {
          if (!call.ended) responses.end({ error: this.#seen(method, thrown) });
        },
      )
      .finally(() => {
        call.end();
        onEnd();
      });
  }
}

export function callHasEnded(): MainspringError {
  return new MainspringError("failed_precondition", "the call has ended", { reason: "call_ended" });
}

/** As a promise, also when the handler throws before it returns one. */
async function invoke(handler: UnaryHandler, message: unknown, context: CallContext): Promise<unknown> {
  return await handler(message, context);
}
