import type { Json, JsonObject, KipResponse } from "@mainspring/kip";
import { expect, test } from "vitest";

import { explainBeliefs, slotQueries } from "./beliefs.ts";
import { SLOTS_MAX } from "./elements.ts";
import type { Operation } from "./elements.ts";

const ELEMENTS: Readonly<Record<string, JsonObject>> = {
  "C-1": { id: "C-1", name: "Ana", key: "ana" },
  "C-2": { id: "C-2", key: "bo" },
  "C-4": { id: "C-4", name: "Lisbon" },
  "C-5": { id: "C-5", name: "Po\u001b[31mrto" },
  "P-1": { id: "P-1", subject: { id: "C-1" }, predicate_ref: "kip://general@1.0.0/lives_in", object: { id: "C-4" } },
  "P-2": { id: "P-2", subject: { id: "C-1" }, predicate_ref: "kip://general@1.0.0/lives_in", object: { id: "C-5" } },
  "A-1": {
    id: "A-1",
    asserted_by: { id: "C-2" },
    mode: "stated",
    asserted_at: "2026-01-02T03:04:05Z",
    confidence: 0.8,
  },
  "A-7": {
    id: "A-7",
    asserted_by: { id: "C-2" },
    stance: "support",
    mode: "stated",
    asserted_at: "2026-01-02T03:04:05Z",
    evidence: [
      { id: "E-4", role: "support" },
      { id: "E-5", role: "challenge" },
    ],
    lifecycle: { status: "superseded", superseded_by: { id: "A-8" } },
    _system: { updated_at: "2026-03-02T03:04:05Z", updated_tx: "tx-9" },
  },
  "A-2": { id: "A-2", asserted_by: { id: "C-1" }, mode: "observed", asserted_at: "2026-02-02T03:04:05Z" },
};

const CLAIMS_OF: Readonly<Record<string, JsonObject>> = { "P-1": ELEMENTS["A-7"]! };

function space() {
  const asked: Operation[][] = [];
  const ask = async (operations: readonly Operation[]): Promise<KipResponse> => {
    asked.push([...operations]);
    const results = operations.map(({ command, parameters }, index) => {
      const id = parameters!["id"] as string;
      const element = command.includes("ASSERTION {proposition") ? CLAIMS_OF[id] : ELEMENTS[id];
      return { op_id: String(index), status: "succeeded", result: element === undefined ? [] : [element] };
    });
    return { kip: "2.0", status: "succeeded", results } as KipResponse;
  };
  return { ask, asked };
}

const side = (...ids: string[]): JsonObject => ({ score: ids.length, assertion_ids: ids });

function candidate(proposition: string, value: Json, status: string, more: JsonObject = {}): JsonObject {
  const reasons = status === "contested" ? ["slot_conflict"] : [];
  const sides = { support: side(proposition === "P-1" ? "A-1" : "A-2"), opposition: side() };
  return { proposition: { id: proposition }, value, status, uncertainty: { reasons }, ...sides, ...more };
}

const LISBON = { id: "C-4" };
const PORTO = { id: "C-5" };

test("a contested slot: its values, who claims each and when, and why none holds", async () => {
  const candidate_projections = [candidate("P-1", LISBON, "contested"), candidate("P-2", PORTO, "contested")];
  const slot = { status: "contested", accepted_values: [], candidate_projections };
  expect(await explainBeliefs([[slot]], space().ask)).toBe(
    [
      "Ana (C-1) lives_in: contested, no value holds: only one value can hold, and no rule prefers one of them",
      "  Lisbon (C-4): contested",
      "    stated by bo (C-2) at 2026-01-02T03:04:05Z, confidence 0.8 [A-1]",
      "  Porto (C-5): contested",
      "    observed by Ana (C-1) at 2026-02-02T03:04:05Z [A-2]",
      "",
    ].join("\n"),
  );
});

test("where one value takes precedence: which, by which rule, and what the others are", async () => {
  const outranked = { uncertainty: { reasons: ["outranked"] }, precedence: { rule: "recency" } };
  const candidate_projections = [candidate("P-1", LISBON, "uncertain", outranked), candidate("P-2", PORTO, "accepted")];
  const text = await explainBeliefs([[["x", { status: "accepted", candidate_projections }]]], space().ask);
  expect(text).toContain("lives_in: accepted, it is Porto (C-5): what is newer comes before what is older\n");
  expect(text).toContain("  Lisbon (C-4): uncertain (another value takes precedence)\n");
});

test("a single belief with what denies it, and a literal", async () => {
  const denied = { opposition: side("A-2"), uncertainty: { reasons: ["direct_conflict"] } };
  const text = await explainBeliefs([[candidate("P-1", "tea", "contested", denied)]], space().ask);
  expect(text).toContain("contested, no value holds: some claim it and some deny it\n");
  expect(text).toContain('  "tea": contested (some claim it and some deny it)\n');
  expect(text).toContain("    denied: observed by Ana (C-1)");
});

test("asks for each element once, in two rounds, and of nothing where there are no beliefs", async () => {
  const { ask, asked } = space();
  const one = candidate("P-1", LISBON, "accepted");
  await explainBeliefs([[one], [one]], ask);
  const ids = asked.map((round) => round.map(({ parameters }) => parameters!["id"] as string));
  expect(ids.map((round) => round.toSorted())).toEqual([
    ["A-1", "C-4", "P-1"],
    ["C-1", "C-2"],
  ]);
  expect(await explainBeliefs([[{ id: "C-1" }, "x", null]], ask)).toBe("");
  expect(asked).toHaveLength(2);
});

test("many beliefs and many claims are bounded, and what cannot be seen is shown by its id", async () => {
  const claims = Array.from({ length: 8 }, (_, index) => `A-${index + 50}`);
  const one = candidate("P-9", { id: "C-9" }, "accepted", { support: side(...claims) });
  const text = await explainBeliefs([Array.from({ length: SLOTS_MAX + 2 }, () => one)], space().ask);
  expect(text).toContain("and 2 more of such\n");
  expect(text).toContain("    A-54\n    and 3 more\n");
  expect(text).toContain("  C-9: accepted\n");
});

test("the slots of propositions are asked for once each", async () => {
  const queries = await slotQueries(["P-1", "P-2", "P-7"], space().ask);
  expect(queries).toEqual([
    {
      command: 'FIND(?slot) WHERE { ?slot BELIEF SLOT ({id: :subject}, "kip://general@1.0.0/lives_in") }',
      parameters: { subject: "C-1" },
    },
  ]);
});

test("a value that nobody claims any more shows who did, and what became of the claim", async () => {
  const none = { support: side(), uncertainty: { reasons: ["no_basis"] } };
  const text = await explainBeliefs([[candidate("P-1", LISBON, "insufficient", none)]], space().ask);
  expect(text).toContain(
    "    stated by bo (C-2) at 2026-01-02T03:04:05Z [A-7, on E-4, E-5]: replaced by A-8 at 2026-03-02T03:04:05Z (tx-9)\n",
  );
});
