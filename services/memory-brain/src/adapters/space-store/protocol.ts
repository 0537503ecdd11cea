/** Messages between a Space's handle and its threads. */
import type { JsonObject, KipErrorObject, KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";
import type { SpaceCall } from "../../app/space/calls.ts";

export interface ThreadData {
  readonly file: string;
  readonly spaceId: string;
  /** `dumper`: one consistent state, frame by frame. */
  readonly role: "writer" | "reader" | "dumper";
}

export type Job =
  | { readonly k: "execute"; readonly id: number; readonly request: unknown; readonly context: RequestContext }
  | {
      readonly k: "promote";
      readonly id: number;
      readonly kind: "ConceptType" | "PredicateType";
      readonly from: string;
      readonly to: string;
      readonly context: RequestContext;
    }
  | {
      readonly k: "call";
      readonly id: number;
      readonly name: SpaceCall;
      readonly input: unknown;
      readonly context: RequestContext;
    }
  /** Part of a dump, into a Space that is empty; the last one has no bytes. */
  | { readonly k: "load"; readonly id: number; readonly bytes: Uint8Array | null }
  /** Gives the next frame of a dump; undefined after the last. */
  | { readonly k: "dump"; readonly id: number; readonly about: JsonObject }
  | { readonly k: "check"; readonly id: number }
  | { readonly k: "flush"; readonly id: number }
  | { readonly k: "close"; readonly id: number };

export type Answer =
  | { readonly id: number; readonly response: KipResponse }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: KipErrorObject };

/** What a thread sends: answers, and whether committed words wait to be indexed. */
export interface Reply {
  readonly answers: readonly Answer[];
  readonly unindexed: boolean;
}
