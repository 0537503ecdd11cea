/**
 * Brings cells to the queue and experiments to their end. A job is a hint: what the queue loses is added again, and what it
 * doubles does nothing. A runner adds as many as it has free places, each for the cell whose turn it is, so hardly a job waits,
 * and whoever comes next is next.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import type { BeatWatch, Job, JobQueue, Logger } from "@mainspring/service-kit";
import { startBeating } from "@mainspring/service-kit";

import type { Attempt } from "../domain/attempt.ts";
import type { ExperimentHead } from "../domain/experiment.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";
import type { CellRunner } from "./cell-runner.ts";
import type { CellStates } from "./cell-states.ts";
import { countsOf } from "./cell-states.ts";
import { Contest, runningOf } from "./contest.ts";

export const CELLS_QUEUE = "eval-cells";
export const BEAT_EVERY_MS = 1_000;
/** A runner is dead once its beat was seen unchanged for this long. */
export const LEASE_MS = 5_000;
const SWEEP_EVERY_MS = 2_000;
/** While jobs of others wait in the queue and there are places free: whether it was for these jobs is seen soon. */
const SWEEP_SOON_MS = 100;
/** Jobs at a time that end attempts of a cancelled experiment whose runner is dead. */
const CANCELS_MAX = 64;
/** Experiments that take turns, of a tenant and in all; later ones wait until one of these has ended. */
const ACTIVE_OF_TENANT_MAX = 32;
const ACTIVE_MAX = 1_024;
/** Attempts under way that are taken into account. */
const RUNNING_MAX = 10_000;

export interface DispatcherPorts {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly store: ExperimentStore;
  readonly states: CellStates;
  readonly watch: BeatWatch;
  readonly runner: CellRunner;
  readonly logger: Logger;
  /** Cells that run here at once. */
  readonly concurrency: number;
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
  readonly #contest: Contest;
  /** Jobs in hand, by experiment and cell, with their experiment. */
  readonly #inHand = new Map<string, string>();
  #stops: CancelTimer[] = [];
  #cancel: CancelTimer = () => undefined;
  #sweeping = false;
  #again = false;
  #stopped = true;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
    this.#contest = new Contest({
      ...ports,
      isInHand: (experiment, { id, index }) =>
        ports.runner.isRunning(id) || this.#inHand.has(keyOf({ experiment, index })),
      isOrphan: (attempt) => this.#isOrphan(attempt),
    });
  }

  /** Experiments with cells that wait for a place. */
  get waiting(): number {
    return this.#contest.size;
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

  /** A job of the queue, until its cell needs nothing more here. */
  async handle(job: CellJob): Promise<void> {
    const key = keyOf(job);
    if (this.#inHand.has(key)) return;
    this.#inHand.set(key, job.experiment);
    try {
      await this.#ports.runner.run(job.experiment, job.index);
    } finally {
      this.#inHand.delete(key);
    }
    this.wake();
  }

  async #sweepAll(): Promise<void> {
    let isSoon = false;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      isSoon = await this.sweep().catch((error: unknown) => {
        this.#ports.logger.debug({ error }, "a sweep of experiments failed");
        return false;
      });
    }
    this.#sweeping = false;
    const delayMs = isSoon ? SWEEP_SOON_MS : SWEEP_EVERY_MS;
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(delayMs, () => this.wake());
  }

  /** True: there are places for more, once it is known who takes the jobs that wait. */
  async sweep(): Promise<boolean> {
    const { clock, store, queue, watch, runner, concurrency } = this.#ports;
    const beats = await store.readBeats();
    const rows = beats.map((beat) => ({ id: beat.runner, count: beat.count }));
    watch.observe(rows, clock.monotonicMs());
    const heads = await store.active(ACTIVE_OF_TENANT_MAX, ACTIVE_MAX);
    const active = new Set(heads.map(({ id }) => id));
    for (const id of runner.experiments()) if (!active.has(id)) await this.#recheck(id);
    const waiting = await queue.depth(CELLS_QUEUE);
    for (const head of heads) if (head.status === "cancelling") await this.#cancelling(head, waiting === 0);
    const running = await store.running(RUNNING_MAX);
    const orphans = running.filter((attempt) => this.#isOrphan(attempt));
    const elsewhere = running.filter((attempt) => attempt.runner !== runner.id && !this.#isOrphan(attempt));
    const over = await this.#contest.open(heads, elsewhere, orphans, [...this.#inHand.values()]);
    for (const head of over) await this.#end(head);
    const free = concurrency - this.#inHand.size;
    for (let room = free - waiting; room > 0 && !this.#stopped; room -= 1) {
      const job = await this.#contest.next(room);
      if (job === null) return false;
      await queue.add(CELLS_QUEUE, job);
    }
    return free > 0 && waiting > 0;
  }

  /** One that is not among the active ones any more, or has too many before it. */
  async #recheck(id: string): Promise<void> {
    const head = await this.#ports.store.head(id);
    if (head === null || head.status === "cancelling" || head.status === "cancelled") this.#ports.runner.cancel(id);
  }

  /** Starts nothing, and ends with its last attempt; those that a dead runner left are taken over to be ended. */
  async #cancelling(head: ExperimentHead, mayAdd: boolean): Promise<void> {
    const { states, queue, runner } = this.#ports;
    runner.cancel(head.id);
    const running = (await states.open(head, Infinity)).filter(
      (each) => each.state === "running" && runningOf(each).experiment === head.id,
    );
    if (running.length === 0) return this.#end(head);
    if (!mayAdd) return;
    const left = running.filter((each) => this.#isOrphan(runningOf(each)));
    for (const { cell } of left.slice(0, CANCELS_MAX)) {
      await queue.add(CELLS_QUEUE, { experiment: head.id, index: cell.index });
    }
  }

  /** It runs, but nobody runs it. */
  #isOrphan({ cell, runner: owner }: Attempt): boolean {
    const { runner, watch } = this.#ports;
    if (runner.isRunning(cell)) return false;
    return owner === runner.id || watch.isDead(owner);
  }

  async #end(head: ExperimentHead): Promise<void> {
    const { clock, store, states, logger, announce } = this.#ports;
    const status = head.status === "cancelling" ? "cancelled" : "completed";
    const counts = countsOf(await states.look(head));
    const ended = { status, round: head.round, concurrency: head.concurrency, endedAt: clock.now(), counts } as const;
    if (!(await store.change(head.id, head, ended))) return;
    logger.info({ experiment: head.id, status, ...counts }, "an experiment ended");
    announce(head.id);
  }
}

function keyOf({ experiment, index }: CellJob): string {
  return `${experiment}/${index}`;
}
