import { systemClock } from "@mainspring/kernel";
import { MemoryArtifacts, silentLogger } from "@mainspring/service-kit";
import type { Logger } from "@mainspring/service-kit";
import { describe, expect, test } from "vitest";

import type { ToolCallRequest } from "../ports/tool-executor.ts";
import type { Tool, Workspaces } from "../ports/tool.ts";
import { ToolFailure } from "../ports/tool.ts";
import { ArgumentChecker } from "./arguments.ts";
import { CatalogueExecutor } from "./catalogue-executor.ts";
import { Catalogue } from "./catalogue.ts";
import { OUTPUT_BYTES_MAX } from "../domain/preview.ts";

const workspaces: Workspaces = {
  of: async () => ({ directory: "/none", stateDirectory: "/none", owner: null }),
};

function tool(execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  const parameters = { type: "object", properties: { n: { type: "integer", default: 1 } } };
  const base = { name: "t", description: "d", parameters, recovery: "never_retry", exclusive: false } as const;
  return { ...base, timeoutMs: 60_000, execute, ...more };
}

const REQUEST: ToolCallRequest = {
  tenant: "acme",
  session: "ses_1",
  run: "run_1",
  call: "call_1",
  attempt: 1,
  tool: "t",
  argumentsJson: "{}",
  idempotencyKey: "key",
  traceparent: "",
  memory: "",
  agent: "",
  caller: "",
};

const artifacts = new MemoryArtifacts();

async function execute(
  subject: Tool,
  more: Partial<ToolCallRequest> = {},
  signal = new AbortController().signal,
  logger: Logger = silentLogger,
) {
  const catalogue = new Catalogue([subject]);
  const checker = new ArgumentChecker();
  const parts = { clock: systemClock, logger, artifacts, workspaces, catalogue, checker };
  return await new CatalogueExecutor(parts).execute({ ...REQUEST, ...more }, signal);
}

describe("outcomes", () => {
  test("text as it is, anything else as JSON, nothing as nothing", async () => {
    expect(await execute(tool(async () => "hi"))).toMatchObject({ outcome: "completed", output: "hi", artifact: "" });
    expect(await execute(tool(async (args) => args))).toMatchObject({ outcome: "completed", output: '{"n":1}' });
    expect(await execute(tool(async () => undefined))).toMatchObject({ outcome: "completed", output: "" });
  });

  test("the tool gets the key of the call", async () => {
    const said = await execute(tool(async (_args, context) => [context.idempotencyKey, context.attempt]));
    expect(said.output).toBe('["key",1]');
  });

  test.each([
    ["an unknown tool", { tool: "x" }, "Available tools: t"],
    ["bad JSON", { argumentsJson: "{" }, "not valid JSON"],
    ["arguments that do not fit", { argumentsJson: '{"n":"one"}' }, "n must be integer"],
  ])("%s fails with a sentence", async (_name, request, words) => {
    const said = await execute(
      tool(async () => "not reached"),
      request,
    );
    expect(said).toMatchObject({ outcome: "failed", output: expect.stringContaining(words) });
  });

  test("what a tool throws fails the call", async () => {
    const refused = tool(async () => Promise.reject(new ToolFailure("no such file")));
    expect(await execute(refused)).toMatchObject({ outcome: "failed", output: "no such file" });
    const broken = tool(() => {
      throw new TypeError("x is not a function");
    });
    expect(await execute(broken)).toMatchObject({ outcome: "failed", output: "x is not a function" });
  });

  const trap = (): never => {
    throw new Error("do not look");
  };
  test.each([
    ["a proxy", new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap, has: trap })],
    ["an error without a readable message", Object.defineProperty(new Error("x"), "message", { get: trap })],
    ["an object without toString", Object.create(null)],
  ])("%s that is thrown fails the call, even where the log cannot show it", async (_name, thrown: unknown) => {
    const lines: object[] = [];
    const warn = (fields: { error?: unknown }): void => {
      if (typeof fields.error !== "string") trap();
      lines.push(fields);
    };
    const subject = tool(() => {
      throw thrown;
    });
    const said = await execute(subject, {}, new AbortController().signal, { ...silentLogger, warn });
    expect(said).toMatchObject({ outcome: "failed", output: expect.stringContaining("cannot be turned into text") });
    expect(lines).toMatchObject([{ tool: "t", call: "call_1", error: said.output }]);
  });

  test("what a tool throws is logged with its stack and without the arguments; a failure it means is not", async () => {
    const lines: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields) };
    const error = new TypeError("x is not a function");
    const { signal } = new AbortController();
    await execute(
      tool(async () => Promise.reject(error)),
      {},
      signal,
      logger,
    );
    expect(lines).toEqual([{ tool: "t", session: "ses_1", call: "call_1", error }]);
    await execute(
      tool(async () => Promise.reject(new ToolFailure("no such file"))),
      {},
      signal,
      logger,
    );
    expect(lines).toHaveLength(1);
  });

  test("a cancelled call says what came out until then", async () => {
    const cancel = new AbortController();
    const subject = tool(async (_args, { signal }) => {
      cancel.abort();
      return signal.aborted ? "half" : "whole";
    });
    const said = await execute(subject, {}, cancel.signal);
    expect(said).toMatchObject({ outcome: "cancelled", output: expect.stringContaining("half") });
  });

  test("a call that is out of time fails, and says whether it may have taken effect", async () => {
    const wait: Tool["execute"] = (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
    const said = await execute(tool(wait, { timeoutMs: 5 }));
    expect(said).toMatchObject({ outcome: "failed", output: expect.stringContaining("may have taken effect") });
    const harmless = await execute(tool(wait, { timeoutMs: 5, recovery: "replay_safe" }));
    expect(harmless.output).not.toContain("may have taken effect");
  });

  test("a tool that does not listen is left behind", async () => {
    const said = await execute(tool(() => new Promise(() => undefined), { timeoutMs: 5 }));
    expect(said).toMatchObject({ outcome: "failed", output: expect.stringContaining("did not end") });
  });
});

describe("large output", () => {
  test("is kept whole as an artifact, with its ends shown", async () => {
    const text = `begin ${"ä".repeat(OUTPUT_BYTES_MAX)} end`;
    const said = await execute(tool(async () => text));
    expect(said.outputBytes).toBe(Buffer.byteLength(text));
    expect(said.output.startsWith("begin ä")).toBe(true);
    expect(said.output.endsWith("ä end")).toBe(true);
    expect(said.output).toContain(said.artifact);
    expect(said.output).not.toContain("\uFFFD");
    expect(Buffer.byteLength(said.output)).toBeLessThanOrEqual(OUTPUT_BYTES_MAX);
    const kept = await artifacts.get("acme", said.artifact);
    expect(new TextDecoder().decode(kept!)).toBe(text);
  });

  test("just small enough is not", async () => {
    const said = await execute(tool(async () => "x".repeat(OUTPUT_BYTES_MAX)));
    expect(said).toMatchObject({ artifact: "", outputBytes: OUTPUT_BYTES_MAX });
  });
});

test("the catalogue's digest changes with any definition", () => {
  const base = tool(async () => "");
  const digest = new Catalogue([base]).digest;
  expect(new Catalogue([{ ...base, timeoutMs: 1 }]).digest).toBe(digest);
  expect(new Catalogue([{ ...base, description: "e" }]).digest).not.toBe(digest);
  expect(new Catalogue([{ ...base, exclusive: true }]).digest).not.toBe(digest);
  expect(new Catalogue([{ ...base, parameters: { type: "object" } }]).digest).not.toBe(digest);
});
