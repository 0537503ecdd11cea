/** The belief projection against a slow second implementation of the same rules. */
import { describe, expect, it } from "vitest";
import { projectSlot } from "../../../packages/kip/src/belief/project.ts";
import { question, day, Random, randomClaims, slotOf, slowSlot } from "../../../packages/kip/src/testing/index.ts";

const SEED = Number(process.env["KIP_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

describe(`random histories, KIP_SEED=${SEED}`, () => {
  const random = new Random(SEED);

  it("agree with the slow implementation, in whatever order they were recorded", { timeout: 120_000 }, () => {
    const statuses = new Set<string>();
    const rules = new Set<string>();
    for (let round = 0; round < 10_000; round++) {
      const claims = randomClaims(random, (index) => `A-${index}`);
      const candidates = slotOf(claims, random.chance(0.8));
      const asked = question(day(1 + random.below(9)), {
        policy: random.pick(["kip:structural", "kip:memory-default"] as const),
        contexts: random.chance(0.3) ? ["C-9"] : [],
        includeHypothetical: random.chance(0.2),
      });
      const fast = projectSlot(candidates, asked);
      const slow = slowSlot(candidates, asked);
      const found = Object.fromEntries(fast.candidates.map((one) => [one.proposition, one.status]));
      const found_rules = Object.fromEntries(
        fast.candidates.flatMap((one) =>
          one.precedence === undefined ? [] : [[one.proposition, one.precedence.rule]],
        ),
      );
      const label = `seed ${SEED}, round ${round}: ${JSON.stringify({ candidates, asked })}`;
      expect({ slot: fast.status, statuses: found, rules: found_rules }, label).toEqual(slow);
      const shuffled = random.shuffled(candidates).map((one) => ({ ...one, claims: random.shuffled(one.claims) }));
      expect(projectSlot(shuffled, asked), label).toEqual(fast);
      for (const one of fast.candidates) statuses.add(one.status);
      for (const rule of Object.values(found_rules)) rules.add(rule);
    }
    expect([...statuses].sort()).toEqual(["accepted", "contested", "insufficient", "rejected", "uncertain"]);
    expect([...rules].sort()).toEqual(["own_testimony", "recency", "task_scope"]);
  });
});
