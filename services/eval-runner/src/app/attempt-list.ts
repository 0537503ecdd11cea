/** Attempts of an experiment, page by page, and the outcomes that its report is made of. */
import type { Attempt, Selection } from "../domain/attempt.ts";
import { cellState } from "../domain/attempt.ts";
import type { Cell, ExperimentHead } from "../domain/experiment.ts";
import type { CellOutcome } from "../domain/report.ts";
import { CELLS_PER_READ_MAX } from "../ports/experiment-store.ts";
import type { ExperimentStore } from "../ports/experiment-store.ts";
import type { CellStates } from "./cell-states.ts";
import { badCursor } from "./experiments.ts";

/** Cells that are read at a time for a page. */
const CELLS_PER_PAGE_READ = 16;

export interface ListPorts {
  readonly store: ExperimentStore;
  readonly states: CellStates;
}

export interface ListedAttempt {
  readonly cell: Cell;
  readonly attempt: Attempt;
  readonly selected: boolean;
}

/** By cell and number. The cursor names the attempt that the next page begins with. */
export async function listAttempts(
  { store, states }: ListPorts,
  head: ExperimentHead,
  limit: number,
  token: string,
): Promise<{ readonly attempts: readonly ListedAttempt[]; readonly next: string }> {
  const cells = await states.cells(head);
  const [fromCell, fromNumber] = cursorOf(token);
  const found: ListedAttempt[] = [];
  for (let from = fromCell; from < cells.length && found.length <= limit; from += CELLS_PER_PAGE_READ) {
    const part = cells.slice(from, from + CELLS_PER_PAGE_READ);
    const { attempts, selections } = await read(store, part, false);
    for (const cell of part) {
      for (const attempt of attempts.get(cell.id) ?? []) {
        if (cell.index === fromCell && attempt.number < fromNumber) continue;
        found.push({ cell, attempt, selected: selections.get(cell.id)?.attempt === attempt.number });
      }
    }
  }
  const beyond = found[limit];
  return {
    attempts: found.slice(0, limit),
    next: beyond === undefined ? "" : `${beyond.cell.index}.${beyond.attempt.number}`,
  };
}

/** Every cell with its result, or its last attempt. */
export async function outcomesOf({ store, states }: ListPorts, head: ExperimentHead): Promise<CellOutcome[]> {
  const cells = await states.cells(head);
  const outcomes: CellOutcome[] = [];
  for (let from = 0; from < cells.length; from += CELLS_PER_READ_MAX) {
    const part = cells.slice(from, from + CELLS_PER_READ_MAX);
    const { attempts, selections } = await read(store, part, true);
    for (const cell of part) {
      const own = attempts.get(cell.id) ?? [];
      const selection = selections.get(cell.id);
      const attempt = selection === undefined ? own.at(-1) : own.find(({ number }) => number === selection.attempt);
      outcomes.push({ cell, state: cellState(selection, own, head.id, head.round), attempt: attempt ?? null });
    }
  }
  return outcomes;
}

async function read(store: ExperimentStore, cells: readonly Cell[], brief: boolean) {
  const ids = cells.map(({ id }) => id);
  // Attempts last: a selection that is seen has its attempt.
  const selections = new Map<string, Selection>();
  for (const selection of await store.selections(ids)) selections.set(selection.cell, selection);
  const attempts = new Map<string, Attempt[]>();
  for (const attempt of await store.attemptsOf(ids, brief)) {
    attempts.set(attempt.cell, [...(attempts.get(attempt.cell) ?? []), attempt]);
  }
  return { attempts, selections };
}

function cursorOf(token: string): readonly [number, number] {
  if (token === "") return [0, 0];
  const [, cell, number] = /^(\d{1,5})\.(\d{1,3})$/.exec(token) ?? [];
  if (cell === undefined || number === undefined) throw badCursor();
  return [Number(cell), Number(number)];
}
