/** Reads traces as a client does, and says what is wrong with one. */
import { setTimeout as pause } from "node:timers/promises";

import { api } from "./run-reader.ts";

export interface Span {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  readonly service: string;
  readonly status: string;
  readonly start_ms: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly span_id: string }[];
}

const WAIT_MS = 15_000;

/**
 * The spans of a run's trace, once those of these names are there (as often as they are named) and no parent is missing:
 * each process writes its spans a moment after they ended.
 */
export async function traceOfRun(url: string, run: string, names: readonly string[], outside = ""): Promise<Span[]> {
  const until = Date.now() + WAIT_MS;
  const { trace_id: id } = (await (await api(url, `/v1/runs/${run}`)).json()) as { trace_id: string };
  for (;;) {
    const response = await api(url, `/v1/traces/${id}`);
    const spans = response.ok ? ((await response.json()) as { spans: Span[] }).spans : [];
    if (isWhole(spans, names, outside)) return spans;
    if (Date.now() > until) throw new Error(`the trace is not whole: ${JSON.stringify(spans, null, 1)}`);
    await pause(50);
  }
}

function isWhole(spans: readonly Span[], names: readonly string[], outside: string): boolean {
  const ids = new Set([...spans.map(({ span_id }) => span_id), outside]);
  if (!spans.every(({ parent_span_id: parent }) => parent === null || ids.has(parent))) return false;
  const left = spans.map(({ name }) => name);
  return names.every((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** Names of a span and of all above it, the root last. Throws for a parent that is not in the trace. */
export function chainOf(spans: readonly Span[], span: Span): string[] {
  const names: string[] = [];
  for (let at: Span | undefined = span; at !== undefined;) {
    names.push(`${at.service}: ${at.name}`);
    const parent: string | null = at.parent_span_id;
    if (parent === null) return names;
    at = spans.find(({ span_id }) => span_id === parent);
  }
  throw new Error(`a parent is missing above ${names.join(" < ")}`);
}
