/** One seeded schedule: real engine and runner code, clients, faults, then calm until everything has ended. */
import { Seeded } from "@mainspring/testkit";
import type { Commit } from "../../services/engine-worker/src/domain/records.ts";
import type { Head } from "../../services/engine-worker/src/ports/session-store.ts";
import type { LedgerRow } from "../../services/tool-runner/src/ports/effect-ledger.ts";
import { startClient, startOperator } from "./clients.ts";
import type { Client } from "./clients.ts";
import { Cluster } from "./cluster.ts";
import type { FaultPoint } from "./fault-points.ts";
import { focusOf, nameOf, themeOf } from "./fault-points.ts";
import { Judge } from "./judge.ts";
import type { Fault, PendingOp, Process } from "./world.ts";
import { World } from "./world.ts";

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: number;
  readonly fingerprint: string;
  readonly faultCounts: ReadonlyMap<string, number>;
  readonly history: readonly string[];
  readonly commits: readonly Commit[];
  readonly heads: readonly Head[];
  readonly ledger: readonly LedgerRow[];
}

const CHAOS_STEPS = 700;
/** Seeds with a theme take longer, since what they are about is rare. */
const CHAOS_STEPS_THEMED = 1_200;
const CALM_STEPS_MAX = 20_000;
const SESSIONS = 3;

export async function simulate(seed: number): Promise<SimulationResult> {
  const rng = new Seeded(seed);
  const judge = new Judge();
  const world = new World();
  const cluster = new Cluster(world, rng, judge);
  const focus = focusOf(seed);
  cluster.theme = themeOf(focus);
  const plan: Plan = {
    focus,
    fault: rng.pick([0.01, 0.03, 0.08]),
    disaster: rng.pick([0.002, 0.01, 0.03]),
    hurry: rng.pick([0.02, 0.1]),
  };
  for (const skew of [0, rng.int(8_000) - 4_000]) cluster.startWorker(skew);
  for (const skew of [0, rng.int(8_000) - 4_000]) cluster.startRunner(skew);
  const clients = Array.from({ length: SESSIONS }, (_, index) => startClient(cluster, rng, judge, index));

  const chaosSteps = cluster.theme === "any" ? CHAOS_STEPS : CHAOS_STEPS_THEMED;
  for (world.steps = 0; world.steps < chaosSteps && judge.violations.length === 0; world.steps += 1) {
    await world.settle();
    if (rng.chance(plan.disaster)) disaster(cluster, rng);
    else if (world.late.length > 0 && rng.chance(0.1)) world.late.splice(rng.int(world.late.length), 1)[0]!();
    else step(cluster, rng, plan);
    noteFatals(cluster, judge);
  }
  await calmDown(cluster, rng, judge, clients);
  if (judge.violations.length === 0) judge.conclude();
  return {
    seed,
    violations: judge.violations,
    steps: world.steps,
    fingerprint: cluster.fingerprint(),
    faultCounts: world.faultCounts,
    history: world.history,
    commits: [...cluster.sessions.commits.values()],
    heads: [...cluster.sessions.heads.values()],
    ledger: [...cluster.ledger.rows.values()],
  };
}

function noteFatals(cluster: Cluster, judge: Judge): void {
  for (const error of cluster.fatals.splice(0)) {
    judge.fail(`crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

interface Plan {
  /** Share of operations that go wrong in some way. */
  readonly fault: number;
  /** Share of steps that are disasters. */
  readonly disaster: number;
  /** Share of steps in which time passes although something could happen. */
  readonly hurry: number;
  /** The fault that this seed dwells on. */
  readonly focus: FaultPoint | null;
}

const CALM: Plan = { fault: 0, disaster: 0, hurry: 0.02, focus: null };
/** Share of the focused operations that go wrong, for the first few of a seed and after that. */
const FOCUS_RATE = 0.9;
const FOCUS_RATE_LATER = 0.3;
const FOCUS_FIRST = 4;

function step(cluster: Cluster, rng: Seeded, plan: Plan): void {
  const { world } = cluster;
  const enabled = world.enabled();
  if (enabled.length === 0 || (world.hasTimers && rng.chance(plan.hurry))) return world.advance();
  const op = rng.pick(enabled);
  const fault = faultOf(op, rng, plan, world.faultCounts);
  if (fault !== "crash_after" && fault !== "sleep_before") return world.perform(op, fault);
  world.count(`${op.name}:${fault}`);
  if (fault === "sleep_before") {
    op.process.stalled = true;
    return;
  }
  world.perform(op, "done");
  crash(cluster, rng, op.process);
}

function faultOf(
  op: PendingOp,
  rng: Seeded,
  plan: Plan,
  counts: ReadonlyMap<string, number>,
): Fault | FaultPoint["fault"] {
  if (!op.fallible) return "done";
  if (plan.focus?.op === op.name) {
    const hits = counts.get(nameOf(plan.focus)) ?? 0;
    if (rng.chance(hits < FOCUS_FIRST ? FOCUS_RATE : FOCUS_RATE_LATER)) return plan.focus.fault;
  }
  return rng.chance(plan.fault) ? rng.pick(["reply_lost", "not_done", "late"] as const) : "done";
}

/** Something bigger than one operation: a death (perhaps in the middle of one), a long sleep, the queue emptied. */
function disaster(cluster: Cluster, rng: Seeded): void {
  const { world } = cluster;
  const victim = rng.pick(victims(cluster));
  switch (rng.int(3)) {
    case 0:
      return crash(cluster, rng, victim);
    case 1:
      // Sleepers wake in this way too.
      victim.stalled = !victim.stalled;
      return world.count("stall");
    default:
      for (const op of world.ops.filter((candidate) => candidate.process === cluster.redis))
        world.perform(op, "not_done");
      return world.count("flush-queue");
  }
}

/** Whom disasters may strike: in a seed with a theme, who makes its operations happen. */
function victims(cluster: Cluster): Process[] {
  const workers = cluster.live(cluster.workers);
  const runners = cluster.live(cluster.runners);
  const busy = runners.filter((one) => one.runner.size > 0);
  if (cluster.theme === "lost runners" && busy.length > 0) return busy.map((one) => one.process);
  if (cluster.theme === "lost workers") return workers.map((one) => one.process);
  return [...workers, ...runners].map((one) => one.process);
}

function crash(cluster: Cluster, rng: Seeded, victim: Process): void {
  cluster.world.count("crash");
  cluster.world.kill(victim);
  const skew = rng.int(8_000) - 4_000;
  if (victim.name.startsWith("wrk")) cluster.startWorker(skew);
  else cluster.startRunner(skew);
}

/** Faults stop; sleepers wake; what is late arrives. Then everything must come to its end. */
async function calmDown(cluster: Cluster, rng: Seeded, judge: Judge, clients: readonly Client[]): Promise<void> {
  const { world } = cluster;
  judge.calm = true;
  for (const process of world.processes) process.stalled = false;
  for (const apply of world.late.splice(0)) apply();
  const until = world.steps + CALM_STEPS_MAX;
  startOperator(cluster);
  const done = (): boolean => clients.every((client) => client.done) && judge.finished;
  while (world.steps < until && judge.violations.length === 0) {
    await world.settle();
    noteFatals(cluster, judge);
    if (done()) return;
    step(cluster, rng, CALM);
    world.steps += 1;
  }
}
