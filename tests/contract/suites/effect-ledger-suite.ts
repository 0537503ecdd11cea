/** What every effect ledger keeps to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type {
  CallKey,
  CallOutcome,
  EffectLedger,
  LedgerRow,
} from "../../../services/tool-runner/src/ports/effect-ledger.ts";
import { losingReplies, uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

export function rowOf(key: CallKey, fields: Partial<LedgerRow> = {}): LedgerRow {
  return {
    ...key,
    state: "started",
    runner: "runner_a",
    claimId: uniqueName(),
    tool: "shell",
    stopRequested: false,
    outcome: null,
    lateOutcome: null,
    startedAt: 100,
    settledAt: 0,
    tenant: "tenant_a",
    trace: "",
    ...fields,
  };
}

export function outcomeOf(output = "done ☃"): CallOutcome {
  return { outcome: "completed", output, artifact: "", outputBytes: 6, durationMs: 12 };
}

export function describeEffectLedger(name: string, open: () => Promise<Harness<EffectLedger>>): void {
  describe(`effect ledger: ${name}`, () => {
    let harness: Harness<EffectLedger>;
    let ledger: EffectLedger;
    const newKey = (): CallKey => ({ session: `ses_${uniqueName()}`, call: "call_1/x", attempt: 1 });

    beforeAll(async () => {
      harness = await open();
      ledger = harness.subject;
    });
    afterAll(async () => await harness.close());

    async function started(fields: Partial<LedgerRow> = {}): Promise<LedgerRow> {
      const row = rowOf(newKey(), fields);
      expect(await ledger.insert(row)).toBe("inserted");
      return row;
    }

    test("a claim is made once, and reads back as it was; attempts and calls are apart", async () => {
      const row = await started({ trace: "00-a-b-01" });
      expect(await ledger.insert(rowOf(row))).toBe("duplicate");
      expect(await ledger.get(row)).toEqual(row);
      expect(await ledger.insert(rowOf({ ...row, attempt: 2 }))).toBe("inserted");
      expect(await ledger.insert(rowOf({ ...row, call: "call_1" }))).toBe("inserted");
      expect(await ledger.get(newKey())).toBeNull();
    });

    test("of eight concurrent claims one wins, and the row is the winner's", async () => {
      const key = newKey();
      const claims = harness.peers.map((peer, index) => peer.insert(rowOf(key, { claimId: `claim_${index}` })));
      const results = await Promise.all(claims);
      expect(results.filter((result) => result === "inserted")).toHaveLength(1);
      expect((await ledger.get(key))?.claimId).toBe(`claim_${results.indexOf("inserted")}`);
    });

    test("after a lost reply the claim is found to be one's own", async () => {
      const row = rowOf(newKey());
      await expect(losingReplies(ledger).insert(row)).rejects.toMatchObject({ code: "unavailable" });
      expect(await ledger.insert(row)).toBe("duplicate");
      expect((await ledger.get(row))?.claimId).toBe(row.claimId);
    });

    test("a tombstone keeps a call from starting", async () => {
      const row = rowOf(newKey(), { state: "cancelled", runner: "" });
      await ledger.insert(row);
      expect(await ledger.insert(rowOf(row))).toBe("duplicate");
      expect(await ledger.settle(row, "", outcomeOf(), 5)).toBe(false);
      expect(await ledger.markLost(row)).toBe(false);
      expect(await ledger.requestStop(row)).toBe(false);
      expect(await ledger.get(row)).toEqual(row);
    });

    test("only the runner that started a call settles it, once", async () => {
      const row = await started();
      expect(await ledger.settle(row, "runner_b", outcomeOf("theirs"), 7)).toBe(false);
      expect(await ledger.settle(row, row.runner, outcomeOf(), 8)).toBe(true);
      expect(await ledger.settle(row, row.runner, outcomeOf("again"), 9)).toBe(false);
      expect(await ledger.get(row)).toEqual({ ...row, state: "settled", outcome: outcomeOf(), settledAt: 8 });
      expect(await ledger.markLost(row)).toBe(false);
      expect(await ledger.settle(newKey(), "runner_a", outcomeOf(), 1)).toBe(false);
    });

    test("after a lost reply of a settlement the outcome is there", async () => {
      const row = await started();
      await expect(losingReplies(ledger).settle(row, row.runner, outcomeOf(), 8)).rejects.toThrow();
      expect(await ledger.settle(row, row.runner, outcomeOf(), 8)).toBe(false);
      expect((await ledger.get(row))?.outcome).toEqual(outcomeOf());
    });

    test("of a settlement and a mark as lost one wins, and a late outcome is stored once", async () => {
      const rows = await Promise.all(Array.from({ length: 20 }, () => started()));
      for (const row of rows) {
        const [peer = ledger, other = ledger] = harness.peers;
        const races = [peer.settle(row, row.runner, outcomeOf(), 8), other.markLost(row)];
        const [settled, lost] = await Promise.all(races);
        expect([settled, lost].filter(Boolean)).toHaveLength(1);
        expect((await ledger.get(row))?.state).toBe(settled === true ? "settled" : "lost");
      }
      const lost = await started();
      expect(await ledger.storeLate(lost, outcomeOf())).toBe(false);
      expect(await ledger.markLost(lost)).toBe(true);
      expect(await ledger.markLost(lost)).toBe(false);
      expect(await ledger.storeLate(lost, outcomeOf("late"))).toBe(true);
      expect(await ledger.storeLate(lost, outcomeOf("later"))).toBe(false);
      expect(await ledger.get(lost)).toEqual({ ...lost, state: "lost", lateOutcome: outcomeOf("late") });
    });

    test("a stop request reaches the runner of a started call", async () => {
      const runner = `runner_${uniqueName()}`;
      const row = await started({ runner });
      const settled = await started({ runner });
      await ledger.settle(settled, runner, outcomeOf(), 3);
      expect(await ledger.requestStop(settled)).toBe(false);
      expect(await ledger.scanStopRequested(runner, 10)).toEqual([]);
      expect(await ledger.requestStop(row)).toBe(true);
      expect(await ledger.requestStop(row)).toBe(true);
      expect(await ledger.scanStopRequested(runner, 10)).toEqual([{ ...row, stopRequested: true }]);
      expect(await ledger.scanStopRequested("runner_b", 10)).toEqual([]);
      await ledger.settle(row, runner, outcomeOf(), 4);
      expect(await ledger.scanStopRequested(runner, 10)).toEqual([]);
    });

    test("settled rows wait for delivery, oldest first; delivery empties their output", async () => {
      const runner = `runner_${uniqueName()}`;
      const rows = await Promise.all([30, 10, 20].map(() => started({ runner })));
      await Promise.all(rows.map((row, index) => ledger.settle(row, runner, outcomeOf(), [30, 10, 20][index] ?? 0)));
      const waiting = async (before: number, limit = 10): Promise<number[]> =>
        (await ledger.scanUndelivered(runner, before, limit)).map(({ settledAt }) => settledAt);
      expect(await waiting(100)).toEqual([10, 20, 30]);
      expect(await waiting(30)).toEqual([10, 20]);
      expect(await waiting(100, 1)).toEqual([10]);
      const everyone = await ledger.scanUndelivered(null, 100, 1000);
      expect(everyone.filter((row) => row.runner === runner)).toHaveLength(3);
      const [first, second] = rows as [LedgerRow, LedgerRow, LedgerRow];
      const stranger = await started({ runner });
      await ledger.markDelivered([first, second, stranger, newKey()]);
      await ledger.markDelivered([first]);
      expect(await waiting(100)).toEqual([20]);
      expect(await ledger.get(first)).toMatchObject({ state: "delivered", outcome: { ...outcomeOf(), output: "" } });
      expect((await ledger.get(stranger))?.state).toBe("started");
    });

    test("many rows are read by their keys; absent ones are left out", async () => {
      const rows = await Promise.all(Array.from({ length: 63 }, () => started()));
      const found = await ledger.getMany([...rows, newKey()]);
      const calls = (list: readonly LedgerRow[]): string[] => list.map(({ claimId }) => claimId).sort();
      expect(calls(found)).toEqual(calls(rows));
      expect(await ledger.getMany([])).toEqual([]);
    });

    test("beats are replaced and deleted", async () => {
      const runner = `runner_${uniqueName()}`;
      await ledger.writeBeat({ runner, count: 1 });
      await ledger.writeBeat({ runner, count: 2 });
      expect(await ledger.readBeats()).toContainEqual({ runner, count: 2 });
      await ledger.deleteBeat(runner);
      expect((await ledger.readBeats()).map((beat) => beat.runner)).not.toContain(runner);
    });

    test("a ledger that is there answers a ping", async () => await ledger.ping());

    test("what was acknowledged is there after a restart", async () => {
      const open = await started();
      const settled = await started();
      await ledger.settle(settled, settled.runner, outcomeOf(), 9);
      ledger = await harness.reopen();
      expect(await ledger.get(open)).toEqual(open);
      expect(await ledger.insert(rowOf(open))).toBe("duplicate");
      expect(await ledger.get(settled)).toEqual({ ...settled, state: "settled", outcome: outcomeOf(), settledAt: 9 });
    });
  });
}
