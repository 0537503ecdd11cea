/** Mainspring as real processes: the embedded server, and services of their own. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const LINES_KEPT = 200;

export type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
let exitHooked = false;

function killAtExit(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (exitHooked) return;
  exitHooked = true;
  process.once("exit", () => {
    for (const left of running) left.kill("SIGKILL");
  });
}

export class MainspringProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly lines: string[] = [];
  readonly #watchers = new Set<(line: string) => void>();

  /** `args` of Node, from the repository's root. */
  constructor(name: string, args: readonly string[], environment: Environment) {
    this.name = name;
    const { PATH, HOME, WITNESS_URL } = process.env as Record<string, string>;
    this.#child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH, HOME, ...(WITNESS_URL === undefined ? {} : { WITNESS_URL }), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      createInterface({ input: stream }).on("line", (line) => {
        this.lines.push(line);
        if (this.lines.length > LINES_KEPT) this.lines.shift();
        for (const watcher of this.#watchers) watcher(line);
      });
    }
    killAtExit(this.#child);
  }

  /** The first line that matches, of those already written or to come. Rejects when the process ends before it. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    for (const line of this.lines) {
      const match = pattern.exec(line);
      if (match !== null) return match;
    }
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(watcher);
        this.#child.off("exit", onExit);
      };
      const fail = (why: string): void => {
        done();
        reject(new Error(`${this.name} ${why}\n${this.lines.join("\n")}`));
      };
      const onExit = (code: number | null): void => fail(`ended with ${code}`);
      const timer = setTimeout(() => fail(`did not say ${pattern.source} in time`), READY_TIMEOUT_MS);
      const watcher = (line: string): void => {
        const match = pattern.exec(line);
        if (match === null) return;
        done();
        resolve(match);
      };
      this.#watchers.add(watcher);
      this.#child.once("exit", onExit);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it is gone. */
  async ended(): Promise<void> {
    if (this.isRunning) await once(this.#child, "exit");
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it and resolves with its exit code (null when a signal ended it). */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    if (this.isRunning) {
      const gone = once(this.#child, "exit");
      this.#child.kill(signal);
      if (signal !== "SIGCONT") this.#child.kill("SIGCONT");
      await gone;
    }
    return this.#child.exitCode;
  }
}

export const ADMIN_KEY = "test-admin-key";

export interface EmbeddedServer {
  readonly process: MainspringProcess;
  readonly url: string;
}

/** `mainspring up` on a data directory; resolves when it answers ready. */
export async function startUp(dataDir: string, environment: Environment = {}): Promise<EmbeddedServer> {
  const server = new MainspringProcess("mainspring up", ["packages/cli/bin/mainspring.js", "up"], {
    PORT: "0",
    MAINSPRING_DATA_DIR: dataDir,
    MAINSPRING_ADMIN_KEY: ADMIN_KEY,
    MAINSPRING_LOG_LEVEL: "warn",
    ...environment,
  });
  const [, url] = await server.line(/Mainspring is at (http:\S+)/);
  await untilReady(url!);
  return { process: server, url: url! };
}

/** A service in a process of its own; resolves with its gRPC address, or the gateway's URL, once it serves. */
export async function startService(
  name: string,
  environment: Environment,
): Promise<{ readonly process: MainspringProcess; readonly address: string }> {
  const started = new MainspringProcess(name, [`services/${name}/src/main.ts`], environment);
  const [, address] = await started.line(new RegExp(`"service":"${name}","(?:address|url)":"([^"]+)"`));
  return { process: started, address: address! };
}

/** Until `/readyz` answers 200. */
export async function untilReady(url: string, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (let last = "no answer"; ;) {
    try {
      const response = await fetch(`${url}/readyz`);
      if (response.status === 200) return;
      last = await response.text();
    } catch (error) {
      last = String(error);
    }
    if (Date.now() > until) throw new Error(`${url} is not ready: ${last}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
