/**
 * Spans of OpenTelemetry, with the parent given as a W3C traceparent: contexts cross queues, mailboxes and logs as text.
 * Without an SDK in the process a span costs nothing and its traceparent is its parent's.
 */
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Link, SpanContext } from "@opentelemetry/api";
import { MainspringError } from "@mainspring/kernel";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Attribute that names the tenant: whoever reads traces sees spans of its own tenant only. */
export const TENANT_ATTRIBUTE = "mainspring.tenant";

export type SpanKindName = "internal" | "server" | "client" | "consumer";

export interface SpanOptions {
  /** Traceparent; empty for a new trace. */
  readonly parent: string;
  readonly kind?: SpanKindName;
  readonly attributes?: Attributes;
  /** Traceparents of spans that this one has to do with. */
  readonly links?: readonly string[];
  /** Unix ms; default now. */
  readonly startedAt?: number;
  /** Traceparent of a span that was never ended, because its process died: this one stands in for it. */
  readonly standsFor?: string;
}

export interface OpenSpan {
  /** What callees are given as their parent. Empty when there is neither an SDK nor a parent. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Ends it, as failed when an error or a sentence is given. Later calls do nothing. `at` is Unix ms, default now. */
  end(failure?: unknown, at?: number): void;
  /** Runs it with this span as the active one, so that logs name its trace. */
  run<T>(action: () => T): T;
}

const KINDS: Readonly<Record<SpanKindName, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** Read by the id generator of the SDK, within the one synchronous call that makes a span. */
let chosenSpanId: string | null = null;

/** The id that the span being made must have, once. Null: any. */
export function takeChosenSpanId(): string | null {
  const chosen = chosenSpanId;
  chosenSpanId = null;
  return chosen;
}

/** `service`: the folder name of the service that does the work. */
export function openSpan(service: string, name: string, options: SpanOptions): OpenSpan {
  const { parent, kind = "internal", attributes = {}, links = [], startedAt } = options;
  const linked = links.flatMap((link): Link[] => {
    const linkContext = parseTraceparent(link);
    return linkContext === null ? [] : [{ context: linkContext }];
  });
  chosenSpanId = parseTraceparent(options.standsFor ?? "")?.spanId ?? null;
  const span = trace.getTracer(service).startSpan(
    name,
    {
      kind: KINDS[kind],
      attributes,
      links: linked,
      ...(startedAt === undefined ? {} : { startTime: startedAt }),
    },
    contextOf(parent),
  );
  chosenSpanId = null;
  let ended = false;
  return {
    traceparent: textOf(span.spanContext(), parent),
    set: (more) => void span.setAttributes(more),
    rename: (better) => void span.updateName(better),
    run: (action) => context.with(trace.setSpan(context.active(), span), action),
    end: (failure, at) => {
      if (ended) return;
      ended = true;
      if (failure !== undefined) {
        const { code, message } =
          typeof failure === "string" ? { code: "failed", message: failure } : MainspringError.from(failure);
        span.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end(at);
    },
  };
}

function contextOf(parent: string): Context {
  const spanContext = parseTraceparent(parent);
  return spanContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

/** Null for what is no traceparent. */
export function parseTraceparent(text: string): SpanContext | null {
  const match = TRACEPARENT.exec(text);
  if (match === null) return null;
  const [, traceId, spanId, flags] = match as unknown as [string, string, string, string];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function textOf({ traceId, spanId, traceFlags }: SpanContext, parent: string): string {
  if (/^0*$/.test(traceId)) return parent;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
