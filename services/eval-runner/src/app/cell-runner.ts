/**
 * Takes cells to their results. Whatever is killed, and however many runners do the same: an attempt is run once, because
 * its run is asked for under one key, and a cell gets one result, because selecting is one insert.
 */
import type { Clock, Random } from "@mainspring/kernel";
import { backoffMs, newId, sleep } from "@mainspring/kernel";
import { persist } from "@mainspring/service-kit";
import type { BeatWatch } from "@mainspring/service-kit";

import type { Attempt } from "../domain/attempt.ts";
import { nextStep } from "../domain/attempt.ts";
import type { Cell, ExperimentHead } from "../domain/experiment.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";
import type { CellStates } from "./cell-states.ts";
import type { AttemptPorts } from "./run-attempt.ts";
import { runAttempt } from "./run-attempt.ts";

/** Wait before the next attempt at a cell. */
const RETRY = { firstMs: 500, maxMs: 10_000, jitter: 0 };

export interface CellRunnerPorts extends AttemptPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: ExperimentStore;
  readonly states: CellStates;
  readonly watch: BeatWatch;
  /** Told of every attempt that ended here. */
  readonly onSettled: (outcome: string, durationMs: number) => void;
  /** Told whenever something that a watcher would see has changed. */
  readonly onChange: (experiment: string) => void;
}

interface Running {
  readonly experiment: string;
  readonly cancelled: AbortController;
}

export class CellRunner {
  readonly id: string;
  readonly #ports: CellRunnerPorts;
  readonly #running = new Map<string, Running>();
  readonly #left = new AbortController();

  constructor(ports: CellRunnerPorts) {
    this.#ports = ports;
    this.id = newId("evl", ports.clock.now(), ports.random);
  }

  /** Cells under way here. */
  get size(): number {
    return this.#running.size;
  }

  isRunning(cell: string): boolean {
    return this.#running.has(cell);
  }

  /** Experiments with cells under way here. */
  experiments(): string[] {
    return [...new Set([...this.#running.values()].map(({ experiment }) => experiment))];
  }

  /** Cancels the runs of an experiment that are under way here. */
  cancel(experiment: string): void {
    for (const running of this.#running.values()) if (running.experiment === experiment) running.cancelled.abort();
  }

  /** From now on nothing is begun; attempts under way are left to others. */
  leave(): void {
    this.#left.abort(new DOMException("this runner is stopping", "AbortError"));
  }

  /** Resolves when the cell has its result, has no further attempt, or is another runner's. */
  async run(experiment: string, index: number): Promise<void> {
    if (this.#left.signal.aborted) return;
    const head = await this.#insist(() => this.#ports.store.head(experiment));
    if (head === null || (head.status !== "running" && head.status !== "cancelling")) return;
    const cell = (await this.#insist(() => this.#ports.states.cells(head)))[index];
    if (cell === undefined || this.#running.has(cell.id)) return;
    const here = [...this.#running.values()].filter((each) => each.experiment === experiment).length;
    if (head.concurrency > 0 && here >= head.concurrency && head.status === "running") return;
    const running = { experiment, cancelled: new AbortController() };
    this.#running.set(cell.id, running);
    try {
      for (let next: ExperimentHead | null = head; next !== null;) next = await this.#step(next, cell, running);
    } catch (error) {
      if (this.#left.signal.aborted) return;
      throw error;
    } finally {
      this.#running.delete(cell.id);
    }
    this.#ports.onChange(experiment);
  }

  /** The experiment as it is now, when there may be more to do. */
  async #step(head: ExperimentHead, cell: Cell, running: Running): Promise<ExperimentHead | null> {
    const { store } = this.#ports;
    if (head.status === "cancelling") running.cancelled.abort();
    const [selection] = await this.#insist(() => store.selections([cell.id]));
    if (selection !== undefined) return null;
    const attempts = await this.#insist(() => store.attemptsOf([cell.id], true));
    const step = nextStep(attempts, head.id, head.round);
    switch (step.kind) {
      case "exhausted":
        return null;
      case "select":
        await this.#insist(() => store.select(step.selection));
        return null;
      case "join":
        // An experiment that is being cancelled ends its own attempts, not those of others with the same cell.
        if (head.status === "cancelling" && step.attempt.experiment !== head.id) return null;
        if (!(await this.#takeOver(step.attempt))) return null;
        await this.#finish(head, cell, step.attempt, running);
        break;
      case "claim": {
        if (head.status !== "running") return null;
        await this.#pause(head, attempts, running);
        if (running.cancelled.signal.aborted) return null;
        const claimed = await this.#claim(head, cell, step.number);
        if (claimed === null) return null;
        this.#ports.onChange(head.id);
        await this.#finish(head, cell, claimed, running);
        break;
      }
      default:
        step satisfies never;
    }
    const now = await this.#insist(() => store.head(head.id));
    return now !== null && (now.status === "running" || now.status === "cancelling") ? now : null;
  }

  /** Null: another runner has it. */
  async #claim(head: ExperimentHead, cell: Cell, number: number): Promise<Attempt | null> {
    const { clock, random, store } = this.#ports;
    const attempt: Attempt = {
      cell: cell.id,
      number,
      tenant: head.tenant,
      experiment: head.id,
      round: head.round,
      runner: this.id,
      claimId: newId("clm", clock.now(), random),
      startedAt: clock.now(),
      result: null,
    };
    return await this.#insist(async () => {
      if ((await store.claim(attempt)) === "inserted") return attempt;
      // The reply to an earlier try may have been lost.
      const there = await store.attempt(attempt);
      return there?.claimId === attempt.claimId ? attempt : null;
    });
  }

  /** Whether a running attempt is this runner's now: it was, or its runner is dead and nobody else was faster. */
  async #takeOver(attempt: Attempt): Promise<boolean> {
    if (attempt.runner === this.id) return true;
    if (!this.#ports.watch.isDead(attempt.runner)) return false;
    return await this.#insist(async () => {
      if (await this.#ports.store.adopt(attempt, attempt.runner, this.id)) return true;
      const there = await this.#ports.store.attempt(attempt);
      return there?.runner === this.id && there.result === null;
    });
  }

  async #finish(head: ExperimentHead, cell: Cell, attempt: Attempt, { cancelled }: Running): Promise<void> {
    const { store, states, onSettled } = this.#ports;
    const { timeoutSeconds } = await this.#insist(() => states.definition(head));
    // Whoever goes on with an attempt asks for the same run, in the words of the experiment that began it.
    const work = { owner: head, experiment: attempt.experiment, cell, attempt, timeoutMs: timeoutSeconds * 1_000 };
    const signals = { cancelled: cancelled.signal, left: this.#left.signal };
    const result = await runAttempt(this.#ports, work, signals);
    if (await this.#insist(() => store.settle(attempt, result))) onSettled(result.outcome, result.durationMs);
  }

  /** After an error, before the next attempt in the same round. Ends at once when the experiment is cancelled. */
  async #pause(head: ExperimentHead, attempts: readonly Attempt[], { cancelled }: Running): Promise<void> {
    const tries = attempts.filter(({ experiment, round }) => experiment === head.id && round === head.round).length;
    if (tries === 0) return;
    const wake = AbortSignal.any([cancelled.signal, this.#left.signal]);
    await sleep(this.#ports.clock, backoffMs(RETRY, tries - 1, 0), wake).catch(() => undefined);
    this.#left.signal.throwIfAborted();
  }

  #insist<T>(call: () => Promise<T>): Promise<T> {
    return persist(this.#ports.clock, this.#left.signal, call);
  }
}
