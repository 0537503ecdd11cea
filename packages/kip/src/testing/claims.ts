import type { BeliefQuestion, Candidate, Claim } from "../belief/claim.ts";
import type { Random } from "./random.ts";

let next = 0;

/** A claim of Alice's, stated and supporting, that nothing is wrong with. */
export function claim(proposition: string, assertedAt: string, more: Partial<Claim> = {}): Claim {
  return {
    id: `A-${++next}`,
    proposition,
    actor: "alice",
    stance: "support",
    mode: "stated",
    confidence: undefined,
    assertedAt,
    from: undefined,
    until: undefined,
    contexts: [],
    lifecycle: "active",
    visible: true,
    misrecorded: false,
    evidenceCorrected: false,
    roots: [],
    dependency: "current",
    ...more,
  };
}

/** Day n of a made-up month, as a timestamp. */
export const day = (n: number): string => `2026-01-${String(n).padStart(2, "0")}T00:00:00.000Z`;

export const question = (at: string, more: Partial<BeliefQuestion> = {}): BeliefQuestion => ({
  at,
  contexts: [],
  includeHypothetical: false,
  policy: "kip:memory-default",
  subject: "alice",
  ...more,
});

/** The claims as candidates of a slot, each value excluding the others where `functional`. */
export function slotOf(claims: readonly Claim[], functional = true): Candidate[] {
  const values = [...new Set(claims.map((one) => one.proposition))].sort();
  return values.map((proposition) => ({
    proposition,
    conflictGroup: functional ? "slot" : undefined,
    claims: claims.filter((one) => one.proposition === proposition),
  }));
}

/** A random history of one slot: a few actors, values, days and contexts, so that everything meets everything. */
export function randomClaims(random: Random, id: (index: number) => string): Claim[] {
  let index = 0;
  return random.many(1, 7, () => {
    const start = 1 + random.below(6);
    const bound = (from: number): Claim["from"] =>
      random.pick<Claim["from"]>([
        day(from),
        { latest: day(from) },
        { earliest: day(from), latest: day(from + 2) },
        { earliest: day(from) },
      ]);
    return claim(`P-${1 + random.below(3)}`, day(start), {
      id: id(++index),
      actor: random.pick(["alice", "alice", "bob"]),
      stance: random.pick(["support", "support", "support", "reject", "uncertain"] as const),
      mode: random.pick(["stated", "stated", "observed", "inferred", "predicted"] as const),
      confidence: random.pick([undefined, undefined, 0.9, 0.3]),
      from: random.chance(0.5) ? bound(start) : undefined,
      until: random.chance(0.2) ? bound(start + 2) : undefined,
      contexts: random.chance(0.2) ? ["C-9"] : [],
      lifecycle: random.pick(["active", "active", "active", "active", "retracted", "superseded"] as const),
      visible: !random.chance(0.05),
      misrecorded: random.chance(0.05),
      evidenceCorrected: random.chance(0.05),
      roots: random.many(0, 2, () => `E-${1 + random.below(3)}`),
      dependency: random.pick(["current", "current", "current", "needs_review"] as const),
    });
  });
}
