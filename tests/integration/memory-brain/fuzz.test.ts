import { describe, expect, it } from "vitest";
import { KipError, type JsonObject } from "@mainspring/kip";
import { Corpus, Random } from "@mainspring/kip/testing";
import { OWNER, ref, TestSpace } from "../../../services/memory-brain/src/testing/space.ts";

const SEED = Number(process.env["KIP_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const STATEMENTS = 4000;

/** Commands as they may come: every form of the language over a Space that has a little of everything. */
describe(`random commands against a Space, KIP_SEED=${SEED}`, () => {
  it(
    "are carried out or refused by name, never with an internal error, and refused writes change nothing",
    { timeout: 120_000 },
    () => {
      const random = new Random(SEED);
      const corpus = new Corpus(random);
      const space = new TestSpace({ bindings: 20_000, projectionTargets: 1000 });
      const [ann, bob] = [space.person("ann"), space.person("bob")];
      space.run(
        'DEFINE PREDICATE "likes" {description: "d", subject: {kinds: ["Concept"]}, object: {kinds: ["Concept"], literal_types: ["string", "number", "boolean"], nullable: true}}',
      );
      space.run(
        'MUTATE { CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "m"} } ASSERT (:ann, "likes", :bob) {by: :ann, mode: "stated", evidence: ?e} CREATE ACTIVITY ?x { SET FIELDS {activity_class: "a", inputs: [?e]} } }',
        { ann, bob },
      );
      const names = ["x", "person", "_p9", "Belief", "id", "limit", "true_", "where", "G", "n", "s", "t"];
      const values = (): JsonObject => {
        const value = (): JsonObject[string] =>
          random.pick<JsonObject[string]>([
            ann,
            bob,
            ref("E-1"),
            ref("A-1"),
            ref("P-1"),
            ref("X-1"),
            "C-1",
            "Person",
            "likes",
            "knows",
            "MnemonicState",
            0,
            3,
            -1.5,
            true,
            null,
            [],
            [ann],
            {},
            { a: [1] },
            "2026-01-01T00:00:00.000Z",
            "completed",
            "archived",
          ]);
        return Object.fromEntries(names.map((name) => [name, value()]));
      };
      const outcomes = new Map<string, number>();
      for (let index = 0; index < STATEMENTS; index++) {
        const command = corpus.statement();
        const before = space.seq;
        const response = (() => {
          try {
            return space.request(
              { kip: "2.0", operations: [{ command, parameters: values(), options: { deadline_ms: 2000 } }] },
              { authority: OWNER },
            );
          } catch (error) {
            throw new Error(`seed ${SEED}, statement ${index}: ${command}`, { cause: error });
          }
        })();
        const result = response.results[0];
        const code = response.error?.code ?? result?.error?.code ?? result!.status;
        outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
        if (code !== "succeeded") expect(space.seq, `seed ${SEED}, statement ${index}: ${command}`).toBe(before);
      }
      expect(outcomes.get("InternalError")).toBeUndefined();
      expect(outcomes.get("succeeded")).toBeGreaterThan(100);
      expect(outcomes.size).toBeGreaterThan(10);
      // What is left is whole: everything can be read, and history has no hole.
      expect(() => space.find("FIND(?x) WHERE { ?x {} }")).not.toThrow(KipError);
      const changes = space.run("CHANGES AFTER SEQ 0 LIMIT 1000") as { transactions: { space_seq: number }[] };
      expect(changes.transactions.map((row) => row.space_seq)).toEqual(
        changes.transactions.map((_, index) => index + 1),
      );
    },
  );
});
