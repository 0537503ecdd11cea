/** A server that a test run starts: waits until it is ready, and can freeze, kill and restart it on the same data. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const OUTPUT_LINES_KEPT = 20;

export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** A line of the output that says that it serves. */
  readonly readyLine: RegExp;
}

/** A server that tests use. Those which are not ours (given by URL) can only be used. */
export interface TestServer {
  readonly url: string;
  /** What answers there, for the report. */
  readonly description: string;
  /** Null for a server that was given by URL. */
  readonly control: ServerControl | null;
  stop(): Promise<void>;
}

export interface ServerControl {
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Ends it with the signal and resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
}

const running = new Set<ChildProcess>();
let exitHooked = false;

function killAtExit(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (exitHooked) return;
  exitHooked = true;
  process.on("exit", () => {
    for (const left of running) left.kill("SIGKILL");
  });
}

export class ServerProcess implements ServerControl {
  readonly #spec: ServerCommand;
  #child: ChildProcess | undefined;

  constructor(spec: ServerCommand) {
    this.#spec = spec;
  }

  async start(): Promise<void> {
    const { name, command, args, readyLine } = this.#spec;
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    killAtExit(child);
    this.#child = child;
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`${name} ${why}\n${lines.join("\n")}`));
      const timer = setTimeout(() => fail("was not ready in time"), READY_TIMEOUT_MS);
      const onLine = (line: string): void => {
        lines.push(line);
        if (lines.length > OUTPUT_LINES_KEPT) lines.shift();
        if (!readyLine.test(line)) return;
        clearTimeout(timer);
        resolve();
      };
      for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
      child.once("error", (error) => fail(`cannot be started: ${error.message}`));
      child.once("exit", (code, signal) => {
        clearTimeout(timer);
        fail(`ended (${signal ?? code})`);
      });
    });
  }

  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  async kill(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill(signal);
    child.kill("SIGCONT");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }
}
