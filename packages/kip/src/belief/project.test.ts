import { describe, expect, it } from "vitest";
import { claim, day, question, slotOf } from "../testing/claims.ts";
import type { BeliefQuestion, Claim } from "./claim.ts";
import { projectSlot } from "./project.ts";
import { rootsOf } from "./roots.ts";

function ask(claims: readonly Claim[], at: string, more: Partial<BeliefQuestion> = {}, functional = true) {
  const slot = projectSlot(slotOf(claims, functional), question(at, more));
  return { slot, of: (proposition: string) => slot.candidates.find((one) => one.proposition === proposition)! };
}

describe("status of one proposition", () => {
  it("support only is accepted, opposition only rejected, both contested, nothing insufficient", () => {
    const yes = claim("P-1", day(1), { actor: "bob" });
    const no = claim("P-1", day(1), { stance: "reject" });
    expect(ask([yes], day(9)).of("P-1").status).toBe("accepted");
    expect(ask([no], day(9)).of("P-1").status).toBe("rejected");
    expect(ask([yes, no], day(9)).of("P-1").status).toBe("contested");
    expect(ask([claim("P-1", day(1), { mode: "hypothetical" })], day(9)).of("P-1").status).toBe("insufficient");
    expect(projectSlot([], question(day(9))).status).toBe("insufficient");
  });

  it.each([
    ["retracted", { lifecycle: "retracted" }],
    ["superseded", { lifecycle: "superseded" }],
    ["not visible", { visible: false }],
    ["misrecorded", { misrecorded: true }],
    ["corrected evidence", { evidenceCorrected: true }],
    ["another task's context", { contexts: ["C-5"] }],
    ["a prediction", { mode: "predicted" }],
    ["an import", { mode: "imported" }],
  ] as const)("a claim with %s is not eligible", (_why, more) => {
    expect(ask([claim("P-1", day(1), more)], day(9)).of("P-1").status).toBe("insufficient");
  });

  it("hypotheses count when they are asked for, contexts when they are given", () => {
    expect(ask([claim("P-1", day(1), { mode: "predicted" })], day(9), { includeHypothetical: true }).slot.status).toBe(
      "accepted",
    );
    expect(ask([claim("P-1", day(1), { contexts: ["C-5"] })], day(9), { contexts: ["C-5", "C-6"] }).slot.status).toBe(
      "accepted",
    );
  });

  it("weak support alone is uncertain; a dependency that needs review caps the result at uncertain", () => {
    expect(ask([claim("P-1", day(1), { confidence: 0.2 })], day(9)).of("P-1").status).toBe("uncertain");
    const capped = ask([claim("P-1", day(1), { dependency: "needs_review" })], day(9)).of("P-1");
    expect(capped.status).toBe("uncertain");
    expect(capped.uncertainty.reasons).toContain("needs_review");
  });
});

describe("time and succession", () => {
  it("intervals are [from, until)", () => {
    const claims = [claim("P-1", day(5), { from: day(2), until: day(4) })];
    expect([1, 2, 3, 4].map((n) => ask(claims, day(n)).of("P-1").status)).toEqual([
      "insufficient",
      "accepted",
      "accepted",
      "insufficient",
    ]);
  });

  it("before an undated claim was made it is uncertain", () => {
    expect(ask([claim("P-1", day(3))], day(2)).of("P-1").status).toBe("uncertain");
    expect(ask([claim("P-1", day(3))], day(3)).of("P-1").status).toBe("accepted");
  });

  it("repeating a value with the same stance opens no gap", () => {
    const claims = [
      claim("P-1", day(1), { from: day(1) }),
      claim("P-1", day(3), { from: day(3) }),
      claim("P-2", day(5), { from: day(5) }),
    ];
    expect([1, 2, 3, 4].map((n) => ask(claims, day(n)).of("P-1").status)).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect(ask(claims, day(5)).slot.accepted).toEqual(["P-2"]);
  });

  it("withdrawing a successor reopens its predecessor", () => {
    const first = claim("P-1", day(1), { from: day(1) });
    const second = claim("P-2", day(3), { from: day(3) });
    expect(ask([first, second], day(4)).slot.accepted).toEqual(["P-2"]);
    expect(ask([first, { ...second, lifecycle: "retracted" }], day(4)).slot.accepted).toEqual(["P-1"]);
  });

  it("an ended value is rejected after and accepted before", () => {
    const claims = [claim("P-1", day(1), { from: day(1) }), claim("P-1", day(4), { from: day(4), stance: "reject" })];
    expect([2, 3, 4, 5].map((n) => ask(claims, day(n)).of("P-1").status)).toEqual([
      "accepted",
      "accepted",
      "rejected",
      "rejected",
    ]);
  });

  it("between two undated statements both values are uncertain", () => {
    const { of } = ask([claim("P-1", day(2)), claim("P-2", day(6))], day(4));
    expect([of("P-1").status, of("P-2").status]).toEqual(["uncertain", "uncertain"]);
    expect(ask([claim("P-1", day(2)), claim("P-2", day(6))], day(6)).slot.accepted).toEqual(["P-2"]);
  });

  it("an inference with a written start cannot end an inference without one", () => {
    const claims = [
      claim("P-1", day(1), { mode: "inferred" }),
      claim("P-2", day(3), { mode: "inferred", from: day(3) }),
    ];
    expect(ask(claims, day(5), { policy: "kip:structural" }).slot.status).toBe("contested");
    const ranked = ask(claims, day(5));
    expect(ranked.slot.accepted).toEqual(["P-2"]);
    expect(ranked.of("P-1").precedence).toEqual({ rule: "recency" });
  });

  it("equal start keys do not succeed", () => {
    const claims = [claim("P-1", day(1), { from: day(2) }), claim("P-2", day(3), { from: day(2) })];
    expect(ask(claims, day(5)).slot.status).toBe("contested");
  });

  it("another actor's or another task's claim ends nothing", () => {
    const first = claim("P-1", day(1), { from: day(1) });
    expect(
      ask([first, claim("P-2", day(3), { from: day(3), actor: "bob" })], day(5), { policy: "kip:structural" }).slot
        .status,
    ).toBe("contested");
    const scoped = claim("P-2", day(3), { from: day(3), contexts: ["C-5"] });
    expect(ask([first, scoped], day(5), { policy: "kip:structural", contexts: ["C-5"] }).slot.status).toBe("contested");
  });

  it("says when the answer may change next", () => {
    const claims = [claim("P-1", day(1), { from: day(1) }), claim("P-2", day(4), { from: day(4), until: day(8) })];
    expect(ask(claims, day(2)).slot.nextInvalidAt).toBe(day(4));
    expect(ask(claims, day(9)).slot.nextInvalidAt).toBeUndefined();
  });
});

