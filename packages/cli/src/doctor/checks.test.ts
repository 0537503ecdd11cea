import { createServer } from "node:http";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

  test("a look at a data directory leaves what is in it", async () => {
    const here = { MAINSPRING_DATA_DIR: folder };
    const lock = lockDataDir(folder);
    lock.announce({ url: "http://127.0.0.1:9", pid: 1 });
    const before = readdirSync(folder);
    expect(await found("data directory", here)).toMatchObject({ state: "missing" });
    expect(readdirSync(folder)).toEqual(before);
    expect(before).toContain("server.json");
    lock.release();
  });

  test("a data directory that is a file, or is to be made in one, is missing", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "data")]) {
      const finding = await found("data directory", { MAINSPRING_DATA_DIR: path });
      expect(finding).toMatchObject({ state: "missing", detail: expect.stringContaining("is a file") });
    }
  });

  test("the sandbox is the one that the settings give", async () => {
    const none = await found("bubblewrap", { MAINSPRING_SANDBOX: "none" });
    expect(none).toMatchObject({ state: "note", detail: expect.stringContaining("MAINSPRING_SANDBOX is `none`") });
    const nowhere = { PATH: folder };
    const absent = await found("bubblewrap", nowhere);
    expect(absent).toMatchObject({ state: "note", detail: expect.stringContaining("not installed") });
    expect(await found("bubblewrap", { ...nowhere, MAINSPRING_SANDBOX: "bubblewrap" })).toMatchObject({
      state: "missing",
    });
  });

  test("a directory of tools must be there, and its modules must load", async () => {
    const here = { MAINSPRING_TOOLS_DIR: folder };
    expect(await found("tools", { MAINSPRING_TOOLS_DIR: join(folder, "none") })).toMatchObject({ state: "missing" });
    const tool = '{ name: "mine", description: "d", parameters: { type: "object" }, execute() {} }';
    writeFileSync(join(folder, "mine.mjs"), `export default ${tool};`);
    expect(await found("tools", here)).toMatchObject({ state: "ok", detail: expect.stringContaining("mine") });
    writeFileSync(join(folder, "broken.mjs"), "export default {");
    expect(await found("tools", here)).toMatchObject({
      state: "missing",
      detail: expect.stringContaining("broken.mjs"),
    });
  });

  test("a port that another program has is missing", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const PORT = String((other.address() as AddressInfo).port);
    expect(await found("port", { PORT })).toMatchObject({ state: "missing" });
    await new Promise((resolve) => other.close(resolve));
    expect(await found("port", { PORT })).toMatchObject({ state: "ok" });
  });

  test("a port of a Mainspring server is told from that of another program", async () => {
    const other = createServer((_request, response) => response.end(JSON.stringify({ info: { title: "Mainspring" } })));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const PORT = String((other.address() as AddressInfo).port);
    expect(await found("port", { PORT })).toMatchObject({
      state: "missing",
      detail: expect.stringContaining("another data directory"),
    });
    // Nobody listens at these; what is looked at is whose port it is.
    const stores = { MAINSPRING_REDIS_URL: "redis://127.0.0.1:1", MAINSPRING_MONGO_URL: "mongodb://127.0.0.1:1" };
    expect(await found("port", { PORT, ...stores })).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("in use by a Mainspring server"),
    });
    await new Promise((resolve) => other.close(resolve));
  });

  test("while its server answers elsewhere, a port that is taken is no more than a note", async () => {
    const other = createServer((_request, response) => response.end("{}"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    writeFileSync(join(folder, "server.json"), JSON.stringify({ url, pid: 1 }));
    const PORT = String((taken.address() as AddressInfo).port);
    expect(await found("port", { PORT, MAINSPRING_DATA_DIR: folder })).toMatchObject({
      state: "note",
      detail: expect.stringContaining(`the server is at ${url}`),
    });
    await Promise.all([other, taken].map((server) => new Promise((resolve) => server.close(resolve))));
  });

  test("a misspelt variable is a note", async () => {
    expect(await found("variables", {})).toBeUndefined();
    expect(await found("variables", { MAINSPRING_TOOL_DIR: "hidden" })).toMatchObject({
      state: "note",
      detail: "MAINSPRING_TOOL_DIR is no variable that anything reads: is MAINSPRING_TOOLS_DIR meant?",
    });
  });

  test("models and keys", async () => {
    expect(await found("model", {})).toMatchObject({ state: "note" });
    expect(await found("model", { OPENAI_API_KEY: "k" })).toMatchObject({ state: "note" });
    expect(await found("model", { OPENAI_API_KEY: "k", OPENAI_MODEL_NAME: "m" })).toMatchObject({ state: "ok" });
    expect(await found("model", { ANTHROPIC_API_KEY: "k" })).toMatchObject({
      state: "note",
      detail: expect.stringContaining("ANTHROPIC_MODEL_NAME"),
    });
    expect(await found("model", { ANTHROPIC_API_KEY: "k", ANTHROPIC_MODEL_NAME: "c" })).toMatchObject({ state: "ok" });
    expect(await found("admin key", {})).toMatchObject({ detail: expect.stringContaining("first start") });
    writeFileSync(join(folder, "admin-key"), "k");
    const here = { MAINSPRING_DATA_DIR: folder };
    expect(await found("admin key", here)).toMatchObject({ detail: expect.stringContaining("admin-key") });
  });
});
