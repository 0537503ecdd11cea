/**
 * Runs calls: claim → execute → settle → deliver.
 *
 * R1 The claim is an insert; only the inserter executes, so a doubled job does nothing.
 * R2 A result is settled in the ledger before it is posted, and posted until the mailbox has it.
 * R3 A call that was given up as lost stays lost: its late outcome is stored and shown, never used as its result.
 * R4 A runner that cannot beat kills what it runs before anybody may think it dead.
 */
import type { Clock, Random } from "@mainspring/kernel";
import { hashParts, MainspringError, newId } from "@mainspring/kernel";
import { persist } from "@mainspring/service-kit";
import type { CallKey, CallOutcome, EffectLedger, LedgerRow } from "../ports/effect-ledger.ts";
import type { Engine, ResultHint } from "../ports/engine.ts";
import { callSpan, endCallSpan } from "./call-span.ts";
import type { ToolExecutor } from "../ports/tool-executor.ts";

export interface ToolJob {
  readonly session: string;
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  readonly tenant: string;
  readonly tool: string;
  readonly args?: string;
  /** Space of the agent's memory, where it has one. */
  readonly memory?: string;
  /** With a memory: the agent, and the subject of whoever started its run. */
  readonly agent?: string;
  readonly caller?: string;
  readonly trace: string;
  readonly holder: string;
  readonly k: number;
}

const NO_HINT: ResultHint = { holder: "", k: 0, trace: "" };

export interface RunnerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: EffectLedger;
  readonly engine: Engine;
  readonly executor: ToolExecutor;
}

type StopReason = "cancelled" | "fenced";

interface RunningCall {
  readonly abort: AbortController;
  stopped: StopReason | null;
}

/** The idempotency key of a call: the same for every attempt. */
export function idempotencyKeyOf(key: CallKey): string {
  return hashParts([key.session, key.call]);
}

export function keyText(key: CallKey): string {
  return `${key.session}/${key.call}/${key.attempt}`;
}

export class CallRunner {
  readonly runner: string;
  readonly #ports: RunnerPorts;
  readonly #running = new Map<string, RunningCall>();
  readonly #delivered: CallKey[] = [];
  readonly #stop = new AbortController();
  #fenced = false;

  constructor(ports: RunnerPorts, runner: string) {
    this.#ports = ports;
    this.runner = runner;
  }

  get size(): number {
    return this.#running.size;
  }

  isRunning(key: CallKey): boolean {
    return this.#running.has(keyText(key));
  }

