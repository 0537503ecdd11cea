/** The corner cases of the projection, end to end: what is asserted in KIP and what BELIEF then answers. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "@mainspring/kip";
import { ref, TestSpace } from "../testing/space.ts";

const day = (n: number): string => `2026-01-${String(n).padStart(2, "0")}T00:00:00.000Z`;

interface Slot {
  readonly status: string;
  readonly accepted_values: Json[];
  readonly candidate_projections: {
    readonly value: Json;
    readonly status: string;
    readonly precedence?: { readonly rule: string };
  }[];
  readonly basis: JsonObject;
}

/** Alice's time zone (functional) and what she speaks (not functional), as several actors tell it. */
class Story {
  readonly space = new TestSpace();
  readonly alice = this.space.person("alice");
  readonly bob = this.space.person("bob");
  #last = "";

  say(
    value: string,
    at: number,
    more: {
      by?: JsonObject;
      mode?: string;
      from?: number;
      until?: number;
      stance?: string;
      predicate?: string;
      context?: JsonObject;
      confidence?: number;
      evidence?: JsonObject;
    } = {},
  ): string {
    const {
      by = this.alice,
      mode = "stated",
      stance = "support",
      predicate = "timezone",
      from,
      until,
      context,
      confidence,
      evidence,
    } = more;
    const valid: Record<string, Json> = {};
    if (from !== undefined) valid["from"] = day(from);
    if (until !== undefined) valid["until"] = day(until);
    const extra = [
      ...(context === undefined ? [] : [", context: [:context]"]),
      ...(confidence === undefined ? [] : [", confidence: :confidence"]),
      ...(evidence === undefined ? [] : [", evidence: :evidence"]),
    ].join("");
    const parameters = {
      alice: this.alice,
      predicate,
      value,
      by,
      mode,
      stance,
      at: day(at),
      valid,
      context: context ?? null,
      confidence: confidence ?? null,
      evidence: evidence ?? null,
    };
    const command = `ASSERT ?a (:alice, :predicate, :value) {by: :by, mode: :mode, stance: :stance, at: :at, valid: :valid${extra}}`;
    this.#last = this.space.handles(command, parameters)["a"]!;
    return this.#last;
  }

  slot(at: number, epistemic = "", predicate = "timezone"): Slot {
    const command = `FIND(?s) WHERE { ?s BELIEF SLOT (:alice, :predicate) } FOR TIME :at ${epistemic === "" ? "" : `WITH EPISTEMIC {${epistemic}}`}`;
    return this.space.find(command, { alice: this.alice, predicate, at: day(at) })[0] as unknown as Slot;
  }

  status(value: string, at: number, epistemic = "", predicate = "timezone"): string {
    const command = `FIND(?b.status) WHERE { ?b BELIEF (:alice, :predicate, :value) } FOR TIME :at ${epistemic === "" ? "" : `WITH EPISTEMIC {${epistemic}}`}`;
    return this.space.find(command, { alice: this.alice, predicate, value, at: day(at) })[0] as string;
  }
}

const STRUCTURAL = 'policy: "kip:structural"';

