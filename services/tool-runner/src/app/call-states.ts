/** Answers the engine's questions about overdue calls, and forbids calls that were cancelled. */
import type { Clock } from "@mainspring/kernel";
import type { BeatWatch } from "@mainspring/service-kit";
import { persist } from "@mainspring/service-kit";
import type { CallKey, CallOutcome, EffectLedger, LedgerRow } from "../ports/effect-ledger.ts";
import type { CallRunner } from "./call-runner.ts";
import { keyText } from "./call-runner.ts";

export interface CallReport {
  readonly key: CallKey;
  readonly state: "absent" | "started" | "lost" | "settled" | "cancelled";
  readonly outcome: CallOutcome | null;
}

export interface CallStatesPorts {
  readonly clock: Clock;
  readonly ledger: EffectLedger;
  readonly watch: BeatWatch;
  readonly runner: CallRunner;
  /** Tells the runner that a call should end; may be lost (it also looks by itself). */
  tellStop(runner: string, key: CallKey): void;
}

/** What the ledger knows. A started call of a dead runner is marked lost, unless it settles first. */
export async function resolveCalls(ports: CallStatesPorts, keys: readonly CallKey[]): Promise<CallReport[]> {
  const rows = new Map((await ports.ledger.getMany(keys)).map((row) => [keyText(row), row]));
  const reports: CallReport[] = [];
  for (const key of keys) {
    const row = rows.get(keyText(key));
    reports.push(row === undefined ? { key, state: "absent", outcome: null } : await reportOf(ports, row));
  }
  return reports;
}

async function reportOf(ports: CallStatesPorts, row: LedgerRow): Promise<CallReport> {
  const key: CallKey = { session: row.session, call: row.call, attempt: row.attempt };
  switch (row.state) {
    case "cancelled":
    case "lost":
      return { key, state: row.state, outcome: null };
    case "settled":
      return { key, state: "settled", outcome: row.outcome };
    case "delivered":
      // The result is in the mailbox: whoever asks finds it there.
      return { key, state: "started", outcome: null };
    case "started":
      break;
  }
  if (!isGone(ports, row)) return { key, state: "started", outcome: null };
  if (await ports.ledger.markLost(key)) return { key, state: "lost", outcome: null };
  const after = await ports.ledger.get(key);
  return after === null || after.state === "started"
    ? { key, state: "started", outcome: null }
    : reportOf(ports, after);
}

/** Its runner died, or is this process and does not run it. */
function isGone(ports: CallStatesPorts, row: LedgerRow): boolean {
  if (row.runner === ports.runner.runner) return !ports.runner.isRunning(row);
  return ports.watch.isDead(row.runner);
}

/**
 * Forbids the calls: one not yet claimed gets a tombstone, so it can never be claimed; one that runs gets its stop
 * request. A call that ended meanwhile answers with its outcome.
 */
export async function cancelCalls(
  ports: CallStatesPorts,
  keys: readonly CallKey[],
  tenant: string,
  signal: AbortSignal,
): Promise<CallReport[]> {
  return Promise.all(keys.map((key) => persist(ports.clock, signal, () => cancelCall(ports, key, tenant))));
}

async function cancelCall(ports: CallStatesPorts, key: CallKey, tenant: string): Promise<CallReport> {
  const tombstone: LedgerRow = {
    ...key,
    state: "cancelled",
    runner: "",
    claimId: "",
    tool: "",
    stopRequested: true,
    outcome: null,
    lateOutcome: null,
    startedAt: ports.clock.now(),
    settledAt: ports.clock.now(),
    tenant,
    trace: "",
  };
  if ((await ports.ledger.insert(tombstone)) === "inserted") return { key, state: "cancelled", outcome: null };
  const row = await ports.ledger.get(key);
  if (row === null) return { key, state: "absent", outcome: null };
  if (row.state === "started" && (await ports.ledger.requestStop(key))) ports.tellStop(row.runner, key);
  return reportOf(ports, row);
}
