/** Every place where a fault can strike: each operation, in each way. Each seed dwells on one of them. */
import type { Fault } from "./world.ts";

const ENGINE_OPS = [
  "insertCommit",
  "readCommits",
  "insertMail",
  "findMailByPost",
  "readMail",
  "dropMailBodies",
  "insertHead",
  "readHead",
  "bumpHead",
  "casHead",
  "scanDueHeads",
  "scanHeadsHeldBy",
  "scanHoldingWorkers",
  "writeBeat",
  "readBeats",
  "deleteBeat",
  "putSnapshot",
  "getSnapshot",
  "getPartial",
  "queue.activations.add",
  "queue.tools.add",
  "rpc.resolveCalls",
  "rpc.resolveCalls.reply",
  "rpc.cancelCalls",
  "rpc.cancelCalls.reply",
];
const RUNNER_OPS = [
  "ledger.insert",
  "ledger.get",
  "ledger.getMany",
  "ledger.settle",
  "ledger.markLost",
  "ledger.requestStop",
  "ledger.storeLate",
  "ledger.markDelivered",
  "ledger.scanUndelivered",
  "ledger.scanStopRequested",
  "ledger.writeBeat",
  "ledger.readBeats",
  "rpc.getToolCall",
  "rpc.getToolCall.reply",
  "rpc.postToolResult",
  "rpc.postToolResult.reply",
];
const MESSAGES = [
  "bus.wake",
  "bus.stop",
  "queue.activations.deliver",
  "queue.tools.deliver",
  "rpc.post",
  "rpc.post.reply",
];

/** Writes that a sleeper may bring much later, when the world has moved on. */
const STALE_WRITES = [
  "insertCommit",
  "insertMail",
  "bumpHead",
  "casHead",
  "ledger.insert",
  "ledger.settle",
  "ledger.markLost",
];

export interface FaultPoint {
  readonly op: string;
  /** `crash_after`: done, and its process dies. `sleep_before`: its process falls asleep with it on its lips. */
  readonly fault: Exclude<Fault, "done"> | "crash_after" | "sleep_before";
}

export const FAULT_POINTS: readonly FaultPoint[] = [...ENGINE_OPS, ...RUNNER_OPS, ...MESSAGES].flatMap((op) => {
  const faults: FaultPoint["fault"][] = ["reply_lost", "not_done", "late"];
  if (!MESSAGES.includes(op)) faults.push("crash_after");
  if (STALE_WRITES.includes(op)) faults.push("sleep_before");
  return faults.map((fault) => ({ op, fault }));
});

export function nameOf(point: FaultPoint): string {
  return `${point.op}:${point.fault}`;
}

/** What a seed is about, so that rare operations happen in it often enough to go wrong. */
export type Theme = "any" | "full workers" | "lost runners" | "cancels" | "lost workers";

const THEMES: Readonly<Record<string, Theme>> = {
  "ledger.get": "lost runners",
  "ledger.getMany": "lost runners",
  "ledger.markLost": "lost runners",
  "ledger.storeLate": "lost runners",
  "rpc.resolveCalls": "lost runners",
  "rpc.resolveCalls.reply": "lost runners",
  "ledger.requestStop": "cancels",
  "rpc.cancelCalls": "cancels",
  "rpc.cancelCalls.reply": "cancels",
  "bus.stop": "cancels",
  "queue.activations.add": "full workers",
  "queue.activations.deliver": "full workers",
  getPartial: "lost workers",
  deleteBeat: "lost workers",
};

export function themeOf(point: FaultPoint): Theme {
  return THEMES[point.op] ?? "any";
}

const RAREST: Readonly<Record<string, number>> = {
  "ledger.markLost": 20,
  "ledger.storeLate": 40,
  "ledger.requestStop": 20,
  "bus.stop": 30,
  getPartial: 24,
  "queue.activations.add": 14,
  putSnapshot: 8,
  dropMailBodies: 14,
  scanHeadsHeldBy: 12,
  "ledger.markDelivered": 8,
  "rpc.getToolCall": 8,
  "rpc.getToolCall.reply": 8,
};

/** How many seeds in a row of the plan dwell on a point: more for what happens rarely. */
function weightOf(point: FaultPoint): number {
  const rare = RAREST[point.op] ?? (themeOf(point) === "any" ? 1 : 8);
  return point.fault === "crash_after" || point.fault === "sleep_before" ? Math.max(12, rare * 2) : rare;
}

const PLAN: readonly FaultPoint[] = FAULT_POINTS.flatMap((point) => Array<FaultPoint>(weightOf(point)).fill(point));

/** The point that a seed dwells on. */
export function focusOf(seed: number): FaultPoint {
  // A step that shares no factor with most lengths spreads neighbours over the plan.
  return PLAN[(seed * 101) % PLAN.length]!;
}