describe("belief, end to end", () => {
  it("a tuple that was never stored is one row, insufficient", () => {
    expect(new Story().status("+09:00", 1)).toBe("insufficient");
    expect(new Story().slot(1)).toMatchObject({ status: "insufficient", accepted_values: [] });
  });

  it("repeating a value with the same stance opens no gap", () => {
    const story = new Story();
    for (const [value, n] of [
      ["A", 1],
      ["A", 3],
      ["B", 5],
    ] as const)
      story.say(value, n, { from: n });
    expect([1, 2, 3, 4].map((n) => story.status("A", n))).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    expect(story.slot(5).accepted_values).toEqual(["B"]);
  });

  it("withdrawing a successor reopens its predecessor", () => {
    const story = new Story();
    story.say("A", 1, { from: 1 });
    const successor = story.say("B", 3, { from: 3 });
    expect(story.slot(4).accepted_values).toEqual(["B"]);
    const before = story.space.seq;
    story.space.run('TRANSITION :a TO "retracted"', { a: ref(successor) });
    expect(story.slot(4).accepted_values).toEqual(["A"]);
    const command =
      'FIND(?s.accepted_values) WHERE { ?s BELIEF SLOT (:alice, "timezone") } AS OF SEQ :before FOR TIME :at';
    expect(story.space.find(command, { alice: story.alice, before, at: day(4) })).toEqual([["B"]]);
  });

  it("a claim on corrected evidence does not count again when that evidence is purged", () => {
    const story = new Story();
    const evidence = 'CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "hi"} }';
    const [wrong, right] = [1, 2].map(() => ref(story.space.handles(evidence)["e"]!));
    story.say("A", 1, { from: 1, evidence: wrong! });
    expect(story.status("A", 2)).toBe("accepted");
    story.space.run('TRANSITION :wrong TO "corrected" BY :right', { wrong: wrong!, right: right! });
    expect(story.status("A", 2)).toBe("insufficient");
    story.space.run('PURGE :wrong REFERENCE POLICY "tombstone_reference" CONFIRM "PURGE"', { wrong: wrong! });
    expect(story.status("A", 2)).toBe("insufficient");
  });

  it("an ended value is rejected after and accepted before", () => {
    const story = new Story();
    story.say("A", 1, { from: 1 });
    story.say("A", 4, { from: 4, stance: "reject" });
    expect([2, 3, 4, 5].map((n) => story.status("A", n))).toEqual(["accepted", "accepted", "rejected", "rejected"]);
  });

  it("between two undated statements both values are uncertain", () => {
    const story = new Story();
    story.say("A", 2);
    story.say("B", 6);
    expect([story.status("A", 4), story.status("B", 4)]).toEqual(["uncertain", "uncertain"]);
    expect(story.slot(6).accepted_values).toEqual(["B"]);
  });

  it("before an undated claim was made it is uncertain", () => {
    const story = new Story();
    story.say("A", 3);
    expect([story.status("A", 2), story.status("A", 3)]).toEqual(["uncertain", "accepted"]);
  });

  it("an inference with a written start cannot end an inference without one", () => {
    const story = new Story();
    story.say("A", 1, { mode: "inferred" });
    story.say("B", 3, { mode: "inferred", from: 3 });
    expect(story.slot(5, STRUCTURAL).status).toBe("contested");
    const slot = story.slot(5);
    expect(slot.accepted_values).toEqual(["B"]);
    expect(slot.candidate_projections[0]).toMatchObject({ status: "uncertain", precedence: { rule: "recency" } });
  });

  it("equal start keys, testimony against observation: contested", () => {
    const story = new Story();
    story.say("A", 1);
    story.say("B", 1, { by: story.bob, mode: "observed" });
    expect(story.slot(5)).toMatchObject({ status: "contested", accepted_values: [] });
  });

  it("a newer observation beats older own testimony, newer hearsay does not", () => {
    const observed = new Story();
    observed.say("A", 1);
    observed.say("B", 3, { by: observed.bob, mode: "observed" });
    expect(observed.slot(5).accepted_values).toEqual(["B"]);
    const heard = new Story();
    heard.say("A", 1);
    heard.say("B", 3, { by: heard.bob });
    expect(heard.slot(5).accepted_values).toEqual(["A"]);
    expect(heard.slot(5, STRUCTURAL).status).toBe("contested");
  });

  it("task-scoped beats general in its task and is unheard outside it", () => {
    const story = new Story();
    story.say("A", 4);
    story.say("B", 2, { by: story.bob, context: story.bob });
    expect(story.slot(5).accepted_values).toEqual(["A"]);
    expect(story.slot(5, `context_refs: [{id: "${story.bob["id"] as string}"}]`).accepted_values).toEqual(["B"]);
  });

  it("disagreement coexists where the predicate is not functional", () => {
    const story = new Story();
    const predicate = "speaks";
    story.say("Latin", 1, { predicate });
    story.say("Greek", 1, { predicate });
    story.say("Greek", 2, { predicate, stance: "reject", by: story.bob });
    expect(story.slot(5, "", predicate)).toMatchObject({ status: "contested", accepted_values: ["Latin"] });
  });

  it("functional_by the object's type lets values of other types stand", () => {
    const { space, alice } = new Story();
    const made = space.handles(
      'MUTATE { UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "tea"} } UPSERT CONCEPT ?c { MATCH {type: "Topic", key: "coffee"} } UPSERT CONCEPT ?p { MATCH {type: "Place", key: "rome"} } }',
    );
    for (const [name, at] of [
      ["t", 1],
      ["p", 2],
      ["c", 3],
    ] as const) {
      space.run('ASSERT (:alice, "prefers", :o) {by: :alice, mode: "stated", at: :at}', {
        alice,
        o: ref(made[name]!),
        at: day(at),
      });
    }
    const [slot] = space.find('FIND(?s) WHERE { ?s BELIEF SLOT (:alice, "prefers") }', { alice }) as unknown as Slot[];
    expect(slot!.accepted_values).toEqual([{ id: made["p"] }, { id: made["c"] }]);
  });

  it("repeats of one source do not amplify, and corrected evidence supports nothing", () => {
    const story = new Story();
    const { e } = story.space.handles('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "m"} }');
    story.say("A", 1, { evidence: ref(e!) });
    story.say("A", 1, { by: story.bob, evidence: ref(e!) });
    const find = 'FIND(?b.support.score, ?b.status) WHERE { ?b BELIEF (:alice, "timezone", "A") }';
    expect(story.space.find(find, { alice: story.alice })).toEqual([[1, "accepted"]]);
    story.space.run(
      'MUTATE { CREATE EVIDENCE ?n { SET FIELDS {evidence_class: "message", payload: "n"} } TRANSITION :e TO "corrected" BY ?n }',
      { e: ref(e!) },
    );
    expect(story.space.find(find, { alice: story.alice })).toEqual([[0, "insufficient"]]);
  });

  it("a dependency that needs review caps the result at uncertain", () => {
    const story = new Story();
    const premise = story.say("B", 1, { predicate: "speaks" });
    const conclusion = story.say("A", 2, { mode: "inferred" });
    story.space.run(
      'CREATE ACTIVITY ?x { SET FIELDS {activity_class: "inference", status: "completed", inputs: [:p], outputs: [:c]} }',
      { p: ref(premise), c: ref(conclusion) },
    );
    expect(story.status("A", 5)).toBe("accepted");
    story.space.run('TRANSITION :p TO "retracted"', { p: ref(premise) });
    expect(story.status("A", 5)).toBe("uncertain");
    expect(story.space.run("LIST DEPENDENTS :p", { p: ref(premise) })).toMatchObject([
      { id: conclusion, via: "activity" },
    ]);
  });

  it("evidence that an Activity derived goes back to its inputs", () => {
    const story = new Story();
    const made = story.space.handles(`MUTATE {
      CREATE EVIDENCE ?root { SET FIELDS {evidence_class: "message", payload: "m"} }
      CREATE ACTIVITY ?act { SET FIELDS {activity_class: "summary", status: "completed"} SET STRUCTURAL { ("inputs", ?root) ("outputs", ?one) ("outputs", ?two) } }
      CREATE EVIDENCE ?one { SET FIELDS {evidence_class: "derived_result", payload: "1", generated_by: ?act} }
      CREATE EVIDENCE ?two { SET FIELDS {evidence_class: "derived_result", payload: "2", generated_by: ?act} } }`);
    story.say("A", 1, { evidence: ref(made["one"]!) });
    story.say("A", 1, { by: story.bob, evidence: ref(made["two"]!) });
    expect(
      story.space.find('FIND(?b.support.root_groups) WHERE { ?b BELIEF (:alice, "timezone", "A") }', {
        alice: story.alice,
      }),
    ).toEqual([[[made["root"]]]]);
  });

  it("the basis names snapshot, policy, time and when the answer may change", () => {
    const story = new Story();
    story.say("A", 1, { from: 1 });
    story.say("B", 4, { from: 4, until: 8 });
    expect(story.slot(2, 'purpose: "answer_user", risk: "low"').basis).toMatchObject({
      snapshot_seq: story.space.seq,
      policy: { id: "kip:memory-default" },
      valid_at: day(2),
      next_invalid_at: day(4),
      purpose: "answer_user",
      risk: "low",
    });
  });

  it("explanation ledger lists every claim with its part, historical ones when asked", () => {
    const story = new Story();
    const first = story.say("A", 1, { from: 1 });
    const second = story.say("A", 2, { from: 2 });
    story.space.run('TRANSITION :a TO "retracted"', { a: ref(second) });
    const ledger = (more: string): Json =>
      story.space.find(
        `FIND(?b.explanation) WHERE { ?b BELIEF (:alice, "timezone", "A") } WITH EPISTEMIC {explanation: "ledger"${more}}`,
        { alice: story.alice },
      )[0]!;
    expect(ledger("")).toEqual([{ assertion_id: first, stance: "support", time: "inside" }]);
    expect(ledger(", include_historical: true")).toMatchObject([
      { assertion_id: first },
      { assertion_id: second, excluded: "retracted" },
    ]);
  });
});
