import { RESERVED_SPACE_IDS } from "@mainspring/kernel";
import { silentLogger } from "@mainspring/service-kit";
import type { Express } from "express";
import { describe, expect, test } from "vitest";

import { httpApp, NOT_SERVED } from "./app.ts";
import type { HttpPorts } from "./app.ts";
import * as schemas from "./openapi-schemas.ts";
import { openApi, OPERATIONS } from "./openapi.ts";
import { Admission } from "./spaces/admission.ts";
import { eventView, runView, sessionView } from "./session-views.ts";

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
}

/** Every route that the application serves, as OpenAPI writes it. */
function served(layers: readonly Layer[], prefix = ""): string[] {
  return layers.flatMap((layer) => {
    if (layer.route !== undefined) {
      const path = prefix + layer.route.path.replaceAll(/[:*](\w+)/g, "{$1}");
      return Object.keys(layer.route.methods).map((method) => `${method} ${path}`);
    }
    const below = layer.match("/nowhere") ? prefix : "/v1";
    return served(layer.handle.stack ?? [], below);
  });
}

function routes(): string[] {
  const counter = { inc: () => undefined, observe: () => undefined };
  const metrics = { counter: () => counter, duration: () => counter };
  const app: Express = httpApp({ metrics, logger: silentLogger, admission: new Admission(1) } as unknown as HttpPorts);
  return served((app.router as unknown as { stack: readonly Layer[] }).stack);
}

test("no Space can be called like a route", () => {
  const segments = [...routes(), ...NOT_SERVED].flatMap((route) => /\/v1\/([a-z][\w-]*)/.exec(route)?.[1] ?? []);
  expect(new Set(segments).size).toBeGreaterThan(10);
  expect(segments.filter((segment) => !RESERVED_SPACE_IDS.has(segment))).toEqual([]);
});

describe("the description of the API", () => {
  const described = OPERATIONS.map(({ method, path }) => `${method} ${path}`);

  test("has every route that is served, and no other", () => {
    expect(routes().length).toBeGreaterThan(20);
    expect(described.toSorted()).toEqual(routes().toSorted());
  });

  test("names every operation once", () => {
    const { paths } = openApi() as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(OPERATIONS.length);
  });

  test("describes bodies by the schemas that read them", () => {
    const text = JSON.stringify(openApi());
    for (const field of ["previous_response_id", "client_run_id", "steps_max", "tenant"]) expect(text).toContain(field);
  });
});

describe("the views are as described", () => {
  const at = 1_700_000_000_000;

  test("sessions", () => {
    const common = { id: "ses_1", agent: "script", title: "", createdAt: at, updatedAt: at };
    schemas.session.parse(sessionView({ ...common, status: "idle", statusReason: "", lastRunId: "" }));
    schemas.session.parse(sessionView({ ...common, status: "quarantined", statusReason: "x", lastRunId: "run_1" }));
  });

  test("runs", () => {
    const common = {
      id: "run_1",
      sessionId: "ses_1",
      clientRunId: "c",
      agent: "",
      model: "m",
      steps: 1,
      createdAt: at,
    };
    const more = { usage: { input_tokens: 1 }, firstSeq: 1, lastSeq: 2, traceId: "" };
    schemas.run.parse(runView({ ...common, ...more, status: "running", endedAt: 0, error: null }));
    const error = { code: "internal", message: "broken" };
    schemas.run.parse(runView({ ...common, ...more, status: "failed", endedAt: at, error }));
  });

  test("events", () => {
    const common = { seq: 1, type: "run.started", at, origin: "engine", data: {} };
    schemas.event.parse(eventView({ ...common, run: "", step: 0 }));
    schemas.event.parse(eventView({ ...common, run: "run_1", step: 2 }));
  });
});
