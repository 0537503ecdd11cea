/** The examples of the README against a fresh server in one process. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { launcher, Program, temporaryFolder } from "../support/program.ts";
import { ADDRESS, examples, linkCheckout, preambleOf, runnable, runShell } from "../support/readme.ts";

const folder = temporaryFolder();
let server: Program;
let preamble = "";

beforeAll(async () => {
  linkCheckout(folder.path);
  server = new Program([launcher, "up", "--port", "0"], { cwd: folder.path });
  const [, url] = await server.printed(/Mainspring is at (\S+)/);
  preamble = preambleOf(url!);
});

afterAll(async () => {
  server.kill();
  await server.ended;
  folder[Symbol.dispose]();
});

test("every example is run or says why not", () => {
  const run = runnable(true);
  expect(run.length).toBeGreaterThan(6);
  const silent = examples.filter(
    ({ comment }) =>
      comment !== ADDRESS && !comment.startsWith("not run: ") && !run.some((example) => example.comment === comment),
  );
  expect(silent).toEqual([]);
});

describe("examples", () => {
  test.each(runnable(true))("$number: $title", async ({ pattern, shell }) => {
    const { code, out, err } = await runShell(folder.path, `${preamble}\n${shell}`);
    expect(code, err).toBe(0);
    expect(out).toMatch(pattern);
  });
});
