/** Spans as the SDK gives them, into records. */
import { hrTimeToMilliseconds } from "@opentelemetry/core";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Attributes } from "@opentelemetry/api";
import { TENANT_ATTRIBUTE } from "@mainspring/contracts";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

import type { AttributeValue, SpanRecord } from "./trace-store.ts";

/** Longest text of one attribute, in characters. */
const TEXT_CHARS_MAX = 1_000;
const EVENTS_MAX = 64;
const STATUS = { [SpanStatusCode.UNSET]: "unset", [SpanStatusCode.OK]: "ok", [SpanStatusCode.ERROR]: "error" } as const;

export function toSpanRecord(span: ReadableSpan): SpanRecord {
  const { traceId, spanId } = span.spanContext();
  const { [TENANT_ATTRIBUTE]: tenant, ...attributes } = span.attributes;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? "",
    name: span.name,
    kind: SpanKind[span.kind].toLowerCase(),
    service: span.instrumentationScope.name,
    tenant: typeof tenant === "string" ? tenant : "",
    startMs: hrTimeToMilliseconds(span.startTime),
    endMs: hrTimeToMilliseconds(span.endTime),
    status: STATUS[span.status.code],
    statusMessage: (span.status.message ?? "").slice(0, TEXT_CHARS_MAX),
    attributes: plain(attributes),
    events: span.events.slice(0, EVENTS_MAX).map(({ name, time }) => ({ name, atMs: hrTimeToMilliseconds(time) })),
    links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
  };
}

function plain(attributes: Attributes): Record<string, AttributeValue> {
  const entries = Object.entries(attributes).flatMap(([name, value]): [string, AttributeValue][] => {
    if (typeof value === "string") return [[name, value.slice(0, TEXT_CHARS_MAX)]];
    if (typeof value === "number" || typeof value === "boolean") return [[name, value]];
    return Array.isArray(value) ? [[name, value.filter((item) => item !== null && item !== undefined)]] : [];
  });
  return Object.fromEntries(entries);
}
