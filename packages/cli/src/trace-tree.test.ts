import type { SpanView } from "@mainspring/client";
import { expect, test } from "vitest";

import { traceTree } from "./trace-tree.ts";

const span = (id: string, parent: string | null, start: number, more: Partial<SpanView> = {}): SpanView => ({
  span_id: id,
  parent_span_id: parent,
  name: `span ${id}`,
  service: "gateway",
  start_ms: start,
  duration_ms: 10,
  status: "unset",
  ...more,
});

test("children lie under their parents in the order of their starts, with times from the first start", () => {
  const late = span("c", "a", 1_030, { status: "error", status_message: "gone", service: "tool-runner" });
  const text = traceTree([late, span("a", null, 1_000), span("b", "a", 1_002.5, { duration_ms: 2_500 })]);
  expect(text.split("\n")).toEqual([
    "START     TIME     SERVICE      SPAN",
    "+0.0 ms   10.0 ms  gateway      span a",
    "+2.5 ms   2.50 s   gateway        span b",
    "+30.0 ms  10.0 ms  tool-runner    span c  (failed: gone)",
    "",
  ]);
});

test("a span whose parent is unknown stands at the top, and spans in a circle end the drawing", () => {
  const text = traceTree([span("x", "unknown", 1), span("y", "x", 2)]);
  expect(text).toContain("  span x\n");
  expect(text).toContain("    span y");
  expect(traceTree([span("p", "q", 1), span("q", "p", 2)])).toBe("START  TIME  SERVICE  SPAN\n");
});
