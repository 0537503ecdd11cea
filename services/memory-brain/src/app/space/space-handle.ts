/** An open Space: requests in, answers out. What runs them, and where, is its adapter's business. */
import type { JsonObject, KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../execute.ts";
import type { CallInput, CallOutput, SpaceCall } from "./calls.ts";

export interface SpaceHandle {
  /** Runs a KIP request. A write is durable before this resolves. */
  execute(request: unknown, context: RequestContext): Promise<KipResponse>;
  /** Runs a call. A write is durable before this resolves. Throws a `KipError`. */
  call<K extends SpaceCall>(name: K, input: CallInput<K>, context: RequestContext): Promise<CallOutput<K>>;
  /** Declares that a draft symbol is another one. */
  promote(kind: "ConceptType" | "PredicateType", from: string, to: string, context: RequestContext): Promise<unknown>;
  /**
   * The whole Space as it is now, in frames of at most 1 MiB. With `about`, which goes along, it is to be carried away and has no
   * tokens; null makes a snapshot, which has them.
   */
  dump(about: JsonObject | null): AsyncGenerator<Uint8Array>;
  /** Takes the next bytes of a dump in place of what is there, without any tokens; null ends it, and gives what came along. */
  load(bytes: Uint8Array | null): Promise<JsonObject | null>;
  check(): Promise<{ readonly rows: number; readonly problems: readonly string[] }>;
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Unix ms up to which what is read was known to be the newest; null while it is. */
  staleAsOf(): number | null;
  /** Resolves when it cannot be used any more although nobody closed it. */
  readonly lost: Promise<void>;
}
