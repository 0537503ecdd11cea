/** How far experiments are, from the stores; what never changes again is asked for once. */
import { cellState } from "../domain/attempt.ts";
import type { Attempt, CellState, Selection } from "../domain/attempt.ts";
import type { Cell, Counts, Definition, ExperimentHead } from "../domain/experiment.ts";
import { cellsOf } from "../domain/experiment.ts";
import { CELLS_PER_READ_MAX } from "../ports/experiment-store.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";

/** Experiments whose cells are kept in memory, those that were asked for last. */
const EXPERIMENTS_KEPT = 64;

export interface SeenCell {
  readonly cell: Cell;
  readonly state: CellState;
  /** Those of a cell without a result. */
  readonly attempts: readonly Attempt[];
}

interface Known {
  readonly definition: Definition;
  readonly cells: readonly Cell[];
  readonly selections: Map<string, Selection>;
}

export class CellStates {
  readonly #store: ExperimentStore;
  readonly #known = new Map<string, Known>();

  constructor(store: ExperimentStore) {
    this.#store = store;
  }

  async definition(head: ExperimentHead): Promise<Definition> {
    return (await this.#knownOf(head)).definition;
  }

  async cells(head: ExperimentHead): Promise<readonly Cell[]> {
    return (await this.#knownOf(head)).cells;
  }

  /** Every cell, in order. */
  async look(head: ExperimentHead): Promise<SeenCell[]> {
    const { cells, selections } = await this.#knownOf(head);
    const open = new Map((await this.open(head, Infinity)).map((seen) => [seen.cell.id, seen]));
    return cells.map((cell) => open.get(cell.id) ?? { cell, state: selections.get(cell.id)!.outcome, attempts: [] });
  }

  /** Cells without a result, in order, up to where at least `waitingMax` wait: what lies behind these is not read. */
  async open(head: ExperimentHead, waitingMax: number): Promise<SeenCell[]> {
    const { cells, selections } = await this.#knownOf(head);
    const open = cells.filter(({ id }) => !selections.has(id));
    const seen: SeenCell[] = [];
    let waiting = 0;
    for (let from = 0; from < open.length && waiting < waitingMax; from += CELLS_PER_READ_MAX) {
      const part = open.slice(from, from + CELLS_PER_READ_MAX);
      for (const each of await this.#read(head, part, selections)) {
        seen.push(each);
        if (each.state === "waiting") waiting += 1;
      }
    }
    return seen;
  }

  /** Those of the cells that have no result, at most CELLS_PER_READ_MAX; what results there are is noted. */
  async #read(head: ExperimentHead, cells: readonly Cell[], selections: Map<string, Selection>): Promise<SeenCell[]> {
    for (const selection of await this.#store.selections(cells.map(({ id }) => id))) {
      selections.set(selection.cell, selection);
    }
    const left = cells.filter(({ id }) => !selections.has(id));
    if (left.length === 0) return [];
    const attempts = new Map<string, Attempt[]>();
    for (const attempt of await this.#store.attemptsOf(
      left.map(({ id }) => id),
      true,
    )) {
      attempts.set(attempt.cell, [...(attempts.get(attempt.cell) ?? []), attempt]);
    }
    return left.map((cell) => {
      const own = attempts.get(cell.id) ?? [];
      return { cell, state: cellState(undefined, own, head.id, head.round), attempts: own };
    });
  }

  /** Numbers of cells by state. */
  async count(head: ExperimentHead): Promise<Counts> {
    return head.counts ?? countsOf(await this.look(head));
  }

  async #knownOf(head: ExperimentHead): Promise<Known> {
    const kept = this.#known.get(head.id);
    if (kept !== undefined) {
      this.#known.delete(head.id);
      this.#known.set(head.id, kept);
      return kept;
    }
    const definition = await this.#store.definition(head.id);
    if (definition === null) throw new Error(`the definition of ${head.id} is missing`);
    const known = { definition, cells: cellsOf(head, definition), selections: new Map<string, Selection>() };
    if (this.#known.size >= EXPERIMENTS_KEPT) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(head.id, known);
    return known;
  }
}

export function countsOf(seen: readonly SeenCell[]): Counts {
  const count = (state: CellState): number => seen.filter((each) => each.state === state).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    errors: count("error"),
    running: count("running"),
    waiting: count("waiting"),
  };
}
