/**
 * Brings cells to the queue and experiments to their end. A job is a hint: what the queue loses is added again, and what it
 * doubles does nothing. So it adds few at a time, and only when none waits.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import type { BeatWatch, Job, JobQueue, Logger } from "@mainspring/service-kit";
import { startBeating } from "@mainspring/service-kit";

import type { Attempt } from "../domain/attempt.ts";
import type { ExperimentHead } from "../domain/experiment.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";
import type { CellRunner } from "./cell-runner.ts";
import type { CellStates, SeenCell } from "./cell-states.ts";
import { countsOf } from "./cell-states.ts";

export const CELLS_QUEUE = "eval-cells";
export const BEAT_EVERY_MS = 1_000;
/** A runner is dead once its beat was seen unchanged for this long. */
export const LEASE_MS = 5_000;
const SWEEP_EVERY_MS = 2_000;
/** Jobs that are added at a time. */
const WINDOW = 64;
/** Experiments that are looked at in one sweep, the oldest first; later ones wait for these. */
const ACTIVE_MAX = 32;

export interface DispatcherPorts {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly store: ExperimentStore;
  readonly states: CellStates;
  readonly watch: BeatWatch;
  readonly runner: CellRunner;
  readonly logger: Logger;
  /** Tells watchers that an experiment has ended. */
  readonly announce: (experiment: string) => void;
}

export interface CellJob {
  readonly experiment: string;
  readonly index: number;
}

/** Throws `invalid_argument` for a job without its parts. */
export function cellJobOf({ experiment, index }: Job): CellJob {
  if (typeof experiment === "string" && typeof index === "number") return { experiment, index };
  throw new MainspringError("invalid_argument", `a job of ${CELLS_QUEUE} lacks its parts`);
}

export class Dispatcher {
  readonly #ports: DispatcherPorts;
  #stops: CancelTimer[] = [];
  #cancel: CancelTimer = () => undefined;
  #sweeping = false;
  #again = false;
  #stopped = true;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
  }

  start(): void {
    const { clock, store, runner } = this.#ports;
    this.#stopped = false;
    const beat = (count: number): Promise<void> => store.writeBeat({ runner: runner.id, count });
    this.#stops.push(startBeating(clock, { everyMs: BEAT_EVERY_MS }, beat));
    this.wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Sweeps now, or once more when a sweep is under way. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#cancel();
    void this.#sweepAll();
  }

  async #sweepAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.sweep().catch((error: unknown) =>
        this.#ports.logger.debug({ error }, "a sweep of experiments failed"),
      );
    }
    this.#sweeping = false;
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(SWEEP_EVERY_MS, () => this.wake());
  }

  async sweep(): Promise<void> {
    const { clock, store, queue, watch, runner } = this.#ports;
    const beats = await store.readBeats();
    const rows = beats.map((beat) => ({ id: beat.runner, count: beat.count }));
    watch.observe(rows, clock.monotonicMs());
    const heads = await store.active(ACTIVE_MAX);
    for (const head of heads) if (head.status === "cancelling") runner.cancel(head.id);
    const active = new Set(heads.map(({ id }) => id));
    for (const id of runner.experiments()) if (!active.has(id)) await this.#recheck(id);
    // While jobs wait nothing has to be added, and looking at every cell would be in vain.
    let room = (await queue.depth(CELLS_QUEUE)) === 0 ? WINDOW : 0;
    for (const head of heads) {
      if (room === 0 && head.status === "running") continue;
      room -= await this.#advance(head, Math.max(room, 0));
    }
  }

  /** One that is not among the active ones any more, or beyond ACTIVE_MAX. */
  async #recheck(id: string): Promise<void> {
    const head = await this.#ports.store.head(id);
    if (head === null || head.status === "cancelling" || head.status === "cancelled") this.#ports.runner.cancel(id);
  }

  /** Ends the experiment or adds jobs for it; returns how many. */
  async #advance(head: ExperimentHead, room: number): Promise<number> {
    const { states, queue } = this.#ports;
    const seen = await states.look(head);
    const isCancelling = head.status === "cancelling";
    const waitingCells = isCancelling ? [] : seen.filter(({ state }) => state === "waiting");
    const running = seen
      .flatMap((each) => (each.state === "running" ? { ...each, attempt: runningOf(each) } : []))
      .filter(({ attempt }) => !isCancelling || attempt.experiment === head.id);
    if (running.length === 0 && waitingCells.length === 0) {
      await this.#end(head, seen);
      return 0;
    }
    const orphans = running.filter(({ cell, attempt }) => this.#isOrphan(cell.id, attempt.runner));
    const limit = head.concurrency === 0 ? Infinity : head.concurrency - (running.length - orphans.length);
    const most = isCancelling ? WINDOW : Math.max(0, Math.min(room, limit));
    const jobs = [...orphans, ...waitingCells.filter(({ cell }) => !this.#ports.runner.isRunning(cell.id))];
    for (const { cell } of jobs.slice(0, most))
      await queue.add(CELLS_QUEUE, { experiment: head.id, index: cell.index });
    return Math.min(jobs.length, most);
  }

  /** Its attempt runs, but nobody runs it. */
  #isOrphan(cell: string, owner: string): boolean {
    const { runner, watch } = this.#ports;
    if (runner.isRunning(cell)) return false;
    return owner === runner.id || watch.isDead(owner);
  }

  async #end(head: ExperimentHead, seen: readonly SeenCell[]): Promise<void> {
    const { clock, store, logger, announce } = this.#ports;
    const status = head.status === "cancelling" ? "cancelled" : "completed";
    const counts = countsOf(seen);
    const ended = { status, round: head.round, concurrency: head.concurrency, endedAt: clock.now(), counts } as const;
    if (!(await store.change(head.id, head, ended))) return;
    logger.info({ experiment: head.id, status, ...counts }, "an experiment ended");
    announce(head.id);
  }
}

function runningOf({ attempts }: SeenCell): Attempt {
  return attempts.find(({ result }) => result === null)!;
}
