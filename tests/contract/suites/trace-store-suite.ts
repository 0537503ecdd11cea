/** What every store of recent traces promises. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { SpanRecord, TraceStore } from "@mainspring/service-kit";

import type { Harness } from "../../support/adapters.ts";

const TRACE = "a".repeat(32);

function span(number: number, more: Partial<SpanRecord> = {}): SpanRecord {
  return {
    traceId: TRACE,
    spanId: number.toString(16).padStart(16, "0"),
    parentSpanId: "",
    name: "chat script",
    kind: "client",
    service: "model-router",
    tenant: "acme",
    startMs: 1_700_000_000_000.25 + number,
    endMs: 1_700_000_000_001.5 + number,
    status: "error",
    statusMessage: "overloaded",
    attributes: { "gen_ai.request.model": "script", "mainspring.attempt": 1, ok: true, list: ["a"] },
    events: [{ name: "first", atMs: 1_700_000_000_000.5 }],
    links: [{ traceId: "b".repeat(32), spanId: "c".repeat(16) }],
    ...more,
  };
}

export function describeTraceStore(name: string, open: () => Promise<Harness<TraceStore>>): void {
  describe(`trace store: ${name}`, () => {
    let harness: Harness<TraceStore>;
    beforeEach(async () => void (harness = await open()));
    afterEach(() => harness.close());

    test("spans come back as they were, by their start, for their own tenant only", async () => {
      await harness.subject.put([span(2), span(1), span(3, { tenant: "other" })]);
      expect(await harness.subject.read(TRACE, "acme")).toEqual([span(1), span(2)]);
      expect(await harness.subject.read(TRACE, "other")).toEqual([span(3, { tenant: "other" })]);
      expect(await harness.subject.read("d".repeat(32), "acme")).toEqual([]);
      await harness.subject.put([]);
    });

    test("a span that is known is replaced, also when it is written by several at once", async () => {
      await Promise.all(
        harness.peers.map((peer, index) => peer.put([span(1, { name: `by ${index}` }), span(10 + index)])),
      );
      await harness.subject.put([span(1, { name: "the last" })]);
      const found = await harness.subject.read(TRACE, "acme");
      expect(found).toHaveLength(1 + harness.peers.length);
      expect(found[0]!.name).toBe("the last");
    });

    test("old spans are dropped, the others are there after a restart", async () => {
      await harness.subject.put([span(1), span(5_000)]);
      await harness.subject.prune(span(2_000).startMs, 1_000);
      const again = await harness.reopen();
      expect(await again.read(TRACE, "acme")).toEqual([span(5_000)]);
    });
  });
}
