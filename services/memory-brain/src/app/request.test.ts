/** Requests as a whole: modes, idempotency, ingest, receipts, trials. */
import { describe, expect, it } from "vitest";
import type { JsonObject, KipReceipt } from "@mainspring/kip";
import { TestSpace } from "../testing/space.ts";

const topic = (key: string): { command: string } => ({
  command: `UPSERT CONCEPT ?x { MATCH {type: "Topic", key: "${key}"} SET FIELDS {name: "${key}"} }`,
});
const BAD = { command: 'UPDATE "C-999" SET ATTRIBUTES {a: 1}' };

describe("execution modes", () => {
  it("sequence commits in order and stops at the first error; earlier commits stay", () => {
    const space = new TestSpace();
    const response = space.request({
      kip: "2.0",
      execution: { mode: "sequence" },
      operations: [topic("a"), BAD, topic("b")],
    });
    expect([response.status, response.results.map((result) => result.status)]).toEqual([
      "partial",
      ["succeeded", "failed", "skipped"],
    ]);
    expect(space.seq).toBe(1);
    const on = space.request({
      kip: "2.0",
      execution: { mode: "sequence", on_error: "continue" },
      operations: [BAD, topic("c")],
    });
    expect(on.results.map((result) => result.status)).toEqual(["failed", "succeeded"]);
  });

  it("independent operations do not stop each other", () => {
    const space = new TestSpace();
    const response = space.request({
      kip: "2.0",
      execution: { mode: "independent" },
      operations: [BAD, topic("a"), { ...topic("b"), op_id: "mine" }],
    });
    expect(response.results.map((result) => [result.op_id, result.status])).toEqual([
      ["op-1", "failed"],
      ["op-2", "succeeded"],
      ["mine", "succeeded"],
    ]);
    expect(space.seq).toBe(2);
  });

  it("operation parameters override the request's key by key", () => {
    const space = new TestSpace();
    const command = "UPSERT CONCEPT ?x { MATCH {type: :type, key: :key} }";
    space.request({
      kip: "2.0",
      parameters: { type: "Topic", key: "shared" },
      operations: [{ command, parameters: { key: "own" } }],
    });
    expect(space.find('FIND(?x.key) WHERE { ?x {type: "Topic"} }')).toEqual(["own"]);
  });

  it("a dry run says what would happen and leaves nothing", () => {
    const space = new TestSpace();
    const response = space.request({ kip: "2.0", options: { dry_run: true }, operations: [topic("a")] });
    expect(response.results[0]).toMatchObject({ status: "succeeded", result: { changes: [{ op: "create" }] } });
    expect([
      response.results[0]!.receipt,
      space.seq,
      space.find('FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} }'),
    ]).toEqual([undefined, 0, [0]]);
    expect(space.run("PREVIEW KML :command", topic("a"))).toMatchObject({ changes: [{ op: "create" }] });
    expect(space.seq).toBe(0);
    space.request({ kip: "2.0", operations: [topic("a")] });
    expect(space.find('FIND(?x.id) WHERE { ?x {type: "Topic"} }')).toEqual(["C-1"]);
  });
});

describe("idempotency", () => {
  it("the same request under the same key gets the original outcome and changes nothing", () => {
    const space = new TestSpace();
    const request = {
      kip: "2.0",
      execution: { idempotency_key: "k" },
      operations: [{ command: 'CREATE CONCEPT ?x { TYPE "Topic" NAME "n" }' }],
    };
    const first = space.request(request);
    space.now += 3_600_000;
    const again = space.request(request);
    expect(again.results).toEqual(first.results);
    expect([space.seq, space.find('FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} }')]).toEqual([1, [1]]);
    expect(space.run('DESCRIBE TRANSACTION BY IDEMPOTENCY KEY "k"')).toMatchObject({
      status: "committed",
      receipt: { tx_id: "tx-1" },
    });
  });

  it("no_effect is remembered, a failed attempt is not", () => {
    const space = new TestSpace();
    space.request({ kip: "2.0", operations: [topic("a")] });
    const keyed = (key: string, operation: JsonObject): string =>
      space.request({ kip: "2.0", execution: { idempotency_key: key }, operations: [operation] }).results[0]!.status;
    expect(keyed("n", topic("a"))).toBe("no_effect");
    space.run('TRANSITION "C-1" TO "archived"');
    space.run('UPDATE "C-1" SET FIELDS {name: "b"}');
    expect(keyed("n", topic("a"))).toBe("no_effect");
    expect([keyed("f", BAD), keyed("f", topic("b"))]).toEqual(["failed", "succeeded"]);
  });

  it("keys belong to their caller, and an outcome that is no longer kept is said to be expired", () => {
    const space = new TestSpace();
    const request = { kip: "2.0", execution: { idempotency_key: "k" }, operations: [topic("a")] };
    space.request(request);
    expect(space.request({ ...request, operations: [topic("b")] }, { caller: "another" }).status).toBe("succeeded");
    space.now += 49 * 3_600_000;
    expect(space.request(request).results[0]!.error).toMatchObject({
      code: "TransactionUnknown",
      details: { expired: true },
      retry: { class: "outcome_lookup_required" },
    });
  });
});

