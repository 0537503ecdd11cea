import { describe, expect, it } from "vitest";
import type { Claim, Json, JsonObject } from "@mainspring/kip";
import { day, question, Random, randomClaims, slotOf, slowSlot } from "@mainspring/kip/testing";
import { ref, TestSpace } from "../testing/space.ts";

const SEED = Number(process.env["KIP_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = 150;

/** Everything a history needs besides its own subject. */
class World {
  readonly space = new TestSpace();
  readonly bob = this.space.person("bob");
  readonly context = ref(this.space.handles('UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "task"} }')["t"]!);

  #evidence(corrected: boolean): JsonObject {
    const { e } = this.space.handles('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "m"} }');
    if (corrected) {
      this.space.run(
        'MUTATE { CREATE EVIDENCE ?n { SET FIELDS {evidence_class: "message", payload: "n"} } TRANSITION :e TO "corrected" BY ?n }',
        { e: ref(e!) },
      );
    }
    return ref(e!);
  }

  /** Records a claim as it is described; its place in the history is given by what it says, not by when it is written. */
  record(subject: JsonObject, predicate: string, claim: Claim): void {
    const valid: Record<string, Json> = {};
    if (claim.from !== undefined) valid["from"] = claim.from as Json;
    if (claim.until !== undefined) valid["until"] = claim.until as Json;
    const parameters = {
      subject,
      predicate,
      value: claim.proposition,
      by: claim.actor === "alice" ? subject : this.bob,
      mode: claim.mode,
      stance: claim.stance,
      confidence: claim.confidence ?? null,
      at: claim.assertedAt,
      valid,
      context: claim.contexts.length > 0 ? [this.context] : [],
      evidence: claim.evidenceCorrected ? [this.#evidence(true)] : [],
    };
    const { a } = this.space.handles(
      "ASSERT ?a (:subject, :predicate, :value) {by: :by, mode: :mode, stance: :stance, confidence: :confidence, at: :at, valid: :valid, context: :context, evidence: :evidence}",
      parameters,
    );
    if (claim.dependency === "needs_review") {
      const e = this.#evidence(true);
      this.space.run(
        'CREATE ACTIVITY ?x { SET FIELDS {activity_class: "inference", status: "completed", inputs: [:e], outputs: [:a]} }',
        { e, a: ref(a!) },
      );
    }
    if (claim.lifecycle !== "active") this.space.run('TRANSITION :a TO "retracted"', { a: ref(a!) });
    if (!claim.visible) this.space.run('TRANSITION :a TO "archived"', { a: ref(a!) });
  }
}

interface SlotAnswer {
  readonly status: string;
  readonly candidate_projections: {
    readonly value: string;
    readonly status: string;
    readonly precedence?: { readonly rule: string };
  }[];
}

describe(`random histories end to end, KIP_SEED=${SEED}`, () => {
  it("what BELIEF SLOT answers is what the slow implementation answers", { timeout: 120_000 }, () => {
    const random = new Random(SEED);
    const world = new World();
    for (let round = 0; round < ROUNDS; round++) {
      // What KIP cannot say, a history does not say: a valid time that ends before it begins, a misrecording.
      const claims = randomClaims(random, (index) => `A-${index}`)
        .map((claim) => ({ ...claim, misrecorded: false }))
        .filter(
          (claim) => !(typeof claim.from === "string" && typeof claim.until === "string" && claim.until <= claim.from),
        );
      const functional = random.chance(0.8);
      const predicate = functional ? "timezone" : "speaks";
      const subject = world.space.person(`subject-${round}`);
      for (const claim of random.shuffled(claims)) world.record(subject, predicate, claim);
      for (let asked = 0; asked < 6; asked++) {
        const scoped = random.chance(0.3);
        const hypothetical = random.chance(0.2);
        const policy = random.pick(["kip:structural", "kip:memory-default"] as const);
        const at = day(1 + random.below(9));
        const slow = slowSlot(
          slotOf(claims, functional),
          question(at, { policy, contexts: scoped ? ["C-9"] : [], includeHypothetical: hypothetical }),
        );
        const command =
          "FIND(?s) WHERE { ?s BELIEF SLOT (:subject, :predicate) } FOR TIME :at WITH EPISTEMIC {policy: :policy, context_refs: :contexts, include_hypothetical: :hypothetical}";
        const parameters = { subject, predicate, at, policy, contexts: scoped ? [world.context] : [], hypothetical };
        const [found] = world.space.find(command, parameters) as unknown as SlotAnswer[];
        const candidates = found!.candidate_projections;
        const statuses = Object.fromEntries(candidates.map((one) => [one.value, one.status]));
        const rules = Object.fromEntries(
          candidates.flatMap((one) => (one.precedence === undefined ? [] : [[one.value, one.precedence.rule]])),
        );
        expect(
          { slot: found!.status, statuses, rules },
          `seed ${SEED}, round ${round}: ${JSON.stringify({ claims, parameters })}`,
        ).toEqual(slow);
      }
    }
  });
});
