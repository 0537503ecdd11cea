/**
 * A small world in virtual time. Processes do nothing but operations on shared things; each operation waits here until
 * the scheduler lets it happen, and happens whole: done, done with the reply lost, done late, or not done. Between two
 * steps every process has run as far as it can.
 */
import { MainspringError } from "@mainspring/kernel";
import type { CancelTimer, Clock } from "@mainspring/kernel";

export type Fault = "done" | "reply_lost" | "not_done" | "late";

export interface Process {
  readonly name: string;
  /** Wall-clock error of its machine. */
  readonly skewMs: number;
  alive: boolean;
  stalled: boolean;
}

export interface PendingOp {
  readonly process: Process;
  readonly name: string;
  readonly order: number;
  /** Applies the operation; its value is the reply. */
  readonly apply: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Deliveries and local progress cannot fail; only a crash stops them. */
  readonly fallible: boolean;
}

interface Timer {
  readonly process: Process;
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class World {
  nowMs = 1_000_000;
  steps = 0;
  readonly processes: Process[] = [];
  readonly ops: PendingOp[] = [];
  readonly late: (() => void)[] = [];
  /** How often each fault was injected, by `operation:fault`. */
  readonly faultCounts = new Map<string, number>();
  readonly history: string[] = [];
  #timers: Timer[] = [];
  #order = 0;

  spawn(name: string, skewMs: number): Process {
    const process: Process = { name, skewMs, alive: true, stalled: false };
    this.processes.push(process);
    return process;
  }

  /** An operation of a process. Its promise settles when the scheduler says so, or never if the process dies. */
  op<T>(process: Process, name: string, apply: () => T, fallible = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!process.alive) return;
      const order = (this.#order += 1);
      this.ops.push({ process, name, order, apply, resolve: resolve as (value: unknown) => void, reject, fallible });
    });
  }

  clockOf(process: Process): Clock {
    return {
      now: () => this.nowMs + process.skewMs,
      monotonicMs: () => this.nowMs,
      after: (delayMs, run) => this.#addTimer(process, delayMs, run),
    };
  }

  #addTimer(process: Process, delayMs: number, run: () => void): CancelTimer {
    if (!process.alive || delayMs === Infinity) return () => undefined;
    const timer: Timer = {
      process,
      at: this.nowMs + Math.max(0, delayMs),
      order: (this.#order += 1),
      run,
      cancelled: false,
    };
    this.#timers.push(timer);
    return () => {
      timer.cancelled = true;
    };
  }

  enabled(): PendingOp[] {
    return this.ops.filter((op) => op.process.alive && !op.process.stalled);
  }

  get hasTimers(): boolean {
    return this.#liveTimers().length > 0;
  }

  #liveTimers(): Timer[] {
    this.#timers = this.#timers.filter((timer) => !timer.cancelled && timer.process.alive);
    return this.#timers.filter((timer) => !timer.process.stalled);
  }

  /** Lets one operation happen in the given way. */
  perform(op: PendingOp, fault: Fault): void {
    this.ops.splice(this.ops.indexOf(op), 1);
    this.#note(op, fault);
    if (fault === "not_done") return op.reject(unavailable(op.name));
    if (fault === "late") {
      this.late.push(() => void op.apply());
      return op.reject(unavailable(op.name));
    }
    let value: unknown;
    try {
      value = op.apply();
    } catch (error) {
      return op.reject(error);
    }
    if (fault === "reply_lost") op.reject(unavailable(op.name));
    else op.resolve(value);
  }

  #note(op: PendingOp, fault: Fault): void {
    this.history.push(`${this.nowMs} ${op.process.name} ${op.name} ${fault}`);
    if (fault !== "done") this.count(`${op.name}:${fault}`);
  }

  count(point: string): void {
    this.faultCounts.set(point, (this.faultCounts.get(point) ?? 0) + 1);
  }

  /** Jumps to the earliest timer and fires all that are due. */
  advance(): void {
    const timers = this.#liveTimers();
    if (timers.length === 0) return;
    this.nowMs = Math.max(this.nowMs, Math.min(...timers.map((timer) => timer.at)));
    const due = timers.filter((timer) => timer.at <= this.nowMs).sort((a, b) => a.at - b.at || a.order - b.order);
    for (const timer of due) {
      if (timer.cancelled) continue;
      timer.cancelled = true;
      timer.run();
    }
  }

  /** The process is gone: what it had asked for and not yet got will not happen (unless the fault says it did). */
  kill(process: Process): void {
    process.alive = false;
    this.history.push(`${this.nowMs} ${process.name} dies`);
    for (let index = this.ops.length - 1; index >= 0; index -= 1) {
      if (this.ops[index]!.process === process) this.ops.splice(index, 1);
    }
  }

  /** Until every process waits for an operation or a timer. */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

export function unavailable(what: string): MainspringError {
  return new MainspringError("unavailable", `${what}: no answer`);
}
