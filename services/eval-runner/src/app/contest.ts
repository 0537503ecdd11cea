/**
 * Experiments that want to start cells, and the cell whose turn it is. What was seen of an experiment is remembered between
 * sweeps, so cells are looked at when their experiment gets its turn, or when it may have ended.
 */
import type { Clock } from "@mainspring/kernel";

import type { Attempt } from "../domain/attempt.ts";
import type { Cell, ExperimentHead } from "../domain/experiment.ts";
import { Turns } from "../domain/turns.ts";
import type { Contender } from "../domain/turns.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";
import type { CellStates, SeenCell } from "./cell-states.ts";

/** However sure it is that cells wait, or that none does: it is looked again after this long. */
const LOOK_AGAIN_MS = 10_000;

export interface ContestPorts {
  readonly clock: Clock;
  readonly store: ExperimentStore;
  readonly states: CellStates;
  /** Its job is in hand here. */
  readonly isInHand: (experiment: string, cell: Cell) => boolean;
  /** The attempt runs, but nobody runs it. */
  readonly isOrphan: (attempt: Attempt) => boolean;
}

/** Whether cells wait, as it was when the experiment was last looked at. */
interface Look {
  readonly round: number;
  readonly waits: "yes" | "maybe" | "no";
  readonly atMs: number;
}

interface Entry extends Contender {
  readonly head: ExperimentHead;
  /** Null until it is looked at. */
  startable: Cell[] | null;
  /** There may be more than those. */
  hasMore: boolean;
}

export class Contest {
  readonly #ports: ContestPorts;
  readonly #turns = new Turns();
  readonly #looks = new Map<string, Look>();
  #entries: Entry[] = [];

  constructor(ports: ContestPorts) {
    this.#ports = ports;
  }

  /**
   * Begins anew. `heads`: all that are active; `elsewhere`: attempts that other runners run; `here`: the experiment of each job
   * in hand. Returns those that have nothing left to do.
   */
  async open(
    heads: readonly ExperimentHead[],
    elsewhere: readonly Attempt[],
    orphans: readonly Attempt[],
    here: readonly string[],
  ): Promise<ExperimentHead[]> {
    await this.#count(heads, elsewhere, here);
    const withOrphans = new Set(orphans.map(({ experiment }) => experiment));
    this.#entries = [];
    const over: ExperimentHead[] = [];
    for (const head of heads) {
      if (head.status !== "running") continue;
      const entry: Entry = { tenant: head.tenant, experiment: head.id, head, startable: null, hasMore: true };
      const waits = this.#knownOf(head);
      if (waits === "yes" || withOrphans.has(head.id)) this.#entries.push(entry);
      else if (waits !== null && this.#turns.running(head.id) > 0) {
        if (waits === "maybe") this.#entries.push(entry);
      } else if (await this.#look(entry, 1)) over.push(head);
      else if (entry.startable!.length > 0)
        this.#entries.push({ ...entry, startable: entry.hasMore ? null : entry.startable });
    }
    return over;
  }

  /** Experiments that have cells to start, as far as is known. */
  get size(): number {
    return this.#entries.length;
  }

  /** The cell whose turn it is, which it takes by this; null when nobody has one that may be started. */
  async next(roomLeft: number): Promise<{ readonly experiment: string; readonly index: number } | null> {
    for (;;) {
      const entry = this.#turns.next(this.#entries.filter(({ head }) => this.#hasPlace(head)));
      if (entry === null) return null;
      if (entry.startable === null) await this.#look(entry, roomLeft);
      const cell = entry.startable!.shift();
      if (entry.startable!.length === 0) this.#leave(entry);
      if (cell === undefined) continue;
      this.#turns.take(entry, this.#ports.clock.now());
      return { experiment: entry.experiment, index: cell.index };
    }
  }

  #hasPlace({ id, concurrency }: ExperimentHead): boolean {
    return concurrency === 0 || this.#turns.running(id) < concurrency;
  }

  /** Nothing that was seen of it is left to be started. */
  #leave(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#note(entry.head, entry.hasMore ? "maybe" : "no");
  }

  /** Who has what: from the store what others do and what was before this process, the rest from its own jobs. */
  async #count(
    heads: readonly ExperimentHead[],
    elsewhere: readonly Attempt[],
    here: readonly string[],
  ): Promise<void> {
    const { store } = this.#ports;
    const contenders = new Map(heads.map(({ id, tenant }) => [id, { tenant, experiment: id }]));
    for (const { id, tenant, createdAt } of heads) {
      const contender = contenders.get(id)!;
      if (this.#turns.knows(contender)) continue;
      const ofExperiment = await store.lastStart({ experiment: id });
      const last = { tenant: await store.lastStart({ tenant }), experiment: Math.max(createdAt, ofExperiment) };
      this.#turns.learn(contender, last);
    }
    this.#turns.keep([...contenders.values()]);
    for (const id of this.#looks.keys()) if (!contenders.has(id)) this.#looks.delete(id);
    for (const attempt of elsewhere) {
      this.#turns.runs(attempt);
      this.#turns.learn(attempt, { tenant: attempt.startedAt, experiment: attempt.startedAt });
    }
    for (const id of here) if (contenders.has(id)) this.#turns.runs(contenders.get(id)!);
  }

  /** Fills in what may be started, orphans first, `wanted` at least where there are as many. True: it is over. */
  async #look(entry: Entry, wanted: number): Promise<boolean> {
    const { states, isInHand, isOrphan } = this.#ports;
    const { head } = entry;
    const handed = this.#turns.running(head.id);
    const seen = await states.open(head, wanted + handed);
    const free = seen.filter(({ cell }) => !isInHand(head.id, cell));
    const orphans = free.filter((each) => each.state === "running" && isOrphan(runningOf(each)));
    const waiting = free.filter(({ state }) => state === "waiting");
    entry.startable = [...orphans, ...waiting].map(({ cell }) => cell);
    entry.hasMore = waiting.length >= wanted;
    this.#note(head, entry.startable.length > 0 ? "yes" : "no");
    return !seen.some(({ state }) => state === "running" || state === "waiting");
  }

  #note({ id, round }: ExperimentHead, waits: Look["waits"]): void {
    this.#looks.set(id, { round, waits, atMs: this.#ports.clock.monotonicMs() });
  }

  /** Null: not known, or too long ago. */
  #knownOf({ id, round }: ExperimentHead): Look["waits"] | null {
    const look = this.#looks.get(id);
    if (look === undefined || look.round !== round) return null;
    return this.#ports.clock.monotonicMs() - look.atMs < LOOK_AGAIN_MS ? look.waits : null;
  }
}

/** The attempt of a cell that runs. */
export function runningOf({ attempts }: Pick<SeenCell, "attempts">): Attempt {
  return attempts.find(({ result }) => result === null)!;
}
