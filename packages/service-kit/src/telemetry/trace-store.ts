/** Where recent traces are kept when they are sent to no collector. */

/** Spans of one trace that are read, the first by their start. */
export const SPANS_PER_TRACE_MAX = 10_000;
/** How long spans are kept. */
export const SPANS_KEPT_MS = 24 * 60 * 60 * 1000;
/** Spans kept in all, oldest dropped first. */
export const SPANS_KEPT_MAX = 200_000;

export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[];

export interface SpanRecord {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** internal, server, client, producer or consumer. */
  readonly kind: string;
  /** Folder name of the service that did the work. */
  readonly service: string;
  readonly tenant: string;
  /** Unix ms with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly events: readonly { readonly name: string; readonly atMs: number }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface TraceStore {
  /** Keeps spans; one that is known is replaced. Not durable: the newest may be lost with the process. */
  put(spans: readonly SpanRecord[]): Promise<void>;
  /** Spans of that trace that belong to the tenant, by start; at most SPANS_PER_TRACE_MAX. Empty for an unknown one. */
  read(traceId: string, tenant: string): Promise<SpanRecord[]>;
  /** Drops what is older than `beforeMs`, and the oldest above `keptMax` where the store can count. */
  prune(beforeMs: number, keptMax: number): Promise<void>;
}
