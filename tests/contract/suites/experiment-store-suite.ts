/** What every store of experiments promises. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Attempt, AttemptResult } from "../../../services/eval-runner/src/domain/attempt.ts";
import type { Definition, ExperimentHead } from "../../../services/eval-runner/src/domain/experiment.ts";
import type { ExperimentStore } from "../../../services/eval-runner/src/ports/experiment-store.ts";
import { losingReplies } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

const definition: Definition = {
  name: "n",
  subjects: [{ name: "s", model: "m", instructions: "", params: { "a.b": { $c: 1 } } }],
  tasks: [{ id: "t", input: "i", verify: { type: "exact", trim: true, ignoreCase: false }, expected: "e" }],
  repetitions: 1,
  timeoutSeconds: 600,
};

function head(id: string, more: Partial<ExperimentHead> = {}): ExperimentHead {
  const who = { tenant: "acme", admin: false, name: "n", subject: "key_1" };
  const how = {
    status: "running",
    round: 1,
    concurrency: 0,
    cells: 2,
    createdAt: 1,
    endedAt: 0,
    counts: null,
  } as const;
  return { id, ...who, ...how, ...more };
}

function attempt(cell: string, number: number, more: Partial<Attempt> = {}): Attempt {
  const made = { tenant: "acme", experiment: "exp_1", round: 1, claimId: "clm_1", startedAt: 5 };
  return { cell, number, runner: "evl_1", ...made, result: null, ...more };
}

const passed: AttemptResult = {
  outcome: "passed",
  retryable: false,
  text: `${"é".repeat(300)}.`,
  textChars: 301,
  usage: { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 4 },
  durationMs: 7,
  responseId: "resp_1",
  runId: "run_1",
  traceId: "f".repeat(32),
  error: null,
  endedAt: 9,
};
const broken: AttemptResult = { ...passed, outcome: "error", usage: null, error: { code: "internal", message: "x" } };

export function describeExperimentStore(name: string, open: () => Promise<Harness<ExperimentStore>>): void {
  describe(`experiment store: ${name}`, () => {
    let harness: Harness<ExperimentStore>;
    beforeEach(async () => void (harness = await open()));
    afterEach(() => harness.close());

    test("an experiment and its definition come back as they were, over a restart too", async () => {
      expect(await harness.subject.insert(head("exp_1", { admin: true }), definition)).toBe("inserted");
      expect(await harness.subject.insert(head("exp_1"), definition)).toBe("exists");
      const again = await harness.reopen();
      expect(await again.head("exp_1")).toEqual(head("exp_1", { admin: true }));
      expect(await again.definition("exp_1")).toEqual(definition);
      expect(await again.head("exp_2")).toBeNull();
      expect(await again.definition("exp_2")).toBeNull();
    });

    test("lists are of a tenant, the latest first, page by page without holes", async () => {
      const { subject } = harness;
      const made = [head("exp_a", { createdAt: 1 }), head("exp_b", { createdAt: 2 }), head("exp_c", { createdAt: 2 })];
      for (const each of made) await subject.insert(each, definition);
      await subject.insert(head("exp_x", { tenant: "other" }), definition);
      const first = await subject.list("acme", 2, null);
      expect(first.map(({ id }) => id)).toEqual(["exp_c", "exp_b"]);
      const rest = await subject.list("acme", 2, first[1]!);
      expect(rest).toEqual([made[0]]);
      const afterFirst = await subject.list("acme", 9, first[0]!);
      expect(afterFirst.map(({ id }) => id)).toEqual(["exp_b", "exp_a"]);
    });

    test("active are those that run or are being cancelled, the oldest of every tenant before further ones", async () => {
      const { subject } = harness;
      await subject.insert(head("exp_a", { createdAt: 3, tenant: "other" }), definition);
      await subject.insert(head("exp_b", { createdAt: 2, status: "cancelling" }), definition);
      await subject.insert(head("exp_c", { createdAt: 1, status: "completed" }), definition);
      await subject.insert(head("exp_d", { createdAt: 1, status: "cancelled" }), definition);
      await subject.insert(head("exp_e", { createdAt: 2 }), definition);
      await subject.insert(head("exp_f", { createdAt: 2 }), definition);
      const active = async (ofTenant: number, limit: number) =>
        (await subject.active(ofTenant, limit)).map(({ id }) => id);
      expect(await active(9, 9)).toEqual(["exp_b", "exp_a", "exp_e", "exp_f"]);
      expect(await active(2, 9)).toEqual(["exp_b", "exp_a", "exp_e"]);
      expect(await active(9, 2)).toEqual(["exp_b", "exp_a"]);
      expect((await subject.active(1, 1))[0]).toEqual(head("exp_b", { createdAt: 2, status: "cancelling" }));
    });

    test("running are the attempts without a result, whosever", async () => {
      const { subject } = harness;
      const other = attempt("b", 1, { tenant: "other", experiment: "exp_2", runner: "evl_2" });
      for (const each of [attempt("a", 1), other, attempt("c", 1), attempt("c", 2)]) await subject.claim(each);
      await subject.settle({ cell: "c", number: 1 }, broken);
      const again = await harness.reopen();
      const running = (await again.running(9)).sort((one, two) => (one.cell < two.cell ? -1 : 1));
      expect(running).toEqual([attempt("a", 1), other, attempt("c", 2)]);
      expect(await again.running(2)).toHaveLength(2);
    });

    test("the latest start is a tenant's or an experiment's, with a result or without", async () => {
      const { subject } = harness;
      await subject.claim(attempt("a", 1, { startedAt: 7 }));
      await subject.claim(attempt("b", 1, { startedAt: 9, experiment: "exp_2" }));
      await subject.claim(attempt("c", 1, { startedAt: 8 }));
      await subject.claim(attempt("d", 1, { startedAt: 20, tenant: "other", experiment: "exp_3" }));
      await subject.settle({ cell: "c", number: 1 }, passed);
      const again = await harness.reopen();
      expect(await again.lastStart({ tenant: "acme" })).toBe(9);
      expect(await again.lastStart({ experiment: "exp_1" })).toBe(8);
      expect(await again.lastStart({ tenant: "exp_1" })).toBe(0);
      expect(await again.lastStart({ experiment: "acme" })).toBe(0);
    });

    test("of eight who change one state at once, one does", async () => {
      await harness.subject.insert(head("exp_1"), definition);
      const counts = { passed: 1, failed: 1, errors: 0, running: 0, waiting: 0 };
      const changes = harness.peers.map((peer, index) =>
        peer.change(
          "exp_1",
          { status: "running", round: 1 },
          { status: "completed", round: 1, concurrency: 3, endedAt: index + 10, counts },
        ),
      );
      const results = await Promise.all(changes);
      expect(results.filter(Boolean)).toHaveLength(1);
      const endedAt = results.indexOf(true) + 10;
      expect(await harness.subject.head("exp_1")).toEqual(
        head("exp_1", { status: "completed", concurrency: 3, endedAt, counts }),
      );
      expect(await harness.subject.change("exp_1", { status: "completed", round: 2 }, head("exp_1"))).toBe(false);
    });

    test("of eight who claim one attempt at once, one does, and a repeat whose reply was lost finds its own", async () => {
      const claims = harness.peers.map((peer, index) => peer.claim(attempt("c", 1, { claimId: `clm_${index}` })));
      const results = await Promise.all(claims);
      expect(results.filter((result) => result === "inserted")).toHaveLength(1);
      const winner = results.indexOf("inserted");
      expect((await harness.subject.attempt({ cell: "c", number: 1 }))!.claimId).toBe(`clm_${winner}`);
      await losingReplies(harness.subject)
        .claim(attempt("c", 2, { claimId: "mine" }))
        .catch(() => undefined);
      expect(await harness.subject.claim(attempt("c", 2, { claimId: "mine" }))).toBe("duplicate");
      expect((await harness.subject.attempt({ cell: "c", number: 2 }))!.claimId).toBe("mine");
      expect(await harness.subject.attempt({ cell: "c", number: 3 })).toBeNull();
    });

    test("attempts come by cell and number, whole or with the beginning of their text", async () => {
      const { subject } = harness;
      for (const [cell, number] of [
        ["b", 2],
        ["b", 1],
        ["a", 1],
        ["z", 1],
      ] as const) {
        await subject.claim(attempt(cell, number));
      }
      await subject.settle({ cell: "b", number: 1 }, passed);
      const again = await harness.reopen();
      const whole = await again.attemptsOf(["a", "b", "none"], false);
      expect(whole).toEqual([attempt("a", 1), attempt("b", 1, { result: passed }), attempt("b", 2)]);
      const brief = await again.attemptsOf(["b"], true);
      expect(brief).toEqual([attempt("b", 1, { result: { ...passed, text: "é".repeat(200) } }), attempt("b", 2)]);
      expect(await again.attemptsOf([], true)).toEqual([]);
    });

    test("of eight who settle one attempt at once, one does, whoever runs it", async () => {
      await harness.subject.claim(attempt("c", 1));
      const settles = harness.peers.map((peer, index) =>
        peer.settle({ cell: "c", number: 1 }, { ...broken, durationMs: index }),
      );
      const results = await Promise.all(settles);
      expect(results.filter(Boolean)).toHaveLength(1);
      const durationMs = results.indexOf(true);
      expect((await harness.subject.attempt({ cell: "c", number: 1 }))!.result).toEqual({ ...broken, durationMs });
      expect(await harness.subject.settle({ cell: "none", number: 1 }, passed)).toBe(false);
    });

    test("of eight who adopt a running attempt, one does; a settled one is nobody's", async () => {
      const key = { cell: "c", number: 1 };
      await harness.subject.claim(attempt("c", 1));
      const results = await Promise.all(harness.peers.map((peer, index) => peer.adopt(key, "evl_1", `new_${index}`)));
      expect(results.filter(Boolean)).toHaveLength(1);
      const winner = `new_${results.indexOf(true)}`;
      expect((await harness.subject.attempt(key))!.runner).toBe(winner);
      await harness.subject.settle(key, passed);
      expect(await harness.subject.adopt(key, winner, "evl_2")).toBe(false);
    });

    test("of eight who select a result at once, one does, for good", async () => {
      const selects = harness.peers.map((peer, index) =>
        peer.select({ cell: "c", attempt: index + 1, outcome: "failed" }),
      );
      const results = await Promise.all(selects);
      expect(results.filter((result) => result === "selected")).toHaveLength(1);
      const selected = { cell: "c", attempt: results.indexOf("selected") + 1, outcome: "failed" };
      const again = await harness.reopen();
      expect(await again.select({ cell: "c", attempt: 9, outcome: "passed" })).toBe("taken");
      expect(await again.selections(["c", "none"])).toEqual([selected]);
      expect(await again.selections([])).toEqual([]);
    });

    test("beats are each runner's own", async () => {
      const { subject } = harness;
      await subject.writeBeat({ runner: "a", count: 1 });
      await subject.writeBeat({ runner: "b", count: 1 });
      await subject.writeBeat({ runner: "a", count: 2 });
      await subject.deleteBeat("b");
      expect(await subject.readBeats()).toEqual([{ runner: "a", count: 2 }]);
    });
  });
}
