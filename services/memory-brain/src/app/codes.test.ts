/** Every error code that this engine can give, each produced by a request that deserves it. */
import { afterAll, describe, expect, it } from "vitest";
import { KIP_CODES, type JsonObject, type KipCode, type KipError } from "@mainspring/kip";
import { SchemaEnvironment } from "../domain/schema-environment.ts";
import { standardPackages } from "../schema/index.ts";
import { executeRequest } from "./execute.ts";
import { ref, TestSpace } from "../testing/space.ts";

/** Codes that no request to this engine deserves, by what would have to be there first. */
const ELSEWHERE: readonly KipCode[] = [
  // Every schema environment that ever was is kept.
  "HistoricalSchemaUnavailable",
  // Who calls, and with what right, is settled before a request comes here; one view of a Space is all of it.
  "Unauthenticated",
  "RequiresApproval",
  "RequiresStrongerAuthentication",
  "ActorBindingRequired",
  "ProjectionNotAuthorized",
  // One writer runs one request after the other.
  "SerializationConflict",
  // The words of what was committed are indexed before a search.
  "SearchIndexUnavailable",
  // Artifacts, signatures and capsules are not among the capabilities.
  "ArtifactTooLarge",
  "SignerUnknown",
  "BlobUnavailable",
  "CapsuleValidationFailed",
  "ImportPreviewConflict",
];
/** Given by the handle of a Space's threads: tests/integration/memory-brain/space-store.test.ts produces them. */
const BY_THREADS: readonly KipCode[] = ["OutcomeUnknown", "RateLimited"];

const seen = new Set<string>(BY_THREADS);
const hint = (code: string): string => {
  seen.add(code);
  return code;
};

/** A Space with Ann and Bob, a claim of Ann's with its evidence, and an Activity. */
function scene(): { readonly space: TestSpace; readonly p: Readonly<Record<string, JsonObject>> } {
  const space = new TestSpace();
  const [ann, bob] = [space.person("ann"), space.person("bob")];
  const made = space.handles(
    `MUTATE {
    CREATE EVIDENCE ?e { CLIENT KEY "e" SET FIELDS {evidence_class: "message", payload: "m"} }
    CREATE EVIDENCE ?f { SET FIELDS {evidence_class: "message", payload: "n"} }
    ASSERT ?a (:ann, "timezone", "+01:00") {by: :ann, mode: "stated", evidence: ?e}
    ASSERT ?b (:bob, "timezone", "+02:00") {by: :bob, mode: "stated"}
    CREATE ACTIVITY ?x { SET FIELDS {activity_class: "inference", status: "completed"} }
    CREATE ACTIVITY ?y { SET FIELDS {activity_class: "inference"} }
    CREATE CONCEPT ?s { TYPE "SkillRevision" SET ATTRIBUTES {task_family: "t", procedure: "p", behavior_digest: "d"} } }`,
    { ann, bob },
  );
  return { space, p: { ann, bob, ...Object.fromEntries(Object.entries(made).map(([name, id]) => [name, ref(id)])) } };
}

