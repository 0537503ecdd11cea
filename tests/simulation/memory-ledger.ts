/** The effect ledger as single-document operations on a map. */
import type {
  CallKey,
  CallOutcome,
  EffectLedger,
  LedgerRow,
  RunnerBeat,
} from "../../services/tool-runner/src/ports/effect-ledger.ts";
import type { Perform } from "./memory-session-store.ts";

export function ledgerId(key: CallKey): string {
  return `${key.session}/${key.call}/${key.attempt}`;
}

export class MemoryLedgerRows {
  readonly rows = new Map<string, LedgerRow>();
  readonly beats = new Map<string, RunnerBeat>();

  insert(row: LedgerRow): "inserted" | "duplicate" {
    if (this.rows.has(ledgerId(row))) return "duplicate";
    this.rows.set(ledgerId(row), structuredClone(row));
    return "inserted";
  }

  get(key: CallKey): LedgerRow | null {
    return structuredClone(this.rows.get(ledgerId(key)) ?? null);
  }

  /** Changes the row if it passes; true when it did. */
  change(key: CallKey, passes: (row: LedgerRow) => boolean, change: Partial<LedgerRow>): boolean {
    const row = this.rows.get(ledgerId(key));
    if (row === undefined || !passes(row)) return false;
    this.rows.set(ledgerId(key), structuredClone({ ...row, ...change }));
    return true;
  }

  settle(key: CallKey, runner: string, outcome: CallOutcome, settledAt: number): boolean {
    const passes = (row: LedgerRow): boolean => row.state === "started" && row.runner === runner;
    return this.change(key, passes, { state: "settled", outcome, settledAt });
  }

  markDelivered(keys: readonly CallKey[]): void {
    for (const key of keys) {
      const outcome = this.rows.get(ledgerId(key))?.outcome ?? null;
      const emptied = outcome === null ? null : { ...outcome, output: "" };
      this.change(key, (row) => row.state === "settled", { state: "delivered", outcome: emptied });
    }
  }

  scan(passes: (row: LedgerRow) => boolean, limit: number): LedgerRow[] {
    const found = [...this.rows.values()].filter(passes).sort((a, b) => a.settledAt - b.settledAt);
    return structuredClone(found.slice(0, limit));
  }
}

export function bindLedger(memory: MemoryLedgerRows, perform: Perform): EffectLedger {
  return {
    insert: (row) => perform("ledger.insert", () => memory.insert(row)),
    get: (key) => perform("ledger.get", () => memory.get(key)),
    getMany: (keys) => perform("ledger.getMany", () => keys.flatMap((key) => memory.get(key) ?? [])),
    settle: (key, runner, outcome, at) => perform("ledger.settle", () => memory.settle(key, runner, outcome, at)),
    markLost: (key) =>
      perform("ledger.markLost", () => memory.change(key, (row) => row.state === "started", { state: "lost" })),
    requestStop: (key) =>
      perform("ledger.requestStop", () =>
        memory.change(key, (row) => row.state === "started", { stopRequested: true }),
      ),
    storeLate: (key, outcome) =>
      perform("ledger.storeLate", () =>
        memory.change(key, (row) => row.state === "lost" && row.lateOutcome === null, { lateOutcome: outcome }),
      ),
    markDelivered: (keys) => perform("ledger.markDelivered", () => memory.markDelivered(keys)),
    scanUndelivered: (runner, before, limit) =>
      perform("ledger.scanUndelivered", () =>
        memory.scan(
          (row) => row.state === "settled" && row.settledAt < before && (runner === null || row.runner === runner),
          limit,
        ),
      ),
    scanStopRequested: (runner, limit) =>
      perform("ledger.scanStopRequested", () =>
        memory.scan((row) => row.state === "started" && row.runner === runner && row.stopRequested, limit),
      ),
    writeBeat: (beat) => perform("ledger.writeBeat", () => void memory.beats.set(beat.runner, beat)),
    readBeats: () => perform("ledger.readBeats", () => [...memory.beats.values()]),
    deleteBeat: (runner) => perform("ledger.deleteBeat", () => void memory.beats.delete(runner)),
    ping: () => perform("ledger.ping", () => undefined),
    close: async () => undefined,
  };
}
