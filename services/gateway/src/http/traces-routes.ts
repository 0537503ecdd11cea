/** Recent traces, kept by the deployment itself when no collector is set. */
import { MainspringError } from "@mainspring/kernel";
import type { SpanRecord, TraceStore } from "@mainspring/service-kit";
import { Router } from "express";

import { callerOf, pathParam } from "./context.ts";
import { handle } from "./problem.ts";

const TRACE_ID = /^[0-9a-f]{32}$/;

/** `GET /traces/{trace_id}`: the spans of the caller's tenant. Null: traces are sent to a collector. */
export function tracesRoutes(traces: TraceStore | null): Router {
  const router = Router();
  router.get(
    "/traces/:trace_id",
    handle(async (request, response) => {
      const id = pathParam(request, "trace_id");
      if (traces === null) {
        throw new MainspringError("not_found", "traces are not kept here: OTEL_* variables send them to a collector", {
          reason: "traces_exported",
        });
      }
      const spans = TRACE_ID.test(id) ? await traces.read(id, callerOf(response).tenant) : [];
      if (spans.length === 0) throw new MainspringError("not_found", `no trace ${id}`, { reason: "trace_not_found" });
      response.json({ trace_id: id, object: "trace", spans: spans.map(spanView) });
    }),
  );
  return router;
}

export function spanView(span: SpanRecord) {
  const { spanId, parentSpanId, name, kind, service, startMs, endMs, status, statusMessage } = span;
  return {
    span_id: spanId,
    parent_span_id: parentSpanId === "" ? null : parentSpanId,
    name,
    kind,
    service,
    started_at: new Date(startMs).toISOString(),
    start_ms: startMs,
    duration_ms: Math.round((endMs - startMs) * 1000) / 1000,
    status,
    ...(statusMessage === "" ? {} : { status_message: statusMessage }),
    attributes: span.attributes,
    events: span.events.map(({ name: what, atMs }) => ({ name: what, at_ms: atMs })),
    links: span.links.map((link) => ({ trace_id: link.traceId, span_id: link.spanId })),
  };
}
