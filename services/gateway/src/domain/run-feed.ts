/** What the engine tells of a run, as the gateway reads it. Unknown event types are passed over. */
export interface FeedEvent {
  readonly seq: number;
  readonly type: string;
  /** Unix ms. */
  readonly at: number;
  readonly run: string;
  readonly step: number;
  readonly origin: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FeedDelta {
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
  /** Dense from 0 within the attempt. */
  readonly chunk: number;
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly offset: number;
  readonly text: string;
  readonly callId: string;
  readonly name: string;
}

export type FeedItem =
  | { readonly event: FeedEvent }
  | { readonly delta: FeedDelta }
  | { readonly gap: { readonly lastSeq: number } }
  | { readonly caughtUp: { readonly lastSeq: number } };

/** Output items as `model.completed` records them. */
export interface RecordedItem {
  readonly type: "message" | "reasoning" | "function_call";
  readonly text?: string;
  readonly text_ref?: string;
  /** Of reasoning: what its provider wants back with it. */
  readonly signature?: string;
  /** Of reasoning that its provider keeps to itself: all of it is the signature. */
  readonly redacted?: boolean;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly arguments_ref?: string;
}

export type Chunks = readonly (readonly [item: number, length: number])[];

export function textOf(item: RecordedItem): string {
  return (item.type === "function_call" ? item.arguments : item.text) ?? "";
}

export function kindOf(item: RecordedItem): FeedDelta["kind"] {
  if (item.type === "message") return "text";
  return item.type === "reasoning" ? "reasoning" : "arguments";
}
