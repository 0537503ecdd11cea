/**
 * Whose turn it is when a cell can be started: turns go among tenants, then among the experiments of the tenant. Whoever has
 * fewer cells under way comes first, and of those with equally many whoever had no turn for longest. So long cells are no
 * privilege, and somebody who has nothing under way waits at most until everybody else in the same place had one turn.
 */
export interface Contender {
  readonly tenant: string;
  readonly experiment: string;
}

/** When the last turns were, Unix ms. */
export interface LastTurns {
  /** 0 for none ever: newcomers come first, once. */
  readonly tenant: number;
  /** Of an experiment that had none, when it was made: to make many is no way to the front. */
  readonly experiment: number;
}

interface Standing {
  running: number;
  last: number;
}

export class Turns {
  readonly #tenants = new Map<string, Standing>();
  readonly #experiments = new Map<string, Standing>();
  #latest = 0;

  knows({ tenant, experiment }: Contender): boolean {
    return this.#tenants.has(tenant) && this.#experiments.has(experiment);
  }

  /** What is known of turns before, here or elsewhere. What is known already is kept when it is later. */
  learn({ tenant, experiment }: Contender, last: LastTurns): void {
    raise(this.#tenants, tenant, last.tenant);
    raise(this.#experiments, experiment, last.experiment);
  }

  /** Forgets all who are not among these, and what was under way. */
  keep(contenders: readonly Contender[]): void {
    const tenants = new Set(contenders.map(({ tenant }) => tenant));
    const experiments = new Set(contenders.map(({ experiment }) => experiment));
    retain(this.#tenants, tenants);
    retain(this.#experiments, experiments);
  }

  /** A cell of it is under way. */
  runs({ tenant, experiment }: Contender): void {
    standingOf(this.#tenants, tenant).running += 1;
    standingOf(this.#experiments, experiment).running += 1;
  }

  /** Cells under way of an experiment. */
  running(experiment: string): number {
    return this.#experiments.get(experiment)?.running ?? 0;
  }

  /** It takes its turn: a cell of it is under way from now on. */
  take(contender: Contender, now: number): void {
    // Two turns in one millisecond are still one after the other.
    this.#latest = Math.max(now, this.#latest + 1);
    this.learn(contender, { tenant: this.#latest, experiment: this.#latest });
    this.runs(contender);
  }

  /** Null without contenders. */
  next<C extends Contender>(contenders: readonly C[]): C | null {
    const tenant = first(this.#tenants, contenders, (contender) => contender.tenant);
    if (tenant === null) return null;
    const own = contenders.filter((contender) => contender.tenant === tenant.tenant);
    return first(this.#experiments, own, ({ experiment }) => experiment);
  }
}

function standingOf(standings: Map<string, Standing>, id: string): Standing {
  let standing = standings.get(id);
  if (standing === undefined) standings.set(id, (standing = { running: 0, last: 0 }));
  return standing;
}

function raise(standings: Map<string, Standing>, id: string, last: number): void {
  const standing = standingOf(standings, id);
  standing.last = Math.max(standing.last, last);
}

function retain(standings: Map<string, Standing>, ids: ReadonlySet<string>): void {
  for (const [id, standing] of standings) {
    if (ids.has(id)) standing.running = 0;
    else standings.delete(id);
  }
}

/** The one whose standing comes first; the id decides between equals, everywhere alike. */
function first<C>(standings: ReadonlyMap<string, Standing>, all: readonly C[], idOf: (one: C) => string): C | null {
  let best: { readonly one: C; readonly id: string; readonly standing: Standing } | null = null;
  for (const one of all) {
    const id = idOf(one);
    const standing = standings.get(id) ?? { running: 0, last: 0 };
    if (best === null || isBefore(standing, id, best.standing, best.id)) best = { one, id, standing };
  }
  return best?.one ?? null;
}

function isBefore(a: Standing, aId: string, b: Standing, bId: string): boolean {
  if (a.running !== b.running) return a.running < b.running;
  return a.last === b.last ? aId < bId : a.last < b.last;
}
