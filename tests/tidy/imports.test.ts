/** Who may import what: the layers of a service, and the packages below the services. */
import { posix } from "node:path";

import { describe, expect, test } from "vitest";

import { importsOf, sourcesBelow } from "./sources.ts";
import type { Source } from "./sources.ts";

const production = sourcesBelow(["packages", "services"], ".ts").filter(({ path }) => !path.endsWith(".test.ts"));
const LAYERS = ["domain", "app", "ports", "adapters", "rpc"] as const;
type Layer = (typeof LAYERS)[number];

/** Layers of the same service, packages and outside modules that a layer may import. */
const MAY_IMPORT: Readonly<Record<Layer, { layers: readonly Layer[]; outside: RegExp }>> = {
  domain: { layers: ["domain"], outside: /^@mainspring\/(kernel|kip)$/ },
  ports: { layers: ["domain", "ports"], outside: /^@mainspring\/(kernel|kip)$/ },
  app: {
    layers: ["domain", "ports", "app"],
    outside: /^(@mainspring\/(kernel|kip|service-kit)|zod|ajv|node:(path|crypto|buffer))$/,
  },
  adapters: { layers: ["domain", "ports", "adapters"], outside: /./ },
  rpc: { layers: ["domain", "ports", "app", "rpc"], outside: /./ },
};

/** Roots of threads of their own: they compose a use case within the thread, as compose.ts does within a process. */
const THREAD_ROOTS = "services/memory-brain/src/adapters/space-store/";

function layerOf(path: string): { service: string; layer: Layer } | null {
  const [, service, layer] = /^services\/([^/]+)\/src\/([^/]+)\//.exec(path) ?? [];
  const known = LAYERS.find((name) => name === layer);
  return service === undefined || known === undefined ? null : { service, layer: known };
}

/** The rule that an import breaks, or null. */
export function brokenRule(path: string, imported: string): string | null {
  const target = imported.startsWith(".") ? posix.join(posix.dirname(path), imported) : imported;
  const inPackage = /^packages\/([^/]+)\//.exec(path)?.[1];
  if (inPackage === "kernel" && !imported.startsWith(".") && !imported.startsWith("node:")) {
    return "kernel depends on nothing";
  }
  if (
    inPackage !== undefined &&
    inPackage !== "cli" &&
    /^services\/|^@mainspring\/(gateway|.*-(worker|router|runner|brain))$/.test(target)
  ) {
    return "a package does not know the services";
  }
  const from = layerOf(path);
  const service = /^services\/([^/]+)\//.exec(path)?.[1];
  const targetService = /^services\/([^/]+)\//.exec(target)?.[1] ?? null;
  if (service !== undefined && targetService !== null && targetService !== service) {
    return "a service does not import another";
  }
  if (from === null) return null;
  const rule = MAY_IMPORT[from.layer];
  if (path.startsWith(THREAD_ROOTS) && layerOf(target)?.layer === "app") return null;
  const to = layerOf(target);
  if (to !== null) return rule.layers.includes(to.layer) ? null : `${from.layer} does not import ${to.layer}`;
  if (imported.startsWith(".")) return null;
  return rule.outside.test(imported) ? null : `${from.layer} does not import ${imported}`;
}

function broken(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap((imported) => {
      const rule = brokenRule(source.path, imported);
      return rule === null ? [] : [`${source.path}: ${imported} (${rule})`];
    }),
  );
}

describe("imports", () => {
  test("the rules look at real files and real imports", () => {
    expect(production.length).toBeGreaterThan(50);
    expect(production.flatMap(importsOf).length).toBeGreaterThan(200);
    for (const layer of ["domain", "app", "ports", "adapters"]) {
      expect(production.filter(({ path }) => layerOf(path)?.layer === layer).length, layer).toBeGreaterThan(0);
    }
  });

  test.each([
    ["services/engine-worker/src/domain/a.ts", "node:fs"],
    ["services/engine-worker/src/domain/a.ts", "../ports/session-store.ts"],
    ["services/engine-worker/src/app/a.ts", "../adapters/x.ts"],
    ["services/engine-worker/src/app/a.ts", "mongodb"],
    ["services/engine-worker/src/ports/a.ts", "@mainspring/contracts"],
    ["services/engine-worker/src/adapters/a.ts", "../../../tool-runner/src/ports/effect-ledger.ts"],
    ["packages/kernel/src/a.ts", "zod"],
    ["packages/service-kit/src/a.ts", "@mainspring/engine-worker"],
  ])("%s may not import %s", (path, imported) => {
    expect(brokenRule(path, imported)).not.toBeNull();
  });

  test("every import keeps the rules", () => {
    expect(broken(production)).toEqual([]);
  });

  test("only tests import the testkit", () => {
    const using = production.filter((source) => importsOf(source).includes("@mainspring/testkit"));
    expect(using.map(({ path }) => path)).toEqual([]);
  });
});

test("the HTTP half of the client pulls in no gRPC", () => {
  const byPath = new Map(production.map((source) => [source.path, source]));
  const [pending, seen, outside] = [["packages/client/src/index.ts"], new Set<string>(), new Set<string>()];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const imported of importsOf(byPath.get(path)!)) {
      if (imported.startsWith(".")) pending.push(posix.join(posix.dirname(path), imported));
      else outside.add(imported);
    }
  }
  expect(seen.size).toBeGreaterThan(5);
  expect([...outside].sort()).toEqual(["@mainspring/kernel", "eventsource-parser", "node:crypto"]);
});