const CASES: readonly (readonly [KipCode, string])[] = [
  ["InvalidSyntax", "FIND(?x) WHERE { ?x }"],
  ["InvalidSyntax", "FIND(?y) WHERE { ?x {} }"],
  ["InvalidSyntax", "FIND(?x) WHERE { ?x {} FILTER(NEARLY(?x, 1)) }"],
  ["InvalidIdentifier", 'DEFINE PREDICATE "no good" {description: "d", subject: "Person", object: "Person"}'],
  ["DuplicateLocalHandle", 'MUTATE { CREATE CONCEPT ?n { TYPE "Topic" } CREATE CONCEPT ?n { TYPE "Topic" } }'],
  ["DuplicateMutationTarget", "MUTATE { UPDATE :ann SET ATTRIBUTES {a: 1} UPDATE :ann SET ATTRIBUTES {b: 1} }"],
  [
    "DuplicateMutationTarget",
    'MUTATE { UPSERT CONCEPT ?a { MATCH {type: "Topic", key: "t"} } UPSERT CONCEPT ?b { MATCH {type: "Topic", key: "t"} } }',
  ],
  ["SchemaSymbolNotFound", 'FIND(?x) WHERE { ?x {type: "Persn"} }'],
  ["SchemaSymbolNotFound", 'ENSURE PROPOSITION (:ann, "nows", :bob)'],
  ["SchemaSymbolConflict", 'DEFINE PREDICATE "knows" {description: "d", subject: "Person", object: "Person"}'],
  [
    "SchemaFieldNotFound",
    'CREATE CONCEPT ?x { TYPE "Skill" SET ATTRIBUTES {skill_class: "c", summary: "s", status: "proposed", colour: "red"} }',
  ],
  ["SchemaFieldNotFound", 'FIND(?x) WHERE { ?x EVIDENCE {evidence_clas: "message"} }'],
  ["SchemaPackageUnavailable", 'DESCRIBE PACKAGE "kip://nowhere"'],
  ["SchemaPackageUnavailable", 'FIND(?x) WHERE { ?x {type: "kip://profiles/cognitive-memory@9.0.0/Person"} }'],
  ["TypeMismatch", 'ENSURE PROPOSITION (:ann, "timezone", 3)'],
  ["TypeMismatch", 'ENSURE PROPOSITION (3, "timezone", "x")'],
  ["TypeMismatch", 'UPDATE :ann SET FACET "MnemonicState" {salience: "high"}'],
  ["TypeMismatch", 'ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated", at: 3}'],
  ["ConstraintViolation", 'ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated", at: "2026-01-01"}'],
  ["ConstraintViolation", 'ASSERT (:ann, "knows", :bob) {by: :ann, mode: "guessed"}'],
  ["ConstraintViolation", 'ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated", confidence: 2}'],
  ["ConstraintViolation", 'CREATE CONCEPT ?x { TYPE "Event" }'],
  ["ConstraintViolation", 'CREATE CONCEPT ?x { TYPE "Commitment" SET ATTRIBUTES {summary: "s", status: "maybe"} }'],
  ["ConstraintViolation", 'UPDATE :ann SET FACET "WatchState" {fired_seq: 1}'],
  ["NotFoundOrNotVisible", 'UPDATE "C-999" SET ATTRIBUTES {a: 1}'],
  ["NotFoundOrNotVisible", 'ENSURE PROPOSITION (:ann, "knows", {type: "Person", key: "nobody"})'],
  ["ReferenceError", "FIND(?x) WHERE { ?x {id: :nothing} }"],
  ["ReferenceError", 'ENSURE PROPOSITION (?x, "knows", :bob)'],
  ["StructuralReferenceInvalid", 'UPDATE :ann SET STRUCTURAL { ("has_step", :bob) }'],
  ["StructuralReferenceInvalid", 'ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated", evidence: :bob}'],
  ["IdentitySelectorRequired", 'UPSERT CONCEPT ?x { MATCH {type: "Person"} }'],
  ["IdentitySelectorRequired", 'CREATE CONCEPT ?x { NAME "n" }'],
  ["NameIdentityForbidden", 'UPSERT CONCEPT ?x { MATCH {name: "Ann"} }'],
  ["IdentityConflict", 'CREATE CONCEPT ?x { TYPE "Person" SET FIELDS {key: "ann"} }'],
  [
    "ClientKeyConflict",
    'CREATE EVIDENCE ?x { CLIENT KEY "e" SET FIELDS {evidence_class: "message", payload: "other"} }',
  ],
  ["IdentityMergeConflict", "MERGE CONCEPT :ann INTO :ann"],
  ["ImmutableField", 'UPDATE :s SET ATTRIBUTES {procedure: "other"}'],
  ["ImmutableField", 'UPDATE :ann SET FIELDS {key: "other"}'],
  ["ImmutableField", 'UPDATE "P-1" SET FIELDS {subject: :bob}'],
  ["EpistemicRevisionRequired", "UPDATE :a SET FIELDS {confidence: 0.5}"],
  ["EvidenceCorrectionRequired", 'UPDATE :e SET FIELDS {payload: "other"}'],
  ["InvalidLifecycleTransition", 'TRANSITION :y TO "completed"'],
  ["RetractionNotAuthorized", 'TRANSITION :a TO "retracted"'],
  ["SupersessionMismatch", 'TRANSITION :a TO "superseded" BY :b'],
  ["EvidenceCorrectionConflict", 'TRANSITION :e TO "corrected" BY :e'],
  ["ActivityTerminal", 'TRANSITION :x TO "running"'],
  ["ActivityTerminal", 'UPDATE :x SET FIELDS {ended_at: "2026-01-01T00:00:00.000Z"}'],
  ["ProjectionTargetUnbound", 'FIND(?b) WHERE { ?b BELIEF (?s, "timezone", "+01:00") }'],
  [
    "ProjectionPolicyUnavailable",
    'FIND(?b) WHERE { ?b BELIEF (:ann, "timezone", "x") } WITH EPISTEMIC {policy: "mine"}',
  ],
  ["NotAuthorized", "SET RETENTION :ann {legal_hold: true}"],
  ["ProtectedSystemField", "UPDATE :ann SET FIELDS {_system: {}}"],
  ["ProtectedSystemField", 'UPDATE :ann SET FACET "MnemonicState" {effective_strength: 1}'],
  ["ProtectedGovernanceField", "UPDATE :ann SET FIELDS {governance: {}}"],
  [
    "ProtectedSchemaState",
    'DEFINE PREDICATE "kip://domains/general@1.0.0/knows" {description: "d", subject: "Person", object: "Person"}',
  ],
  ["PurgeDenied", 'PURGE :ann CONFIRM "PURGE"'],
  ["VersionConflict", "UPDATE :ann SET ATTRIBUTES {a: 1} EXPECT VERSION 3"],
  ["VersionConflict", 'UPSERT CONCEPT ?x { MATCH {type: "Person", key: "ann"} } EXPECT VERSION 0'],
  ["VersionConflict", 'ENSURE PROPOSITION (:ann, "timezone", "+01:00") EXPECT VERSION 0'],
  ["TransactionUnknown", 'DESCRIBE TRANSACTION "tx-999"'],
  ["TransactionUnknown", 'DESCRIBE TRANSACTION BY IDEMPOTENCY KEY "none"'],
  ["HistoricalSnapshotUnavailable", "FIND(?x) WHERE { ?x {} } AS OF SEQ 999"],
  ["CursorInvalid", 'FIND(?x) WHERE { ?x {} } LIMIT 1 CURSOR "nonsense"'],
  ["SearchModeUnsupported", 'SEARCH CONCEPT "x" MODE "semantic"'],
  ["SearchModeUnsupported", 'SEARCH CONCEPT "x" MODE "guessing"'],
  ["HistoricalSearchUnavailable", 'SEARCH CONCEPT "x" AS OF SEQ 1'],
  ["UnsupportedCapability", "EXPORT CAPSULE ?x WHERE { ?x {} }"],
  ["LanguageMismatch", 'PREVIEW KML "DESCRIBE PRIMER"'],
  [
    "DigestMismatch",
    'CREATE EVIDENCE ?x { SET FIELDS {evidence_class: "message", payload: "m", content_digest: "sha256:0"} }',
  ],
  ["ArtifactParseError", "VERIFY SCHEMA PACKAGE 3"],
  ["ResultLimitExceeded", "LIST TYPES LIMIT 5000"],
];

