/**
 * The shell examples of the README, run exactly as they are printed against a fresh server. A comment before a block
 * says what it must print (`prints: <pattern>`) or why it is not run (`not run: <reason>`).
 */
import { spawn } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { launcher, Program, projectRoot, temporaryFolder } from "../support/program.ts";

interface Example {
  readonly title: string;
  readonly comment: string;
  readonly shell: string;
}

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
/** Below the time limit of a test, so that nothing outlives it. */
const SHELL_TIMEOUT_MS = 100_000;
const ADDRESS = "the server's address";
/** Where the README assumes the server; here it has a free port. */
const ASSUMED = "http://127.0.0.1:8080";

function examplesOf(markdown: string): Example[] {
  const found: Example[] = [];
  let title = "";
  for (const [, heading, comment = "", shell = ""] of markdown.matchAll(
    /^#{2,3} (.+)$|(?:^<!-- (.+) -->\n\n)?^```sh\n([\s\S]*?)^```$/gm,
  )) {
    if (heading !== undefined) title = heading;
    else found.push({ title, comment, shell });
  }
  return found;
}

const examples = examplesOf(readme);
const runnable = examples.filter(({ comment }) => comment.startsWith("prints: "));
const folder = temporaryFolder();
let server: Program;
let preamble = "";

beforeAll(async () => {
  for (const name of ["node_modules", "examples"]) symlinkSync(join(projectRoot, name), join(folder.path, name));
  server = new Program([launcher, "up", "--port", "0"], { cwd: folder.path });
  const [, url] = await server.printed(/Mainspring is at (\S+)/);
  preamble = examples.find(({ comment }) => comment === ADDRESS)!.shell.replace(ASSUMED, url!);
});

afterAll(async () => {
  server.kill();
  await server.ended;
  folder[Symbol.dispose]();
});

/** In a shell of its own, whose background processes end with it. */
async function runShell(shell: string): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? folder.path };
  const child = spawn("bash", ["-e", "-c", `${preamble}\n${shell}`], { cwd: folder.path, env, detached: true });
  child.stdin.end();
  const endAll = (): void => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // Nothing was left of it.
    }
  };
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const timer = setTimeout(endAll, SHELL_TIMEOUT_MS);
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const code = await exit;
  clearTimeout(timer);
  endAll();
  return { code, out: await out, err: await err };
}

test("every example is run or says why not", () => {
  expect(runnable.length).toBeGreaterThan(6);
  const silent = examples.filter(({ comment }) => !/^(prints|not run): .|^the server's address$/.test(comment));
  expect(silent).toEqual([]);
});

describe("examples", () => {
  test.each(runnable.map((example, index) => ({ ...example, number: index + 1 })))(
    "$number: $title",
    async ({ comment, shell }) => {
      const { code, out, err } = await runShell(shell);
      expect(code, err).toBe(0);
      expect(out).toMatch(new RegExp(comment.slice("prints: ".length)));
    },
  );
});
