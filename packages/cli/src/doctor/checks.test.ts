import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { lockDataDir } from "@mainspring/service-kit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { examine, lookAtNode } from "./checks.ts";
import type { Finding } from "./checks.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "mainspring-doctor-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function found(name: string, environment: Record<string, string>): Promise<Finding | undefined> {
  const findings = await examine({ PORT: "0", MAINSPRING_DATA_DIR: join(folder, "data"), ...environment });
  return findings.find((finding) => finding.name === name);
}

describe("doctor", () => {
  test("Node must be new enough", () => {
    expect(lookAtNode("24.1.0")).toMatchObject({ state: "ok" });
    expect(lookAtNode("20.9.0")).toMatchObject({ state: "missing", remedy: expect.stringContaining("npm ci") });
  });

  test("a wrong configuration is found, problem by problem", async () => {
    const findings = await examine({ PORT: "x", MAINSPRING_LOG_LEVEL: "loud" });
    expect(findings.filter(({ name }) => name === "configuration")).toHaveLength(2);
  });

  test("a data directory that is locked by somebody who does not answer is missing", async () => {
    expect(await found("data directory", {})).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("made at"),
    });
    const lock = lockDataDir(join(folder, "data"));
    expect(await found("data directory", {})).toMatchObject({ state: "missing" });
    lock.release();
    expect(await found("data directory", {})).toMatchObject({ state: "ok", detail: expect.stringContaining("free") });
  });

  test("a port that another program has is missing", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const PORT = String((other.address() as AddressInfo).port);
    expect(await found("port", { PORT })).toMatchObject({ state: "missing" });
    await new Promise((resolve) => other.close(resolve));
    expect(await found("port", { PORT })).toMatchObject({ state: "ok" });
  });

  test("models and keys", async () => {
    expect(await found("model", {})).toMatchObject({ state: "note" });
    expect(await found("model", { OPENAI_API_KEY: "k" })).toMatchObject({ state: "note" });
    expect(await found("model", { OPENAI_API_KEY: "k", OPENAI_MODEL_NAME: "m" })).toMatchObject({ state: "ok" });
    expect(await found("admin key", {})).toMatchObject({ detail: expect.stringContaining("first start") });
    writeFileSync(join(folder, "admin-key"), "k");
    const here = { MAINSPRING_DATA_DIR: folder };
    expect(await found("admin key", here)).toMatchObject({ detail: expect.stringContaining("admin-key") });
  });
});
