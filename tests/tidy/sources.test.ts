/** Rules about the text of the sources. */
import { stripTypeScriptTypes } from "node:module";

import { expect, test } from "vitest";

import { sourcesBelow } from "./sources.ts";

const sources = sourcesBelow(["packages", "services", "tests", "scripts"], ".ts");
const domain = sources.filter(({ path }) => /\/src\/domain\//.test(path) && !path.endsWith(".test.ts"));

test("the rules look at real files", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(domain.length).toBeGreaterThan(5);
});

// The test runner accepts syntax that Node refuses, so green tests do not prove that a service starts.
test("Node can run every file as it is", () => {
  const refused = sources.filter(({ text }) => {
    try {
      stripTypeScriptTypes(text);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused.map(({ path }) => path)).toEqual([]);
});

test("there are no decorators, which the type checker lets through and Node does not", () => {
  const decorated = sources.filter(({ text }) =>
    /^\s*@[A-Za-z_][\w.]*(\(.*\))?\s*(export |class |async |readonly |$)/m.test(
      text.replaceAll(/\/\*[\s\S]*?\*\//g, ""),
    ),
  );
  expect(decorated.map(({ path }) => path)).toEqual([]);
});

test("domains have no clock, randomness, timer or process of their own", () => {
  const impure =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bset(Timeout|Interval|Immediate)\(|\bperformance\./;
  expect(domain.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([]);
});

test("only the configuration reads the environment", () => {
  const readers = sources.filter(
    ({ path, text }) => /^(packages|services)\//.test(path) && /\bprocess\.env\b/.test(text),
  );
  const allowed = /\/config\.ts$|\/config\/[^/]+\.ts$|^packages\/cli\/|\.test\.ts$/;
  expect(readers.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
});

test("protos have no map and no Struct, which reflection cannot describe", () => {
  const protos = sourcesBelow(["protos"], ".proto");
  expect(protos.length).toBeGreaterThan(3);
  const wrong = protos.filter(({ text }) => /\bmap\s*<|google\.protobuf\.Struct/.test(text.replaceAll(/\/\/.*/g, "")));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
