import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FileArtifacts, MemoryArtifacts, MongoArtifacts } from "@mainspring/service-kit";
import { inject } from "vitest";

import { withServer } from "../support/adapters.ts";
import { memoryHarness, mongoHarness } from "../support/store-harness.ts";
import { describeArtifactStore } from "./suites/artifact-store-suite.ts";

const root = mkdtempSync(join(tmpdir(), "mainspring-artifacts-"));

async function damageFile(digest: string): Promise<void> {
  const names = await readdir(root, { recursive: true });
  const path = join(root, names.find((name) => name.endsWith(digest)) ?? "");
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5);
  await writeFile(path, bytes);
}

describeArtifactStore("file system", { durable: true, damage: damageFile }, async () => ({
  ...(await memoryHarness(() => new FileArtifacts(root))),
  close: async () => rmSync(root, { recursive: true, force: true }),
}));
describeArtifactStore("memory", { durable: false }, () => {
  const memory = new MemoryArtifacts();
  return memoryHarness(() => memory);
});
withServer("artifacts in MongoDB", inject("servers").mongo, (url, name) => {
  describeArtifactStore(name, { durable: true }, () =>
    mongoHarness(url, (connection) => new MongoArtifacts(connection)),
  );
});
