/** What a refusal tells: all that is wrong at once, what there is instead, and the form of it. */
import { expect, test } from "vitest";
import type { JsonObject } from "@mainspring/kip";
import { TestSpace } from "../testing/space.ts";
import { READ_FIELDS } from "../domain/query/fields.ts";
import { unknownFields } from "./query/unknown-fields.ts";
import { parse, type Find } from "@mainspring/kip";

const refusal = (space: TestSpace, command: string): string => {
  const { error } = space.result(command);
  return `${error?.code}: ${error?.message}. ${error?.hint}`;
};
const claim = (valid: string): string =>
  `MUTATE { UPSERT CONCEPT ?p { MATCH {type: "Person", key: "ana"} } ASSERT (?p, "timezone", "UTC") {by: ?p, mode: "stated", valid: ${valid}} }`;

test("DEFINE names all that it lacks and has too much, and the members that there are", () => {
  const space = new TestSpace();
  const lacks = refusal(space, 'DEFINE PREDICATE "p" {}');
  expect(lacks).toContain("ConstraintViolation: DEFINE PREDICATE needs description, subject, object.");
  expect(lacks).toContain("functional_by");
  const both = refusal(space, 'DEFINE PREDICATE "p" {description: "d", single: true, one: 1, subject: "Person"}');
  expect(both).toContain('SchemaFieldNotFound: DEFINE PREDICATE has no member "single" or "one", and needs object.');
  expect(refusal(space, 'DEFINE CONCEPT TYPE "T" {fields: {}}')).toContain(
    'has no member "fields", and needs description',
  );
  expect(
    refusal(space, 'DEFINE PREDICATE "p" {description: "d", subject: {types: ["Person"]}, object: "Person"}'),
  ).toContain("concept_types");
});

test("valid names its members and the form of times, as the one that was meant", () => {
  const space = new TestSpace();
  expect(refusal(space, claim('{start: "x", end: "y"}'))).toMatch(/no member "start" or "end".*from and until.*\.000Z/);
  expect(refusal(space, claim('"2026"'))).toContain('{from: "2026-05-03T00:00:00.000Z"');
  expect(refusal(space, claim('{from: "2026-05-03"}'))).toContain('Write "2026-05-03T00:00:00.000Z"');
  expect(refusal(space, claim('{from: "2026-05-03T02:00:00+02:00"}'))).toContain('Write "2026-05-03T00:00:00.000Z"');
  expect(refusal(space, claim('{from: "in May"}'))).toContain("YYYY-MM-DDTHH:mm:ss.SSSZ");
});

test("CHANGES SINCE SEQ, PURGE of what is referenced, and ASSERT without its members say what to write", () => {
  const space = new TestSpace();
  expect(refusal(space, "CHANGES SINCE SEQ 12")).toContain("CHANGES AFTER SEQ n");
  space.run(claim("{}"));
  expect(refusal(space, 'PURGE "C-1" CONFIRM "PURGE"')).toContain(
    'REFERENCE POLICY "tombstone_reference" before CONFIRM',
  );
  expect(refusal(space, 'PURGE "C-1" REFERENCE POLICY "x" CONFIRM "PURGE"')).toContain("PURGE … REFERENCE POLICY");
  expect(refusal(space, 'ASSERT ("C-1", "timezone", "UTC") {}')).toContain("ASSERT needs by and mode");
});

test("a path to a field that there is not stays null, and the answer says so where the kind is known", () => {
  const space = new TestSpace();
  space.run(claim("{}"));
  const asked = space.result("FIND(?a.by, ?a.mode) WHERE { ?a ASSERTION {} FILTER(IS_NULL(?a.by)) }");
  expect(asked.result).toEqual([[null, "stated"]]);
  expect(asked.warnings).toHaveLength(1);
  expect(asked.warnings![0]).toMatch(
    /^\?a\.by is null: .* kind assertion .*did you mean \?a\.asserted_by\?.*valid_time/,
  );
  const warned = (query: string): readonly string[] => unknownFields(parse(query) as Find);
  expect(warned('FIND(?c.attributes.x, ?c.type, ?c["nam"]) WHERE { ?c {type: "Person"} }')).toHaveLength(1);
  expect(warned('FIND(?x.retrieval.score) WHERE { ?x SEARCH EVIDENCE "a" LIMIT 1 }')).toEqual([]);
  expect(warned('FIND(?o.whatever, ?b.status) WHERE { (?s, "knows", ?o) ?b BELIEF SLOT (?s, "knows") }')).toEqual([]);
});

test("the fields of each kind are those that elements are shown with", () => {
  const space = new TestSpace();
  space.run(`MUTATE {
    UPSERT CONCEPT ?p { MATCH {type: "Person", key: "ana"} SET FIELDS {name: "Ana"} }
    CREATE ACTIVITY ?x { SET FIELDS {activity_class: "reading", started_at: "2026-05-03T00:00:00.000Z", inputs: [?p]} }
    CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "hi", source: ?p, generated_by: ?x, media_type: "text/plain"} }
    ASSERT ?a (?p, "timezone", "UTC") {by: ?p, mode: "stated", confidence: 1, evidence: ?e, valid: {from: "2026-05-03T00:00:00.000Z"}}
  }`);
  const common = ["id", "kind", "space_id", "facets", "retention", "_system"];
  for (const [kind, pattern] of [
    ["concept", '?x {type: "Person"}'],
    ["proposition", '?x (?s, "timezone", ?o)'],
    ["assertion", "?x ASSERTION {}"],
    ["evidence", "?x EVIDENCE {}"],
    ["activity", "?x ACTIVITY {}"],
  ] as const) {
    const [shown] = space.find(`FIND(?x) WHERE { ${pattern} }`) as JsonObject[];
    const own = Object.keys(shown!).filter((name) => !common.includes(name));
    expect(READ_FIELDS[kind], kind).toEqual(expect.arrayContaining(own));
    expect(own.length, kind).toBeGreaterThan(3);
  }
});