  /** Takes one job. Resolves when its call is settled and delivered, or was not ours to run. */
  async run(job: ToolJob): Promise<void> {
    const key: CallKey = { session: job.session, call: job.call, attempt: job.attempt };
    if (this.#fenced || this.isRunning(key)) return;
    const running: RunningCall = { abort: new AbortController(), stopped: null };
    this.#running.set(keyText(key), running);
    try {
      const args = job.args ?? (await this.#fetchArguments(key, job.tenant));
      if (args === null || !(await this.#claim(key, job))) return;
      const outcome = await this.#execute(key, job, args, running);
      if (running.stopped === "fenced") await this.#giveUp(key, job.tenant, outcome, job);
      else await this.#settle(key, job.tenant, outcome, job);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    } finally {
      this.#running.delete(keyText(key));
    }
  }

  /** Asks a running call to end. False: it does not run here. */
  stopCall(key: CallKey): boolean {
    return this.#halt(this.#running.get(keyText(key)), "cancelled");
  }

  /** R4: true kills everything that runs and takes nothing more; false takes jobs again. */
  fence(fenced: boolean): void {
    this.#fenced = fenced;
    if (fenced) for (const call of this.#running.values()) this.#halt(call, "fenced");
  }

  /** Takes nothing more, waits for what runs, then kills the rest. */
  async drain(graceMs: number): Promise<void> {
    this.#fenced = true;
    const { clock } = this.#ports;
    const until = clock.monotonicMs() + graceMs;
    while (this.#running.size > 0 && clock.monotonicMs() < until) {
      await new Promise<void>((resolve) => clock.after(20, resolve));
    }
    for (const call of this.#running.values()) this.#halt(call, "fenced");
    this.#stop.abort(new MainspringError("aborted", "the runner was stopped"));
  }

  #halt(call: RunningCall | undefined, reason: StopReason): boolean {
    if (call === undefined) return false;
    call.stopped ??= reason;
    call.abort.abort();
    return true;
  }

  async #fetchArguments(key: CallKey, tenant: string): Promise<string | null> {
    const call = await persist(this.#ports.clock, this.#stop.signal, () =>
      this.#ports.engine.getToolCall(key, tenant),
    ).catch((error: unknown) => {
      if (error instanceof MainspringError && error.code === "not_found") return null;
      throw error;
    });
    return call === null || !call.open ? null : call.argumentsJson;
  }

  /** R1. Tried until it is known whose the row is: a claim of a living runner that does not run would wait forever. */
  async #claim(key: CallKey, job: ToolJob): Promise<boolean> {
    const { clock, random, ledger } = this.#ports;
    const now = clock.now();
    const row: LedgerRow = {
      ...key,
      state: "started",
      runner: this.runner,
      claimId: newId("clm", now, random),
      tool: job.tool,
      stopRequested: false,
      outcome: null,
      lateOutcome: null,
      startedAt: now,
      settledAt: 0,
      tenant: job.tenant,
      trace: job.trace,
    };
    return persist(clock, this.#stop.signal, async () => {
      if ((await ledger.insert(row)) === "inserted") return true;
      return (await ledger.get(key))?.claimId === row.claimId;
    });
  }

  async #execute(key: CallKey, job: ToolJob, argumentsJson: string, running: RunningCall): Promise<CallOutcome> {
    const { tenant, session, run, call, attempt, tool, memory = "", agent = "", caller = "" } = job;
    const idempotencyKey = idempotencyKeyOf(key);
    if (running.stopped !== null) {
      return {
        outcome: "cancelled",
        output: "The call was cancelled before it started.",
        artifact: "",
        outputBytes: 0,
        durationMs: 0,
      };
    }
    const span = callSpan(job);
    const ids = { tenant, session, run, call, attempt, tool, argumentsJson, idempotencyKey };
    const traced = { ...ids, memory, agent, caller, traceparent: span.traceparent };
    const outcome = await span.run(() => this.#ports.executor.execute(traced, running.abort.signal));
    endCallSpan(span, outcome);
    return outcome;
  }

  /** R2, R3. */
  async #settle(key: CallKey, tenant: string, outcome: CallOutcome, hint: ResultHint): Promise<void> {
    const { clock, ledger } = this.#ports;
    const settled = await persist(clock, this.#stop.signal, async () => {
      if (await ledger.settle(key, this.runner, outcome, clock.now())) return true;
      const row = await ledger.get(key);
      return row?.runner === this.runner && (row.state === "settled" || row.state === "delivered");
    });
    if (settled) await this.#deliver(key, tenant, outcome, hint);
    else await this.#giveUp(key, tenant, outcome, hint);
  }

  /** Posts a settled result until the mailbox has it. */
  async #deliver(key: CallKey, tenant: string, outcome: CallOutcome, hint: ResultHint): Promise<void> {
    await persist(this.#ports.clock, this.#stop.signal, () => this.deliverOnce(key, tenant, outcome, hint));
  }

  async deliverOnce(key: CallKey, tenant: string, outcome: CallOutcome, hint: ResultHint = NO_HINT): Promise<void> {
    await this.#ports.engine.postToolResult(key, tenant, outcome, false, hint);
    this.#delivered.push(key);
  }

  /** The call is lost to its run; what it came to is kept for people. */
  async #giveUp(key: CallKey, tenant: string, outcome: CallOutcome, hint: ResultHint): Promise<void> {
    const { clock, ledger, engine } = this.#ports;
    const kept = await persist(clock, this.#stop.signal, async () => {
      await ledger.markLost(key);
      await ledger.storeLate(key, outcome);
      const row = await ledger.get(key);
      return row?.state === "lost" && row.lateOutcome !== null;
    });
    if (kept) await persist(clock, this.#stop.signal, () => engine.postToolResult(key, tenant, outcome, true, hint));
  }

  /** Marks in the ledger what was delivered since the last time, in one go. */
  async flushDelivered(): Promise<void> {
    const keys = this.#delivered.splice(0);
    if (keys.length === 0) return;
    try {
      await this.#ports.ledger.markDelivered(keys);
    } catch (error) {
      this.#delivered.unshift(...keys);
      throw error;
    }
  }
}
