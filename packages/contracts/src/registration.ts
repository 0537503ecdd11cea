/** A service that is served: its contract with the functions that implement it, typed where it is registered. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { assert } from "@mainspring/kernel";

import type { CallContext, Contract, HandlersOf } from "./contract.ts";

export type UnaryHandler = (request: unknown, context: CallContext) => Promise<unknown>;
export type StreamHandler = (request: unknown, context: CallContext) => AsyncIterable<unknown>;
export type DuplexHandler = (requests: AsyncIterable<unknown>, context: CallContext) => AsyncIterable<unknown>;
export type AnyHandler = UnaryHandler | StreamHandler | DuplexHandler;

export interface Registration {
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
}

/** Called with what a handler threw when it is not a MainspringError: the caller only learns `internal`. */
export type OnUnexpected = (method: string, thrown: unknown) => void;

export interface Serving {
  /** Answers of the health service; every service starts as serving. */
  setServing(serviceName: string, serving: boolean): void;
  /** Takes no new calls, waits for those under way, and after `graceMs` ends them as unavailable. */
  drain(graceMs: number): Promise<void>;
}

export function serve<Handlers, Definition>(
  contract: Contract<Handlers, Definition>,
  handlers: HandlersOf<Contract<Handlers, Definition>>,
): Registration {
  const definition = contract.definition();
  const registered: Record<string, AnyHandler> = {};
  for (const [method, { requestStream, responseStream }] of Object.entries(definition)) {
    assert(!requestStream || responseStream, `${contract.name}.${method} does not stream requests to one response`);
    const handler = (handlers as Readonly<Record<string, AnyHandler | undefined>>)[method];
    assert(typeof handler === "function", `${contract.name}.${method} has a handler`);
    registered[method] = handler.bind(handlers);
  }
  return { name: contract.name, definition, handlers: registered };
}