describe("ingest", () => {
  const entry = {
    key: "msg",
    evidence_class: "user_statement",
    payload: "I like tea",
    observed_at: "2026-01-01T00:00:00.000Z",
    client_key: "m:1",
    source_actor: { type: "Person", key: "ann" },
  };
  const claim = {
    command: 'ASSERT (:ann, "speaks", "Latin") {by: :ann, mode: "stated", evidence: :msg}',
    parameters: { ann: { id: "C-1" } },
  };

  it("mints evidence in the write's own transaction and binds its key", () => {
    const space = new TestSpace();
    space.person("ann");
    const response = space.request({ kip: "2.0", operations: [claim], ingest: { evidence: [entry] } });
    expect(response.results[0]!.error).toBeUndefined();
    expect(space.seq).toBe(2);
    expect(
      space.find("FIND(?e.payload.inline, ?e.source.id, ?e._system.created_tx) WHERE { ?a ASSERTION {evidence: ?e} }"),
    ).toEqual([["I like tea", "C-1", "tx-2"]]);
  });

  it("a failed write leaves no evidence; several writes share one by client key", () => {
    const space = new TestSpace();
    space.person("ann");
    const bad = {
      command: 'ASSERT (:ann, "speaks", 3) {by: :ann, mode: "stated", evidence: :msg}',
      parameters: { ann: { id: "C-1" } },
    };
    expect(space.request({ kip: "2.0", operations: [bad], ingest: { evidence: [entry] } }).status).toBe("failed");
    expect(space.find("FIND(COUNT(?e)) WHERE { ?e EVIDENCE {} }")).toEqual([0]);
    const second = { ...claim, command: claim.command.replace("Latin", "Greek") };
    const both = {
      kip: "2.0",
      execution: { mode: "sequence" },
      operations: [claim, second],
      ingest: { evidence: [entry] },
    };
    expect(space.request(both).status).toBe("succeeded");
    expect(space.find("FIND(COUNT(?e)) WHERE { ?e EVIDENCE {} }")).toEqual([1]);
    const { client_key: _none, ...unkeyed } = entry;
    expect(space.request({ ...both, ingest: { evidence: [unkeyed] } }).error?.code).toBe("InvalidRequestEnvelope");
    expect(
      space.request({ kip: "2.0", operations: [{ ...claim, parameters: { msg: 1 } }], ingest: { evidence: [entry] } })
        .error?.code,
    ).toBe("InvalidRequestEnvelope");
  });
});

describe("receipts", () => {
  it("say what was committed, one number for each commit, and are found again", () => {
    const space = new TestSpace();
    const receipts = ["a", "b"].map(
      (key) => space.request({ kip: "2.0", operations: [topic(key)] }).results[0]!.receipt as KipReceipt,
    );
    expect(receipts.map(({ space_seq: seq, snapshot_seq: before, tx_id: id }) => [seq, before, id])).toEqual([
      [1, 0, "tx-1"],
      [2, 1, "tx-2"],
    ]);
    expect(new Set(receipts.flatMap((receipt) => [receipt.request_digest, receipt.receipt_digest])).size).toBe(4);
    expect(space.run('DESCRIBE TRANSACTION "tx-2"')).toMatchObject({ receipt: receipts[1] as unknown as JsonObject });
    expect(space.run("DESCRIBE SNAPSHOT AT TIME :t", { t: "2026-06-01T00:00:00.000Z" })).toMatchObject({
      space_seq: 2,
    });
    expect(space.run("DESCRIBE SNAPSHOT AT TIME :t", { t: "2020-06-01T00:00:00.000Z" })).toMatchObject({
      space_seq: 0,
    });
  });

  it("a snapshot token pins later reads", () => {
    const space = new TestSpace();
    space.request({ kip: "2.0", operations: [topic("a")] });
    const token = space.request("DESCRIBE PRIMER").snapshot!["snapshot_token"] as string;
    space.request({ kip: "2.0", operations: [topic("b")] });
    const count = 'FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} }';
    expect(
      space.request({ kip: "2.0", read: { snapshot_token: token }, operations: [{ command: count }] }).results[0]!
        .result,
    ).toEqual([1]);
    expect(space.find(count)).toEqual([2]);
  });
});

