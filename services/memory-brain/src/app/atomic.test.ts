/** Atomic batches: one transaction, or none. */
import { describe, expect, it } from "vitest";
import type { JsonObject, KipResponse } from "@mainspring/kip";
import { TestSpace } from "../testing/space.ts";

const upsert = (key: string, name = key): JsonObject => ({
  command: 'UPSERT CONCEPT ?x { MATCH {type: "Topic", key: :key} SET FIELDS {name: :name} }',
  parameters: { key, name },
});
const NAMES: JsonObject = { command: 'FIND(?x.name) WHERE { ?x {type: "Topic"} } ORDER BY ?x.name' };
const FAILS: JsonObject = { command: 'UPDATE "C-99" SET ATTRIBUTES {a: 1}' };

const batch = (space: TestSpace, operations: readonly JsonObject[], more: JsonObject = {}): KipResponse => {
  const { execution, ...rest } = more;
  return space.request({
    kip: "2.0",
    operations,
    execution: { mode: "atomic", ...(execution as JsonObject) },
    ...rest,
  });
};
const statuses = (response: KipResponse): string[] => response.results.map(({ status }) => status);

describe("an atomic batch", () => {
  it("is one commit with one receipt; each operation has its own handles and changes, and sees those before it", () => {
    const space = new TestSpace();
    const response = batch(space, [upsert("a"), upsert("b"), NAMES, upsert("a", "A"), upsert("b"), NAMES]);
    expect(statuses(response)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded", "no_effect", "succeeded"]);
    expect(response.results[2]!.result).toEqual(["a", "b"]);
    expect(response.results[5]!.result).toEqual(["A", "b"]);
    expect(space.seq).toBe(1);
    expect(response.receipt).toMatchObject({ space_seq: 1, status: "committed" });
    expect(response.results[0]!.receipt).toEqual(response.receipt);
    expect(response.results[4]!.receipt).toBeUndefined();
    expect(response.results.map(({ result }) => (result as { handles?: object }).handles)).toEqual([
      { x: "C-1" },
      { x: "C-2" },
      undefined,
      { x: "C-1" },
      { x: "C-2" },
      undefined,
    ]);
    expect(space.run("CHANGES AFTER SEQ 0")).toMatchObject({ transactions: [{ space_seq: 1 }] });
  });

  it("of which one fails leaves nothing: those before it are rolled back, those after it skipped", () => {
    const space = new TestSpace();
    const response = batch(space, [upsert("a"), NAMES, FAILS, upsert("b")]);
    expect(statuses(response)).toEqual(["rolled_back", "rolled_back", "failed", "skipped"]);
    expect(response).toMatchObject({
      status: "failed",
      results: [{}, {}, { error: { code: "NotFoundOrNotVisible" } }, {}],
    });
    expect(response.results[0]).not.toHaveProperty("result");
    expect({ seq: space.seq, names: space.find(NAMES["command"] as string) }).toEqual({ seq: 0, names: [] });
    expect(space.handles('UPSERT CONCEPT ?x { MATCH {type: "Topic", key: "c"} }')).toEqual({ x: "C-1" });
  });

  it.each([
    ["a command that is none", { command: "FROBNICATE" }, "InvalidSyntax"],
    [
      "DEFINE",
      { command: 'DEFINE PREDICATE "p" {description: "d", subject: "Person", object: "Topic"}' },
      "InvalidRequestEnvelope",
    ],
    [
      "PREVIEW",
      { command: "PREVIEW KML :k", parameters: { k: 'CREATE CONCEPT ?x { TYPE "Topic" }' } },
      "InvalidRequestEnvelope",
    ],
  ])("with %s fails there", (_, operation, code) => {
    const space = new TestSpace();
    const response = batch(space, [upsert("a"), operation as JsonObject]);
    expect(statuses(response)).toEqual(["rolled_back", "failed"]);
    expect(response.results[1]!.error?.code).toBe(code);
    expect(space.seq).toBe(0);
  });

  it("with the same idempotency key answers as the first time, and refuses another batch", () => {
    const space = new TestSpace();
    const keyed = { execution: { idempotency_key: "k" } };
    const first = batch(space, [upsert("a"), NAMES], keyed);
    const again = batch(space, [upsert("a"), NAMES], keyed);
    expect(again.results).toEqual(first.results);
    expect(again.receipt).toEqual(first.receipt);
    expect(space.seq).toBe(1);
    expect(batch(space, [upsert("b")], keyed).error?.code).toBe("IdempotencyConflict");
    const own = batch(space, [{ ...upsert("c"), idempotency_key: "own" }, NAMES]);
    expect(own.error?.code).toBe("InvalidRequestEnvelope");
    // What failed binds no key.
    const failed = { execution: { idempotency_key: "f" } };
    batch(space, [upsert("d"), FAILS], failed);
    expect(batch(space, [upsert("d")], failed).status).toBe("succeeded");
  });

  it("that changes nothing takes no number, a dry run keeps nothing, ingested evidence is shared", () => {
    const space = new TestSpace();
    batch(space, [upsert("a"), upsert("b")]);
    expect(statuses(batch(space, [upsert("a"), upsert("b")]))).toEqual(["no_effect", "no_effect"]);
    expect(space.seq).toBe(1);
    const dry = batch(space, [upsert("c"), NAMES], { options: { dry_run: true } });
    expect(dry.results[1]!.result).toEqual(["a", "b", "c"]);
    expect(space.seq).toBe(1);
    const ann = space.person("ann");
    const claim = (value: string): JsonObject => ({
      command: 'ASSERT ?a (:ann, "speaks", :value) {by: :ann, mode: "stated", evidence: :m}',
      parameters: { ann, value },
    });
    const evidence = [{ key: "m", evidence_class: "message", payload: "I speak both." }];
    expect(statuses(batch(space, [claim("Basque"), claim("Breton")], { ingest: { evidence } }))).toEqual([
      "succeeded",
      "succeeded",
    ]);
    expect(space.find("FIND(COUNT(DISTINCT ?e)) WHERE { ?a ASSERTION {evidence: ?e} }")).toEqual([1]);
  });

  it("of reads alone stops at the first failure", () => {
    const space = new TestSpace();
    expect(statuses(batch(space, [NAMES, { command: "FROBNICATE" }, NAMES]))).toEqual([
      "succeeded",
      "failed",
      "skipped",
    ]);
  });
});
