/** What callers do with experiments. */
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import type { Definition, ExperimentHead, Owner } from "../domain/experiment.ts";
import { cellsOf, experimentIdOf } from "../domain/experiment.ts";
import type { ExperimentStore, ListPlace } from "../ports/experiment-store.ts";
import type { CellStates } from "./cell-states.ts";

/** Tries of a change that others keep getting in the way of. */
const CHANGES_MAX = 5;

export interface ExperimentsPorts {
  readonly clock: Clock;
  readonly store: ExperimentStore;
  readonly states: CellStates;
  /** Tells every runner that an experiment's state changed; may be lost. */
  readonly announce: (experiment: string) => void;
}

export interface NewExperiment {
  readonly owner: Owner;
  readonly subject: string;
  readonly definition: Definition;
  readonly concurrency: number;
}

/** The same definition is the same experiment: a repeat changes nothing, except that what is missing is run. */
export async function createExperiment(
  ports: ExperimentsPorts,
  { owner, subject, definition, concurrency }: NewExperiment,
): Promise<{ readonly head: ExperimentHead; readonly created: boolean }> {
  const { clock, store, announce } = ports;
  const head: ExperimentHead = {
    ...owner,
    id: experimentIdOf(owner, definition),
    name: definition.name,
    subject,
    status: "running",
    round: 1,
    concurrency,
    cells: cellsOf(owner, definition).length,
    createdAt: clock.now(),
    endedAt: 0,
    counts: null,
  };
  const created = (await store.insert(head, definition)) === "inserted";
  const current = created ? head : await rerun(ports, head, concurrency);
  announce(head.id);
  return { head: current, created };
}

async function rerun(
  ports: ExperimentsPorts,
  { id, tenant }: ExperimentHead,
  concurrency: number,
): Promise<ExperimentHead> {
  for (let tries = 0; tries < CHANGES_MAX; tries += 1) {
    const head = await getExperiment(ports, tenant, id);
    if (head.status === "cancelling") {
      throw new MainspringError("failed_precondition", "this experiment is being cancelled; try again in a moment", {
        reason: "experiment_cancelling",
      });
    }
    const isWhole = head.status === "completed" && head.counts?.errors === 0;
    if (head.status === "running" || isWhole) return head;
    const next = { status: "running", round: head.round + 1, concurrency, endedAt: 0, counts: null } as const;
    if (await ports.store.change(id, head, next)) return { ...head, ...next };
  }
  throw new MainspringError("aborted", "others keep changing this experiment; try again");
}

/** One of another tenant looks like a missing one. */
export async function getExperiment(
  { store }: Pick<ExperimentsPorts, "store">,
  tenant: string,
  id: string,
): Promise<ExperimentHead> {
  const head = await store.head(id);
  if (head !== null && head.tenant === tenant) return head;
  throw new MainspringError("not_found", `no experiment ${id}`, { reason: "experiment_not_found" });
}

export async function cancelExperiment(ports: ExperimentsPorts, tenant: string, id: string): Promise<ExperimentHead> {
  for (let tries = 0; tries < CHANGES_MAX; tries += 1) {
    const head = await getExperiment(ports, tenant, id);
    if (head.status !== "running") return head;
    const next = { ...head, status: "cancelling" } as const;
    if (!(await ports.store.change(id, head, next))) continue;
    ports.announce(id);
    return next;
  }
  throw new MainspringError("aborted", "others keep changing this experiment; try again");
}

export async function listExperiments(
  { store }: Pick<ExperimentsPorts, "store">,
  tenant: string,
  limit: number,
  token: string,
): Promise<{ readonly heads: readonly ExperimentHead[]; readonly next: string }> {
  const heads = await store.list(tenant, limit + 1, placeOf(token));
  const page = heads.slice(0, limit);
  const last = page.at(-1);
  return { heads: page, next: heads.length > limit && last !== undefined ? `${last.createdAt}_${last.id}` : "" };
}

function placeOf(token: string): ListPlace | null {
  if (token === "") return null;
  const [, createdAt, id] = /^(\d{1,15})_(exp_[0-9a-f]{32})$/.exec(token) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw badCursor();
}

export function badCursor(): MainspringError {
  return new MainspringError("invalid_argument", "after must be the `next` of the page before", { param: "after" });
}