describe("META", () => {
  it.each([
    ["DESCRIBE PRIMER", { space: { id: "test" } }],
    ['DESCRIBE PRIMER MODE "full"', { profile: "KIP-CognitiveMemory" }],
    [
      "DESCRIBE CAPABILITIES",
      {
        capabilities: {
          draft_vocabulary: { supported: true, available: true },
          atomic_batch: { supported: true },
          semantic_search: { supported: false },
        },
      },
    ],
    ['DESCRIBE TYPE "Person"', { kind: "ConceptType", lineage: "kip://profiles/cognitive-memory/Person" }],
    ['DESCRIBE PREDICATE "timezone"', { functional: true }],
    ['DESCRIBE FACET "MnemonicState"', { kind: "FacetDefinition" }],
    ['DESCRIBE STRUCTURAL FIELD "has_step"', { ordered: true }],
    ['DESCRIBE ERROR "VersionConflict"', { retry: { class: "requires_refresh" } }],
    ["DESCRIBE EPISTEMIC POLICY", { id: "kip:memory-default", default: true }],
    ["DESCRIBE SCHEMA ENVIRONMENT", { draft_symbols: [] }],
    ['DESCRIBE PACKAGE "kip://profiles/cognitive-memory"', { package_ref: "kip://mainspring/cognitive-memory@2.0.0" }],
    ["DESCRIBE PROTOCOL", { version: "2.0" }],
    ["DESCRIBE SPACE", { id: "test" }],
    ["LIST EPISTEMIC POLICIES", [{ ref: "kip:structural" }, { ref: "kip:memory-default" }]],
  ] as const)("%s", (command, expected) => expect(new TestSpace().run(command)).toMatchObject(expected));

  it("VALIDATE says what is wrong with a command and where", () => {
    const space = new TestSpace();
    const invalid = (topic: string, command: string): unknown => space.run(`VALIDATE ${topic} :command`, { command });
    expect(invalid("KQL", "FIND(?x) WHERE { ?x ASSERTON {} }")).toMatchObject({
      valid: false,
      errors: [{ code: "InvalidSyntax", details: { line: 1, column: 21, nearest: "ASSERTION" } }],
    });
    expect(invalid("KQL", 'FIND(?x) WHERE { ?x {type: "Persn"} }')).toMatchObject({
      valid: false,
      errors: [{ code: "SchemaSymbolNotFound", details: { nearest: "Person" } }],
    });
    expect(invalid("KML", "DESCRIBE PRIMER")).toMatchObject({ valid: false, errors: [{ code: "LanguageMismatch" }] });
    expect(invalid("KML", 'PURGE :x CONFIRM "PURGE"')).toMatchObject({ valid: true, language: "KML" });
  });

  it("LIST pages through everything once", () => {
    const space = new TestSpace();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = space.result(`LIST TYPES LIMIT 4${cursor === undefined ? "" : ` CURSOR "${cursor}"`}`);
      names.push(...(page.result as { local_name: string }[]).map((row) => row.local_name));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect([names.length, new Set(names).size]).toEqual([15, 15]);
  });

  it("effective strength is computed at the instant of reading", () => {
    const space = new TestSpace();
    const policy = {
      artifact_ref: "kip:strength-half-life-30d",
      content_digest: "sha256:a50a89b83f937c97cabf0f8371cccfd326f4fdd438b6d7b9ead507d77927b227",
    };
    space.person("ann");
    space.run(
      'UPDATE "C-1" SET FACET "MnemonicState" {memory_strength: 0.8, last_metabolized_at: :at, strength_policy: :policy}',
      { at: new Date(space.now).toISOString(), policy },
    );
    space.now += 2_592_000_000;
    expect(space.find('FIND(?x.facets["MnemonicState"].effective_strength) WHERE { ?x {key: "ann"} }')).toEqual([0.4]);
  });
});
