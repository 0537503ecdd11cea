/** Messages between a Space's handle and its threads. */
import type { JsonObject, KipErrorObject, KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";
import type { LogPosition, SealedBatch } from "../../app/local-space.ts";
import type { SpaceCall } from "../../app/space/calls.ts";
import type { EmbedderName } from "../embedders/embedder-of.ts";

export interface ThreadData {
  /** Nothing is written before it is told to record: the content comes from the log. */
  readonly recorded: boolean;
  readonly file: string;
  readonly spaceId: string;
  readonly embedder: EmbedderName;
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
  /** Part of a dump, into a Space that is empty; the last one has no bytes. Only a snapshot brings tokens along. */
  | { readonly k: "load"; readonly id: number; readonly bytes: Uint8Array | null; readonly snapshot: boolean }
  /** Gives the next frame of a dump, or of a snapshot where `about` is null; undefined after the last. */
  | { readonly k: "dump"; readonly id: number; readonly about: JsonObject | null }
  | { readonly k: "position"; readonly id: number }
  | { readonly k: "isEmpty"; readonly id: number }
  /** What is in the dump that was loaded is everything up to this record. */
  | { readonly k: "setPosition"; readonly id: number; readonly at: LogPosition }
  | {
      readonly k: "apply";
      readonly id: number;
      readonly records: readonly (LogPosition & { readonly patch: Uint8Array })[];
    }
  /** From now on every batch that changes something waits for its verdict. */
  | { readonly k: "record"; readonly id: number }
  | { readonly k: "check"; readonly id: number }
  /** Words are indexed, and vectors made for some of what has none. */
  | { readonly k: "flush"; readonly id: number }
  | { readonly k: "close"; readonly id: number };

export type Answer =
  | { readonly id: number; readonly response: KipResponse }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: KipErrorObject }
  /** Nothing of it was written. */
  | { readonly id: number; readonly refused: true };

/** What becomes of the batch that waits: its record is in the log, or never will be. */
export type Verdict =
  | { readonly k: "recorded"; readonly at: LogPosition }
  | { readonly k: "lost" }
  /** Jobs that nobody waits for any more, and that have not begun. */
  | { readonly k: "cancel"; readonly ids: readonly number[] }
  /** Undo what is not committed, and end. */
  | { readonly k: "end" };

/** What a batch changed, and the jobs in it. */
export interface Sealed extends SealedBatch {
  readonly jobs: readonly number[];
}

/** What a thread sends: answers, and whether committed words wait to be indexed. */
export interface Reply {
  readonly sealed?: Sealed;
  /** The answers are to a batch that erased something. */
  readonly erased?: boolean;
  readonly answers: readonly Answer[];
  readonly unindexed: boolean;
}
