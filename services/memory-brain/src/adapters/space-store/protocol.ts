/** Messages between a Space's handle and its threads. */
import type { KipErrorObject, KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";

export interface ThreadData {
  readonly file: string;
  readonly spaceId: string;
  readonly role: "writer" | "reader";
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