describe("slots and precedence", () => {
  it("without a functional predicate values coexist and a directly contested one leaves the others accepted", () => {
    const claims = [
      claim("P-1", day(1)),
      claim("P-2", day(1)),
      claim("P-2", day(1), { actor: "bob", stance: "reject" }),
    ];
    const { slot } = ask(claims, day(5), {}, false);
    expect([slot.status, slot.accepted]).toEqual(["contested", ["P-1"]]);
  });

  it("two supported values of a functional slot are both contested under the structural policy", () => {
    const { slot, of } = ask([claim("P-1", day(1), { actor: "bob" }), claim("P-2", day(2), { actor: "eve" })], day(5), {
      policy: "kip:structural",
    });
    expect([slot.status, slot.accepted, of("P-1").conflict_refs]).toEqual(["contested", [], ["P-2"]]);
    expect(of("P-1").candidate_status).toBe("accepted");
  });

  it("values exclude each other only within their conflict group", () => {
    const claims = [claim("P-1", day(1)), claim("P-2", day(1))];
    const candidates = slotOf(claims).map((one, index) => ({ ...one, conflictGroup: `type${index}` }));
    expect(projectSlot(candidates, question(day(5))).accepted).toEqual(["P-1", "P-2"]);
  });

  it("task-scoped beats general in its task", () => {
    const claims = [claim("P-1", day(4)), claim("P-2", day(2), { actor: "bob", contexts: ["C-5"] })];
    const scoped = ask(claims, day(5), { contexts: ["C-5"] });
    expect(scoped.slot.accepted).toEqual(["P-2"]);
    expect(scoped.of("P-1").precedence).toEqual({ rule: "task_scope" });
    expect(scoped.of("P-1").uncertainty.reasons).toContain("outranked");
    expect(ask(claims, day(5)).slot.accepted).toEqual(["P-1"]);
  });

  it("own testimony beats newer hearsay, a newer observation beats older own testimony", () => {
    const own = claim("P-1", day(1));
    expect(ask([own, claim("P-2", day(3), { actor: "bob" })], day(5)).slot.accepted).toEqual(["P-1"]);
    expect(ask([own, claim("P-2", day(3), { actor: "bob", mode: "observed" })], day(5)).slot.accepted).toEqual(["P-2"]);
  });

  it("equal start keys, testimony against observation: contested", () => {
    expect(
      ask([claim("P-1", day(1)), claim("P-2", day(1), { actor: "bob", mode: "observed" })], day(5)).slot.status,
    ).toBe("contested");
  });

  it("a later start beats an earlier one among equals", () => {
    const { slot, of } = ask([claim("P-1", day(1), { actor: "bob" }), claim("P-2", day(2), { actor: "eve" })], day(5));
    expect([slot.accepted, of("P-1").status]).toEqual([["P-2"], "uncertain"]);
  });
});

describe("roots", () => {
  it("repeats of one source count once", () => {
    const claims = ["bob", "eve", "dan"].map((actor, index) =>
      claim("P-1", day(1), { actor, roots: index < 2 ? ["E-1"] : ["E-2"] }),
    );
    const { support } = ask(claims, day(5)).of("P-1");
    expect([support.score, support.assertion_ids.length]).toEqual([2, 3]);
  });

  it("a root shared by two groups joins them", () => {
    const claims = [["E-1"], ["E-2"], ["E-1", "E-2"]].map((roots, index) =>
      claim("P-1", day(1), { actor: `actor${index}`, roots }),
    );
    expect(ask(claims, day(5)).of("P-1").support.root_groups).toEqual([["E-1", "E-2"]]);
  });

  it("derivation is followed to its sources, and a cycle stands for itself once", () => {
    const graph: Record<string, string[]> = { d: ["b", "c"], b: ["a"], c: ["a"], a: [], x: ["y"], y: ["x"] };
    expect(rootsOf("d", (id) => graph[id]!)).toEqual(["a"]);
    expect(rootsOf("x", (id) => graph[id]!)).toEqual(rootsOf("y", (id) => graph[id]!));
  });
});
