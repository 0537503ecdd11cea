/**
 * Runs a command as a process group of its own, within time limits, and leaves nothing of it behind.
 *
 * It is asked to end with SIGTERM and, after a short grace, ended with SIGKILL. Under bubblewrap the request goes to the
 * processes inside, since its own outer process would take everything down at once; SIGKILL goes to the group, and
 * with the first process inside the kernel ends all others there.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";

import type { CancelTimer, Clock } from "@mainspring/kernel";

import type { SandboxResult } from "../../ports/sandbox.ts";
import { CapturedOutput, NO_OUTPUT, outputOf } from "./captured-output.ts";

/** Between SIGTERM and SIGKILL. */
export const KILL_GRACE_MS = 250;
/** How long the output of a dead group is waited for, should somebody outside it hold the pipe. */
const LAST_OUTPUT_MS = 500;
const DESCENDANTS_MAX = 4_096;

export interface GroupCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly timeoutMs: number;
  /** What the child reads from descriptor 3, 4 … */
  readonly inputs: readonly Uint8Array[];
  /** Generations below the child that belong to the sandbox itself and are not asked to end. */
  readonly wrapperDepth: number;
}

export function runGroup(clock: Clock, command: GroupCommand, signal: AbortSignal): Promise<SandboxResult> {
  const { file, args, env, directory, inputs } = command;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(notStarted("cancelled"));
    let child: ChildProcess;
    try {
      const pipes = inputs.map(() => "pipe" as const);
      child = spawn(file, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe", ...pipes], detached: true });
    } catch (error) {
      return resolve(notStarted((error as Error).message));
    }
    child.once("error", (error) => resolve(notStarted(error.message)));
    for (const [index, input] of inputs.entries()) {
      const pipe = child.stdio[index + 3] as Writable | null | undefined;
      // A child that ends early says why by other means.
      pipe?.on("error", () => undefined);
      pipe?.end(input);
    }
    if (child.pid !== undefined) watch(clock, command, child, child.pid, signal, resolve);
  });
}

function watch(
  clock: Clock,
  command: GroupCommand,
  child: ChildProcess,
  pid: number,
  signal: AbortSignal,
  resolve: (result: SandboxResult) => void,
): void {
  const [stdout, stderr] = [new CapturedOutput(child.stdout!), new CapturedOutput(child.stderr!)];
  let stopped = "";
  let cancelKill: CancelTimer = () => undefined;
  const stop = (reason: string): void => {
    if (stopped !== "") return;
    stopped = reason;
    askToEnd(pid, command.wrapperDepth);
    cancelKill = clock.after(KILL_GRACE_MS, () => kill(-pid, "SIGKILL"));
  };
  const onAbort = (): void => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  const cancelTimeout = clock.after(command.timeoutMs, () => stop("timeout"));
  let cancelWait: CancelTimer = () => undefined;
  child.once("exit", () => {
    // Whatever it left in the background goes with it.
    kill(-pid, "SIGKILL");
    cancelWait = clock.after(LAST_OUTPUT_MS, () => {
      child.stdout!.destroy();
      child.stderr!.destroy();
    });
  });
  child.once("close", (code, killedBy) => {
    signal.removeEventListener("abort", onAbort);
    for (const cancel of [cancelTimeout, cancelKill, cancelWait]) cancel();
    const reason = stopped === "" ? (killedBy ?? "") : stopped;
    resolve({ exitStatus: reason === "" ? code : null, reason, stdout: stdout.result(), stderr: stderr.result() });
  });
}

function notStarted(problem: string): SandboxResult {
  const text = problem === "cancelled" ? "" : `the command could not be started: ${problem}\n`;
  return { exitStatus: null, reason: problem, stdout: NO_OUTPUT, stderr: outputOf(text) };
}

function askToEnd(pid: number, wrapperDepth: number): void {
  if (wrapperDepth === 0) kill(-pid, "SIGTERM");
  else for (const inner of descendants(pid, wrapperDepth)) kill(inner, "SIGTERM");
}

/** Processes at least `fromDepth` generations below. Empty where the system does not tell. */
function descendants(pid: number, fromDepth: number): number[] {
  const found: number[] = [];
  let generation = [pid];
  for (let depth = 1; generation.length > 0 && found.length < DESCENDANTS_MAX; depth += 1) {
    generation = generation.flatMap(childrenOf).slice(0, DESCENDANTS_MAX);
    if (depth >= fromDepth) found.push(...generation);
  }
  return found;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