describe("error codes", () => {
  it.each(CASES)("%s: %s", (code, command) => {
    const { space, p } = scene();
    const before = space.seq;
    const bob = { principal: "agent", actor: 16 } as const;
    expect(space.code(command, p, { authority: bob })).toBe(hint(code));
    expect(space.seq).toBe(before);
  });

  const request = (space: TestSpace, more: JsonObject, command = "DESCRIBE PRIMER", context = {}): string => {
    const response = space.request({ kip: "2.0", operations: [{ command }], ...more }, context);
    return response.error?.code ?? response.results[0]!.error?.code ?? response.results[0]!.status;
  };
  const WRITE = 'UPSERT CONCEPT ?x { MATCH {type: "Topic", key: "t"} SET FIELDS {name: "T"} }';

  it.each([
    ["InvalidRequestEnvelope", { operation: [] }],
    ["InvalidRequestEnvelope", { ingest: { evidence: [{ key: "m", evidence_class: "message", payload: 1 }] } }],
    ["UnsupportedProtocolVersion", { kip: "3.0" }],
    ["UnsupportedCapability", { requires: ["semantic_search"] }],
    ["UnsupportedIsolation", { execution: { isolation: "read_committed" } }],
    ["NotFoundOrNotVisible", { space: { id: "another" } }],
    ["HistoricalSnapshotUnavailable", { read: { snapshot_token: "x" } }, "FIND(?x) WHERE { ?x {} }"],
    ["PreconditionFailed", { preconditions: { space_seq: 99 } }, WRITE],
    ["SchemaEnvironmentChanged", { preconditions: { schema_environment_version: "env-0" } }, WRITE],
    [
      "ArtifactUnavailable",
      { ingest: { evidence: [{ key: "m", evidence_class: "message", payload_artifact: "x" }] } },
      WRITE,
    ],
  ] as const)("%s of a request: %j", (code, more, command?: string) => {
    expect(request(scene().space, more as JsonObject, command)).toBe(hint(code));
  });

  it("LanguageMismatch and ReadonlyViolation go by what was parsed", () => {
    const { space } = scene();
    const response = space.request({ kip: "2.0", operations: [{ command: WRITE, language: "KQL" }] });
    expect(response.results[0]!.error?.code).toBe(hint("LanguageMismatch"));
    expect(request(space, {}, WRITE, { readOnly: true })).toBe(hint("ReadonlyViolation"));
    expect(request(space, {}, `// FIND\n ${WRITE}`, { readOnly: true })).toBe("ReadonlyViolation");
  });

  it("IdempotencyConflict", () => {
    const { space } = scene();
    const keyed = { execution: { idempotency_key: "k" } };
    expect(request(space, keyed, WRITE)).toBe("succeeded");
    expect(request(space, keyed, WRITE.replace('"T"', '"U"'))).toBe(hint("IdempotencyConflict"));
  });

  it("IdentityConflict: a bare key that fits two types", () => {
    const { space } = scene();
    space.run(
      'MUTATE { UPSERT CONCEPT ?a { MATCH {type: "Topic", key: "k"} } UPSERT CONCEPT ?b { MATCH {type: "Place", key: "k"} } }',
    );
    expect(space.code('UPSERT CONCEPT ?c { MATCH {key: "k"} }')).toBe(hint("IdentityConflict"));
  });

  it("LegalHoldConflict", () => {
    const { space, p } = scene();
    space.run("SET RETENTION :f {legal_hold: true}", p);
    expect(space.code('PURGE :f CONFIRM "PURGE"', p)).toBe(hint("LegalHoldConflict"));
    expect(space.code('PURGE PAYLOAD :f CONFIRM "PURGE"', p)).toBe("LegalHoldConflict");
  });

  it("CursorMismatch, CursorTypeMismatch, CursorExpired", () => {
    const { space } = scene();
    const command = 'FIND(?x.key) WHERE { ?x {type: "Person"} } LIMIT 1';
    const cursor = space.result(command).next_cursor!;
    expect(space.code('FIND(?x.name) WHERE { ?x {type: "Person"} } LIMIT 1 CURSOR :cursor', { cursor })).toBe(
      hint("CursorMismatch"),
    );
    expect(space.code(`${command} CURSOR :cursor`, { cursor }, { caller: "somebody" })).toBe("CursorMismatch");
    expect(space.code("LIST TYPES LIMIT 1 CURSOR :cursor", { cursor })).toBe(hint("CursorTypeMismatch"));
    const last = cursor.at(-2)!;
    expect(
      space.code(`${command} CURSOR :cursor`, {
        cursor: `${cursor.slice(0, -2)}${last === "A" ? "B" : "A"}${cursor.at(-1)!}`,
      }),
    ).toBe("CursorInvalid");
    space.now += 25 * 3_600_000;
    expect(space.code(`${command} CURSOR :cursor`, { cursor })).toBe(hint("CursorExpired"));
  });

  it("SchemaSymbolAmbiguous: two packages with one bare name", () => {
    const [first] = standardPackages;
    const twin = {
      ...first!,
      manifest: {
        ...first!.manifest,
        package_id: "kip://x/twin",
        package_ref: "kip://x/twin@1.0.0",
        lineage_of: "kip://x/other",
      },
    };
    const environment = new SchemaEnvironment([first!, twin], []);
    try {
      environment.type("Person");
      expect.fail("resolved");
    } catch (error) {
      expect((error as KipError).code).toBe(hint("SchemaSymbolAmbiguous"));
    }
    expect(environment.type("kip://x/twin/Person").lineage).toBe("kip://x/other/Person");
  });

  it("ProofInvalid: a receipt that this Space never gave", () => {
    const { space } = scene();
    const receipt = space.result(WRITE).receipt as unknown as JsonObject;
    expect(space.code("VERIFY RECEIPT :receipt", { receipt })).toBe("succeeded");
    const forged: Record<string, unknown> = { ...receipt, tx_id: "tx-77" };
    expect(space.code("VERIFY RECEIPT :receipt", { receipt: forged as JsonObject })).toBe("DigestMismatch");
    const foreign = new TestSpace();
    foreign.now += 1000;
    foreign.run(WRITE.replace('"t"', '"u"'));
    expect(foreign.code("VERIFY RECEIPT :receipt", { receipt })).toBe(hint("ProofInvalid"));
  });

  it("ResourceExhausted, ResultLimitExceeded, ProjectionTargetUnbounded and TransactionTooLarge name their limit", () => {
    const space = new TestSpace({ bindings: 50, projectionTargets: 5 });
    for (let n = 0; n < 10; n++) space.person(`p${n}`);
    expect(space.code(`FIND(?x) WHERE { ?x {name: "${"é".repeat(200_000)}"} }`)).toBe(hint("ResourceExhausted"));
    expect(space.code("FIND(?x) WHERE { ?x {} ?y {} ?z {} }")).toBe(hint("ResultLimitExceeded"));
    expect(space.code('FIND(?b) WHERE { ?x {type: "Person"} ?b BELIEF SLOT (?x, "timezone") }')).toBe(
      hint("ProjectionTargetUnbounded"),
    );
    const many = Array.from({ length: 10_001 }, (_, n) => `CREATE CONCEPT ?c${n} {TYPE "Topic"}`);
    const wide = new TestSpace();
    for (const part of [many.slice(0, 5001), many.slice(5001)]) wide.run(`MUTATE { ${part.join(" ")} }`);
    expect(wide.code('UPDATE ?x SET ATTRIBUTES {n: 1} WHERE { ?x {type: "Topic"} }')).toBe(hint("TransactionTooLarge"));
    expect(wide.find('FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} FILTER(IS_NOT_NULL(?x.attributes.n)) }')).toEqual([0]);
  });

  it("ExecutionTimeout", () => {
    const { space } = scene();
    space.tickMs = 2000;
    expect(request(space, { options: { deadline_ms: 1 } }, "FIND(?x) WHERE { ?x {} }")).toBe(hint("ExecutionTimeout"));
  });

  it("InternalError hides what went wrong and is reported", () => {
    const { space } = scene();
    space.store.close();
    const context = { caller: "t", authority: { principal: "owner", actor: undefined }, readOnly: false } as const;
    const response = executeRequest(space.engine, WRITE, context);
    const error = response.error ?? response.results[0]?.error;
    expect(error?.code).toBe(hint("InternalError"));
    expect(error?.message).toBe("an unexpected error occurred");
    expect(space.unexpected).toHaveLength(1);
  });

  afterAll(() => {
    const missing = (Object.keys(KIP_CODES) as KipCode[]).filter(
      (code) => !seen.has(code) && !ELSEWHERE.includes(code),
    );
    expect(missing).toEqual([]);
  });
});
