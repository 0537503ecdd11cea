import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, expect, test } from "vitest";

import { loadTools } from "../../../services/tool-runner/src/adapters/tools-directory.ts";
import { ArgumentChecker } from "../../../services/tool-runner/src/app/arguments.ts";
import type { ToolContext } from "../../../services/tool-runner/src/ports/tool.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "mainspring-tools-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function load(from = directory) {
  const checker = new ArgumentChecker();
  return loadTools(from, ["shell"], (schema) => checker.compile(schema));
}

const good = (name: string, more = "") =>
  `export default { name: "${name}", description: "d", parameters: { type: "object" }, ${more} execute: (args, c) => ({ args, key: c.idempotencyKey, at: c.workspace }) };`;

const CONTEXT = {
  tenant: "acme",
  session: "s",
  run: "r",
  call: "c",
  attempt: 2,
  idempotencyKey: "k",
  traceparent: "",
  memory: "",
  agent: "",
  caller: "",
  signal: new AbortController().signal,
  workspace: async () => ({ directory: "/ws", stateDirectory: "/st", owner: null }),
} satisfies ToolContext;

test("modules of all three kinds, with defaults on the safe side", async () => {
  await writeFile(join(directory, "a.mjs"), good("a"));
  await writeFile(
    join(directory, "b.ts"),
    `const n: number = 1;\n${good("b", 'recovery: "replay_safe", exclusive: n === 1, timeoutMs: 5,')}`,
  );
  await writeFile(join(directory, "README.md"), "not a tool");
  await writeFile(join(directory, "_shared.ts"), "export const shared = 1;");
  await writeFile(join(directory, "a.test.ts"), "throw new Error('not loaded')");
  const [a, b] = await load();
  expect(a).toMatchObject({ name: "a", recovery: "never_retry", exclusive: false, timeoutMs: 60_000 });
  expect(b).toMatchObject({ name: "b", recovery: "replay_safe", exclusive: true, timeoutMs: 5 });
  expect(await a!.execute({ x: 1 }, CONTEXT)).toEqual({ args: { x: 1 }, key: "k", at: "/ws" });
});

test("all problems come at once, each with its file", async () => {
  const files: Record<string, string> = {
    "broken.mjs": "export default {",
    "empty.mjs": "export const other = 1;",
    "named.mjs": good("two words"),
    "rule.mjs": good("rule", 'recovery: "sometimes",'),
    "schema.mjs": good("schema").replace('type: "object"', 'type: "object", properties: { a: { type: "nonsense" } }'),
    "taken.mjs": good("shell"),
    "twice1.mjs": good("twice"),
    "twice2.mjs": good("twice"),
    "time.mjs": good("time", "timeoutMs: -1,"),
    "idle.mjs": 'export default { name: "idle", description: "d", parameters: { type: "object" } };',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const error = await load().then(
    () => null,
    (thrown: unknown) => thrown as Error & { reason: string },
  );
  expect(error?.reason).toBe("invalid_configuration");
  for (const name of Object.keys(files)) {
    expect(error?.message.includes(`${name}:`), name).toBe(name !== "twice1.mjs");
  }
  expect(error?.message).toContain("belongs to twice1.mjs");
});

test("a directory that is not there", async () => {
  await expect(load(join(directory, "absent"))).rejects.toThrow(/MAINSPRING_TOOLS_DIR/);
});

test("the example works", async () => {
  const [dice] = await load(fileURLToPath(new URL("../../../examples/tools", import.meta.url)));
  const rolled = (await dice!.execute({ sides: 6, count: 3 }, CONTEXT)) as { rolls: number[]; sum: number };
  expect(rolled.rolls).toHaveLength(3);
  expect(rolled.sum).toBe(rolled.rolls.reduce((sum, roll) => sum + roll, 0));
});
