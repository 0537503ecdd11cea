/**
 * A small model checked exhaustively: two workers, a runner, two posters and one session with a tool call. The schedule
 * is fixed (first come, first served) except for `deviations`: at any step the operation may fail in any way, its
 * process may die before or after it or fall asleep with it, another operation may go first, or time may pass.
 * Every combination of at most D deviations is run.
 *
 *     node tests/simulation/exhaustive.ts --deviations 2
 */
import { Seeded } from "@mainspring/testkit";
import { cancelRun, submitInput } from "../../services/engine-worker/src/app/posts.ts";
import { commandOf, repeat } from "./clients.ts";
import { Cluster } from "./cluster.ts";
import { Judge } from "./judge.ts";
import type { PendingOp, Process } from "./world.ts";
import { World } from "./world.ts";

const STEPS_MAX = 6_000;
/** How long a sleeper sleeps: longer than every lease. */
const SLEEP_MS = 8_000;
/** Operations that may overtake the first, at each step. */
const OVERTAKERS_MAX = 2;

type Deviation =
  | "reply_lost"
  | "not_done"
  | "late"
  | "crash_before"
  | "crash_after"
  | "sleep"
  | "time"
  | `overtake_${number}`;

interface Schedule {
  readonly deviations: ReadonlyMap<number, Deviation>;
}

interface Explored {
  readonly violations: readonly string[];
  /** Deviations that were possible at each step. */
  readonly options: readonly (readonly Deviation[])[];
}

export interface ExhaustiveResult {
  readonly schedules: number;
  readonly failures: readonly { readonly schedule: string; readonly violation: string }[];
}

/** Runs every schedule with at most `deviationsMax` deviations whose first lies in this share of the steps. */
export async function explore(deviationsMax: number, share: { index: number; of: number }): Promise<ExhaustiveResult> {
  const failures: { schedule: string; violation: string }[] = [];
  let schedules = 0;
  const visit = async (deviations: ReadonlyMap<number, Deviation>): Promise<void> => {
    schedules += 1;
    const { violations, options } = await runSchedule({ deviations });
    if (violations.length > 0) {
      failures.push({ schedule: JSON.stringify([...deviations]), violation: violations[0]! });
      return;
    }
    if (deviations.size >= deviationsMax || failures.length >= 20) return;
    const last = Math.max(-1, ...deviations.keys());
    for (let at = last + 1; at < options.length; at += 1) {
      if (deviations.size === 0 && at % share.of !== share.index) continue;
      for (const option of options[at]!) await visit(new Map([...deviations, [at, option]]));
    }
  };
  await visit(new Map());
  return { schedules, failures };
}

export async function runSchedule(schedule: Schedule): Promise<Explored> {
  const world = new World();
  const judge = new Judge();
  const rng = new Seeded(7);
  const cluster = new Cluster(world, rng, judge);
  judge.calm = true;
  cluster.startWorker(0);
  cluster.startWorker(0);
  cluster.startRunner(0);
  const posters = startPosters(cluster, judge);
  const options: Deviation[][] = [];
  const beat = (op: PendingOp): boolean =>
    op.name.endsWith("eat") || op.name.endsWith("eats") || op.name.includes("scan");
  for (let step = 0; step < STEPS_MAX && judge.violations.length === 0; step += 1) {
    await world.settle();
    if (cluster.fatals.length > 0) judge.fail(`crashed: ${String(cluster.fatals[0])}`);
    if (posters.done === 2 && judge.finished) break;
    const enabled = world.enabled();
    const first = enabled.find((op) => !beat(op)) ?? enabled[0];
    // Beats and sweeps are no place of interest of their own: a deviation there is one at the operation after it.
    const possible = first === undefined || beat(first) ? [] : deviationsAt(world, enabled, first);
    options.push(possible);
    const deviation = schedule.deviations.get(step);
    if (first === undefined) world.advance();
    else if (deviation === undefined) world.perform(first, "done");
    else deviate(cluster, deviation, enabled, first);
  }
  if (judge.violations.length === 0) judge.conclude();
  return { violations: judge.violations, options };
}

function deviationsAt(world: World, enabled: readonly PendingOp[], first: PendingOp): Deviation[] {
  const all: Deviation[] = [];
  if (first.fallible) all.push("reply_lost", "not_done", "late");
  const mortal = first.process.name.startsWith("wrk") || first.process.name.startsWith("tool");
  if (mortal) all.push("crash_before", "crash_after", "sleep");
  if (world.hasTimers) all.push("time");
  for (let other = 1; other <= Math.min(OVERTAKERS_MAX, enabled.length - 1); other += 1) all.push(`overtake_${other}`);
  return all;
}

function deviate(cluster: Cluster, deviation: Deviation, enabled: readonly PendingOp[], first: PendingOp): void {
  const { world } = cluster;
  switch (deviation) {
    case "reply_lost":
    case "not_done":
      return world.perform(first, deviation);
    case "late": {
      world.perform(first, "late");
      const apply = world.late.pop()!;
      world.clockOf(cluster.redis).after(SLEEP_MS, apply);
      return;
    }
    case "crash_after":
      world.perform(first, "done");
      return replace(cluster, first.process);
    case "crash_before":
      return replace(cluster, first.process);
    case "sleep":
      first.process.stalled = true;
      world.clockOf(cluster.redis).after(SLEEP_MS, () => void (first.process.stalled = false));
      return;
    case "time":
      return world.advance();
    default: {
      const others = enabled.filter((op) => op !== first);
      world.perform(others[Number(deviation.slice("overtake_".length)) - 1] ?? first, "done");
    }
  }
}

function replace(cluster: Cluster, victim: Process): void {
  cluster.world.kill(victim);
  if (victim.name.startsWith("wrk")) cluster.startWorker(0);
  else cluster.startRunner(0);
}

/** One posts an input whose run makes a call that must not be repeated; the other cancels it. */
function startPosters(cluster: Cluster, judge: Judge): { done: number } {
  const { world } = cluster;
  const state = { done: 0 };
  const command = commandOf([["send", "look"]], 0, 0, "run", "");
  const submit = async (): Promise<void> => {
    const { sessionId, runId } = await repeat(cluster, world.spawn("poster_1", 0), (worker) =>
      submitInput(worker.posts, command),
    );
    judge.acknowledged.add(`${sessionId}/input/${command.clientRunId}`);
    state.done += 1;
    const steer = { ...commandOf([], 0, 1, "steer", sessionId) };
    const other = world.spawn("poster_2", 0);
    await repeat(cluster, other, (worker) => submitInput(worker.posts, steer));
    judge.acknowledged.add(`${sessionId}/input/${steer.clientRunId}`);
    await repeat(cluster, other, (worker) =>
      cancelRun(worker.posts, { tenant: "acme", runId, reason: "enough", trace: "" }),
    );
    judge.acknowledged.add(`${sessionId}/cancel/${runId}`);
    state.done += 1;
  };
  submit().catch((error: unknown) => cluster.fatals.push(error));
  return state;
}
