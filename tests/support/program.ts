/** A process of this project under test: what it prints, when it is ready, how it ends. */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
/** The command as npm links it. */
export const launcher = join(projectRoot, "packages/cli/bin/mainspring.js");

export interface ProgramOptions {
  readonly cwd: string;
  /** Added to a path and a home: nothing else of this process's environment reaches the program. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Default: the Node that runs the tests. */
  readonly command?: string;
  /** Leads a process group of its own, which `killGroup` reaches. */
  readonly group?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const running = new Set<Program>();
process.on("exit", () => {
  for (const program of running) program.kill("SIGKILL");
});

/** With `await using` it does not outlive its test, however that ends. */
export class Program implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #watchers = new Set<() => void>();
  out = "";
  err = "";

  constructor(args: readonly string[], { cwd, env, input, command, group }: ProgramOptions) {
    this.#child = spawn(command ?? process.execPath, [...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? cwd, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: group ?? false,
    });
    running.add(this);
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdin.end(input ?? "");
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#take("out", text));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => this.#take("err", text));
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        running.delete(this);
        resolve({ code, signal });
        for (const watch of this.#watchers) watch();
      });
    });
    this.ended.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (running.has(this)) this.kill("SIGKILL");
    await this.ended;
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    this.#child.kill(signal);
  }

  /** As a supervisor does it that knows every process of a service. */
  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** The first match in what it printed. Fails with all of its output when it ends, or takes too long, before that. */
  printed(pattern: RegExp, stream: "out" | "err" = "out"): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      const fail = (why: string): void => {
        done();
        reject(new Error(`${why} before it printed ${String(pattern)}\n${this.out}\n${this.err}`));
      };
      const look = (): void => {
        const match = pattern.exec(this[stream]);
        if (match !== null) {
          done();
          resolve(match);
        } else if (!running.has(this)) fail("ended");
      };
      const timer = setTimeout(() => fail(`${READY_TIMEOUT_MS / 1000} s passed`), READY_TIMEOUT_MS);
      this.#watchers.add(look);
      look();
    });
  }

  #take(stream: "out" | "err", text: string): void {
    this[stream] += text;
    for (const watch of this.#watchers) watch();
  }
}

/** Runs it to its end. */
export async function runToEnd(
  args: readonly string[],
  options: ProgramOptions,
): Promise<Ended & { readonly out: string; readonly err: string }> {
  const program = new Program(args, options);
  const ended = await program.ended;
  return { ...ended, out: program.out, err: program.err };
}

/** Asks until the answer has the status, e.g. 200 of `/readyz`. */
export async function answers(url: string, status: number): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let last = "";
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url);
      last = `${response.status} ${await response.text()}`;
      if (response.status === status) return;
    } catch (error) {
      last = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${url} did not answer ${status}, but ${last}`);
}

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "mainspring-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Nodes on the path that npm did not put there. */
export function systemNodes(): string[] {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
