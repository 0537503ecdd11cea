/** Rules about the documentation: its links lead somewhere, and it names nothing of one machine. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { root, sourcesBelow } from "./sources.ts";
import type { Source } from "./sources.ts";

const TOP = ["README.md", "CHANGELOG.md"];
const documents: Source[] = [
  ...TOP.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  ...sourcesBelow(["docs", "services", "packages"], ".md"),
];

function brokenLinks({ path, text }: Source): string[] {
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? "");
  return targets
    .filter((target) => !existsSync(join(root, dirname(path), target)))
    .map((target) => `${path}: ${target}`);
}

test("the rules look at real documents and links", () => {
  expect(documents.length).toBeGreaterThan(8);
  expect(documents.flatMap(({ text }) => [...text.matchAll(/\]\(\.\.?\//g)]).length).toBeGreaterThan(30);
  expect(brokenLinks({ path: "docs/x.md", text: "[a](../README.md) [b](nowhere.md)" })).toEqual([
    "docs/x.md: nowhere.md",
  ]);
});

test("every link to a file leads to one", () => {
  expect(documents.flatMap(brokenLinks)).toEqual([]);
});

test("every service has a page that says what happens when something fails", () => {
  for (const service of ["gateway", "engine-worker", "model-router", "tool-runner", "memory-brain", "eval-runner"]) {
    const page = documents.find(({ path }) => path === `services/${service}/README.md`);
    expect(page?.text, service).toContain("what fails");
  }
});

test("every metric is in the page on operations, and no other", () => {
  const page = documents.find(({ path }) => path === "docs/operations.md")!.text;
  const counted = sourcesBelow(["packages", "services"], ".ts").flatMap(({ text }) =>
    [...text.matchAll(/"(mainspring_[a-z_]+)"/g)].map(([, name]) => name!),
  );
  expect(counted.length).toBeGreaterThan(8);
  const told = new Set([...page.matchAll(/`(mainspring_[a-z_]+)`/g)].map(([, name]) => name!));
  expect([...told].toSorted()).toEqual([...new Set(counted)].toSorted());
});
