import { describe, expect, test } from "vitest";

import { Turns } from "./turns.ts";
import type { Contender } from "./turns.ts";

const of = (tenant: string, experiment: string): Contender => ({ tenant, experiment });
const names = (contenders: readonly (Contender | null)[]) => contenders.map((each) => each?.experiment);

/** Gives so many turns, nothing of which ends. */
function give(turns: Turns, contenders: readonly Contender[], count: number): (string | undefined)[] {
  return names(
    Array.from({ length: count }, () => {
      const next = turns.next(contenders);
      if (next !== null) turns.take(next, 0);
      return next;
    }),
  );
}

describe("turns", () => {
  test("go among tenants, then among the experiments of the tenant", () => {
    const contenders = [of("a", "a1"), of("a", "a2"), of("a", "a3"), of("b", "b1")];
    expect(give(new Turns(), contenders, 8)).toEqual(["a1", "b1", "a2", "b1", "a3", "b1", "a1", "b1"]);
    expect(new Turns().next([])).toBeNull();
  });

  test("whoever has fewer cells under way comes first, however long ago its turn was", () => {
    const turns = new Turns();
    turns.learn(of("a", "a1"), { tenant: 1, experiment: 1 });
    turns.learn(of("b", "b1"), { tenant: 9, experiment: 9 });
    turns.runs(of("a", "a1"));
    expect(names([turns.next([of("a", "a1"), of("b", "b1")])])).toEqual(["b1"]);
  });

  test("what was learnt counts, and the later of two: the order goes on after a restart", () => {
    const turns = new Turns();
    turns.learn(of("a", "a1"), { tenant: 5, experiment: 5 });
    turns.learn(of("b", "b1"), { tenant: 4, experiment: 4 });
    turns.learn(of("a", "a1"), { tenant: 2, experiment: 2 });
    expect(names([turns.next([of("a", "a1"), of("b", "b1")])])).toEqual(["b1"]);
  });

  test("an experiment waits from when it was made: new ones do not come before old ones", () => {
    const turns = new Turns();
    turns.learn(of("a", "old"), { tenant: 3, experiment: 3 });
    turns.learn(of("a", "new"), { tenant: 3, experiment: 8 });
    expect(names([turns.next([of("a", "new"), of("a", "old")])])).toEqual(["old"]);
  });

  test("who is gone is forgotten, and what was under way is counted anew", () => {
    const turns = new Turns();
    for (const each of [of("a", "a1"), of("b", "b1")]) turns.take(each, 1);
    turns.keep([of("a", "a1")]);
    expect([turns.knows(of("a", "a1")), turns.knows(of("b", "b1"))]).toEqual([true, false]);
    expect(turns.running("a1")).toBe(0);
  });
});

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Work extends Contender {
  waiting: number;
  readonly madeAt: number;
  lastAt: number;
}

/**
 * Tenants that come and go, cells of any length, runners that each know only what they and the store know, and that forget it
 * all when they are started anew. Returns the most turns of others that somebody with nothing under way had to wait.
 */
function simulate(seed: number): { readonly tenants: number; readonly experiments: number } {
  const random = randomOf(seed);
  const [runners, slots] = [1 + random(3), 1 + random(4)];
  const all: Work[] = [];
  const under: { readonly work: Work; readonly runner: number; readonly until: number }[] = [];
  const memories = Array.from({ length: runners }, () => new Turns());
  const waited = { tenants: new Map<string, number>(), experiments: new Map<string, number>() };
  const most = { tenants: 0, experiments: 0 };
  const [tenants, each] = [2 + random(5), 1 + random(4)];
  for (let now = 1; now < 400; now += 1) {
    for (let index = under.length - 1; index >= 0; index -= 1) if (under[index]!.until <= now) under.splice(index, 1);
    if (random(4) === 0) {
      const tenant = `t${random(tenants)}`;
      const own = all.filter((work) => work.tenant === tenant && work.waiting > 0).length;
      const many = random(3) === 0 ? 200 : 1 + random(3);
      if (own < each) all.push({ tenant, experiment: `e${all.length}`, waiting: many, madeAt: now - 0.5, lastAt: 0 });
    }
    const runner = random(runners);
    if (random(20) === 0) memories[runner] = new Turns();
    if (under.filter((one) => one.runner === runner).length >= slots) continue;
    const turns = memories[runner]!;
    const waiting = all.filter((work) => work.waiting > 0);
    turns.keep(waiting);
    for (const work of waiting) {
      const lastOfTenant = Math.max(...all.filter(({ tenant }) => tenant === work.tenant).map(({ lastAt }) => lastAt));
      turns.learn(work, { tenant: lastOfTenant, experiment: Math.max(work.lastAt, work.madeAt) });
    }
    for (const { work } of under) turns.runs(work);
    const next = turns.next(waiting);
    if (next === null) continue;
    count(waited.tenants, most, "tenants", (work) => work.tenant, waiting, under, next);
    const ofTenant = waiting.filter(({ tenant }) => tenant === next.tenant);
    count(waited.experiments, most, "experiments", (work) => work.experiment, ofTenant, under, next);
    turns.take(next, now);
    next.waiting -= 1;
    next.lastAt = now;
    under.push({ work: next, runner, until: now + 1 + random(random(2) === 0 ? 3 : 60) });
  }
  expect(most.tenants, `seed ${seed}`).toBeLessThan(tenants);
  expect(most.experiments, `seed ${seed}`).toBeLessThan(each);
  return most;
}

/** Counts a turn that others had against everybody who waits with nothing under way. */
function count(
  waited: Map<string, number>,
  most: { tenants: number; experiments: number },
  kind: "tenants" | "experiments",
  idOf: (work: Contender) => string,
  waiting: readonly Work[],
  under: readonly { readonly work: Work }[],
  next: Work,
): void {
  const busy = new Set(under.map(({ work }) => idOf(work)));
  for (const id of new Set(waiting.map(idOf))) {
    const turns = id === idOf(next) || busy.has(id) ? 0 : (waited.get(id) ?? 0) + 1;
    waited.set(id, turns);
    most[kind] = Math.max(most[kind], turns);
  }
}

test("nobody with nothing under way waits for more turns than there are others", () => {
  const longest = Array.from({ length: 300 }, (_, index) => simulate(index + 1));
  // It was a contest: somebody did wait for all the others.
  expect(Math.max(...longest.map(({ tenants }) => tenants))).toBeGreaterThan(3);
  expect(Math.max(...longest.map(({ experiments }) => experiments))).toBeGreaterThan(1);
});
