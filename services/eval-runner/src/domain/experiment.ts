/**
 * What an experiment is: subjects × tasks × repetitions. Ids are derived from the content, so the same file gives the same
 * experiment and the same cells, and a file that grew under its name keeps the cells it had.
 */
import { derivedId } from "@mainspring/kernel";

export interface Subject {
  readonly name: string;
  /** A model, a label or `agent/<name>`. */
  readonly model: string;
  readonly instructions: string;
  /** Fields of the request such as temperature. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Verify {
  readonly type: "exact" | "regex";
  /** Whether white space around the answer (and, for exact, around what is expected) is left out. */
  readonly trim: boolean;
  readonly ignoreCase: boolean;
}

export interface Task {
  readonly id: string;
  readonly input: string;
  readonly verify: Verify;
  readonly expected: string;
}

export interface Definition {
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly tasks: readonly Task[];
  readonly repetitions: number;
  /** A run that takes longer is cancelled, and its cell failed. */
  readonly timeoutSeconds: number;
}

/** Whose experiment it is. With `admin` its runs have the rights of an admin of the tenant, else of a plain key. */
export interface Owner {
  readonly tenant: string;
  readonly admin: boolean;
}

export type ExperimentStatus = "running" | "cancelling" | "cancelled" | "completed";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly running: number;
  readonly waiting: number;
}

/** An experiment without its definition. */
export interface ExperimentHead extends Owner {
  readonly id: string;
  readonly name: string;
  /** Who made it. */
  readonly subject: string;
  readonly status: ExperimentStatus;
  /** From 1; each rerun is one more. */
  readonly round: number;
  /** Cells at once; 0: as many as the runners take. */
  readonly concurrency: number;
  readonly cells: number;
  /** Unix ms. */
  readonly createdAt: number;
  /** 0 while it runs. */
  readonly endedAt: number;
  /** Of an experiment that has ended. */
  readonly counts: Counts | null;
}

export interface Cell {
  readonly id: string;
  /** Place in its experiment, from 0. */
  readonly index: number;
  readonly subject: Subject;
  readonly task: Task;
  /** From 1. */
  readonly repetition: number;
}

export function experimentIdOf({ tenant, admin }: Owner, definition: Definition): string {
  return derivedId("exp", tenant, String(admin), canonical(definition));
}

/**
 * All cells. Subjects change fastest and repetitions slowest, so subjects meet the same conditions, and a part of an
 * experiment is a fair part.
 */
export function cellsOf({ tenant, admin }: Owner, definition: Definition): Cell[] {
  const { name, subjects, tasks, repetitions, timeoutSeconds } = definition;
  const cells: Cell[] = [];
  const subjectTexts = subjects.map(canonical);
  const taskTexts = tasks.map(canonical);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const [t, task] of tasks.entries()) {
      for (const [s, subject] of subjects.entries()) {
        const parts = [tenant, String(admin), name, timeoutSeconds, subjectTexts[s]!, taskTexts[t]!, repetition];
        cells.push({ id: derivedId("cell", ...parts), index: cells.length, subject, task, repetition });
      }
    }
  }
  return cells;
}

/** JSON with sorted keys: the same text for the same content. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
