import { MongoTraceStore, openSqliteThread, openSqliteTraceStore } from "@mainspring/service-kit";
import type { SpanRecord } from "@mainspring/service-kit";
import { expect, inject, test } from "vitest";

import { withServer } from "../support/adapters.ts";
import { mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeTraceStore } from "./suites/trace-store-suite.ts";

describeTraceStore("SQLite", () => sqliteHarness(openSqliteTraceStore));
withServer("trace store on MongoDB", inject("servers").mongo, (url, name) => {
  describeTraceStore(name, () => mongoHarness(url, (connection) => new MongoTraceStore(connection)));
});

test("SQLite keeps a bounded number of spans, the newest", async () => {
  const thread = await openSqliteThread({ path: ":memory:", relaxed: true });
  const store = await openSqliteTraceStore(thread);
  const traceId = "a".repeat(32);
  const rest = { parentSpanId: "", name: "s", kind: "internal", service: "gateway", tenant: "acme", endMs: 1 } as const;
  const more = { status: "ok", statusMessage: "", attributes: {}, events: [], links: [] } as const;
  const spans = Array.from({ length: 50 }, (_, index): SpanRecord => {
    return { traceId, spanId: index.toString(16).padStart(16, "0"), startMs: index, ...rest, ...more };
  });
  await store.put(spans);
  await store.prune(0, 20);
  expect((await store.read(traceId, "acme")).map(({ startMs }) => startMs)).toEqual(
    Array.from({ length: 20 }, (_, index) => 30 + index),
  );
  await thread.close();
});
