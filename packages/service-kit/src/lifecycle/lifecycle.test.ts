import { spawnSync } from "node:child_process";

import { expect, test } from "vitest";

const PROLOGUE = `
  import { createLogger } from "${new URL("../logs/logger.ts", import.meta.url).href}";
  import { endOnStray } from "${new URL("./lifecycle.ts", import.meta.url).href}";
  endOnStray(createLogger("test", "error"));
  setTimeout(() => undefined, 60_000);
`;

test.each([
  ["a rejection", 'void Promise.reject(new Error("left behind"))', "unhandledRejection"],
  ["an error of a timer", 'setTimeout(() => { throw new Error("left behind"); }, 1)', "uncaughtException"],
])("%s that nobody handles is logged and ends the process with 70", (_name, stray, origin) => {
  const args = ["--input-type=module", "-e", PROLOGUE + stray];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  expect(status).toBe(70);
  const line = stderr.split("\n").find((text) => text.startsWith("{"))!;
  expect(JSON.parse(line)).toMatchObject({ origin, error: { message: "left behind", stack: expect.any(String) } });
});
