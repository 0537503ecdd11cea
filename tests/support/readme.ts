/**
 * The shell examples of the README, to be run exactly as they are printed. A comment before a block says what it must
 * print (`prints: <pattern>`, or `prints where traces are kept: <pattern>`) or why it is not run (`not run: <reason>`).
 */
import { spawn } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { projectRoot } from "./program.ts";

export interface Example {
  readonly title: string;
  readonly comment: string;
  readonly shell: string;
}

/** Below the time limit of a test, so that nothing outlives it. */
const SHELL_TIMEOUT_MS = 100_000;
export const ADDRESS = "the server's address";
/** Where the README assumes the server; here it has a free port. */
const ASSUMED = "http://127.0.0.1:8080";
const PRINTS = /^prints(?: (where traces are kept))?: (.+)$/;

export const examples = examplesOf(readFileSync(join(projectRoot, "README.md"), "utf8"));

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

export interface RunnableExample extends Example {
  readonly number: number;
  readonly pattern: RegExp;
}

/** Those that are run, in their order. `keepsTraces`: against a server that sends its traces nowhere. */
export function runnable(keepsTraces: boolean): RunnableExample[] {
  return examples
    .flatMap((example) => {
      const [, kept, pattern] = PRINTS.exec(example.comment) ?? [];
      return pattern === undefined
        ? []
        : [{ ...example, needsTraces: kept !== undefined, pattern: new RegExp(pattern) }];
    })
    .map((example, index) => ({ ...example, number: index + 1 }))
    .filter(({ needsTraces }) => keepsTraces || !needsTraces);
}

/** What comes before each example: where the server is. Without a key it is the data directory's. */
export function preambleOf(url: string, key?: string): string {
  const shell = examples.find(({ comment }) => comment === ADDRESS)!.shell.replace(ASSUMED, url);
  return key === undefined ? shell : shell.replace("$(cat .mainspring/admin-key)", key);
}

/** What the examples find in a checkout. */
export function linkCheckout(folder: string): void {
  for (const name of ["node_modules", "examples"]) symlinkSync(join(projectRoot, name), join(folder, name));
}

/** In a shell of its own, whose background processes end with it. */
export async function runShell(
  folder: string,
  shell: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? folder };
  const child = spawn("bash", ["-e", "-c", shell], { cwd: folder, env, detached: true });
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
