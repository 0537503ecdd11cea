/** A trace as a tree of lines: what happened under what, when it began and how long it took. */
import type { SpanView } from "@mainspring/client";

import { brief, table } from "./output.ts";

/** Deepest level that is drawn; what lies below it is drawn there. */
const DEPTH_MAX = 32;
const NAME_CHARS = 80;

/** Spans whose parent is not among them (it was not kept, or another system has it) stand at the top. */
export function traceTree(spans: readonly SpanView[]): string {
  const known = new Set(spans.map((span) => span.span_id));
  const isRoot = ({ parent_span_id: parent }: SpanView): boolean => parent === null || !known.has(parent);
  const children = Map.groupBy(spans, (span) => (isRoot(span) ? "" : span.parent_span_id!));
  const startMs = Math.min(...spans.map((span) => span.start_ms));
  const drawn = new Set<string>();
  const rows: string[][] = [];
  const draw = (span: SpanView, depth: number): void => {
    if (drawn.has(span.span_id)) return;
    drawn.add(span.span_id);
    const failed = span.status === "error" ? `failed: ${brief(span.status_message ?? "", NAME_CHARS)}` : "";
    rows.push([
      `+${milliseconds(span.start_ms - startMs)}`,
      milliseconds(span.duration_ms),
      span.service,
      `${"  ".repeat(Math.min(depth, DEPTH_MAX))}${brief(span.name, NAME_CHARS)}${failed === "" ? "" : `  (${failed})`}`,
    ]);
    for (const child of inOrder(children.get(span.span_id) ?? [])) draw(child, depth + 1);
  };
  for (const root of inOrder(children.get("") ?? [])) draw(root, 0);
  return table(["START", "TIME", "SERVICE", "SPAN"], rows);
}

function inOrder(spans: readonly SpanView[]): SpanView[] {
  return [...spans].sort((a, b) => a.start_ms - b.start_ms);
}

function milliseconds(value: number): string {
  return value < 1_000 ? `${value.toFixed(1)} ms` : `${(value / 1_000).toFixed(2)} s`;
}
