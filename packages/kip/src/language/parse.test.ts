import { describe, expect, it } from "vitest";
import { KipError } from "../kip-error.ts";
import { COMMAND_BYTES_MAX, NESTING_DEPTH_MAX } from "../limits.ts";
import { bindParameters } from "./bind.ts";
import { classify } from "./classify.ts";
import { utf8Length } from "./lexer.ts";
import { parse } from "./parse.ts";
import { print } from "./print.ts";

function refusal(text: string): KipError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof KipError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** [statement form, accepted, refused] */
const FORMS: readonly (readonly [string, string, string])[] = [
  ["FIND", 'FIND(?x) WHERE { ?x {type: "Person"} }', "FIND() WHERE { }"],
  [
    "FIND clause order",
    'FIND(?x) WHERE {} FOR TIME :t ORDER BY ?x LIMIT 1 CURSOR "c"',
    "FIND(?x) WHERE {} LIMIT 1 ORDER BY ?x",
  ],
  ["FIND aggregates", "FIND(COUNT(DISTINCT ?x), SUM(?x.n)) WHERE {}", "FIND(SUM(DISTINCT ?x)) WHERE {}"],
  ["raw path", 'FIND(?x) WHERE { (?x, "a" | "b"{0,5}, ?y) }', 'FIND(?x) WHERE { (?x, "a"{5,1}, ?y) }'],
  ["BELIEF", 'FIND(?b) WHERE { ?b BELIEF (?s, "p", ?o) }', "FIND(?b) WHERE { ?b BELIEF (?s, ?p, ?o) }"],
  ["BELIEF SLOT", 'FIND(?b) WHERE { ?b BELIEF SLOT (?s, "p") }', 'FIND(?b) WHERE { ?b BELIEF SLOT (?s, "p", ?o) }'],
  ["Search Pattern", 'FIND(?x) WHERE { ?x SEARCH CONCEPT "a" LIMIT 3 }', 'FIND(?x) WHERE { ?x SEARCH CONCEPT "a" }'],
  [
    "Search Pattern in NOT",
    'FIND(?x) WHERE { OPTIONAL { ?x SEARCH CONCEPT "a" LIMIT 3 } }',
    'FIND(?x) WHERE { NOT { ?x SEARCH CONCEPT "a" LIMIT 3 } }',
  ],
  [
    "STRUCTURAL",
    'FIND(?e.index) WHERE { ?e STRUCTURAL (?x, "has_step", ?y) }',
    "FIND(?e) WHERE { ?e STRUCTURAL (?x, ?f, ?y) }",
  ],
  ["FILTER", "FIND(?x) WHERE { FILTER(?x.a > 1 && !IS_NULL(?x.b)) }", "FIND(?x) WHERE { FILTER ?x.a > 1 }"],
  ["blocks", "FIND(?x) WHERE { NOT {} OPTIONAL {} UNION {} }", "FIND(?x) WHERE { NOT ( ) }"],
  ["MUTATE", 'MUTATE { CREATE CONCEPT ?a { TYPE "T" } }', "MUTATE { MUTATE { } }"],
  [
    "MUTATE without DEFINE",
    'MUTATE { ENSURE PROPOSITION (:a, "p", :b) }',
    'MUTATE { DEFINE PREDICATE "p" {description: "d"} }',
  ],
  [
    "CREATE CONCEPT",
    'CREATE CONCEPT ?c { NAME "n" TYPE "T" CLIENT KEY "k" SET ATTRIBUTES {a: 1} }',
    'CREATE CONCEPT ?c { TYPE "T" TYPE "U" }',
  ],
  [
    "CREATE EVIDENCE",
    'CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message"} }',
    "CREATE EVIDENCE ?e { SET ATTRIBUTES {a: 1} }",
  ],
  [
    "CREATE ASSERTION",
    'CREATE ASSERTION ?a { SET STRUCTURAL { ("evidence", ?e) {role: "support"} } }',
    "CREATE ASSERTION { }",
  ],
  ["CREATE ACTIVITY", 'CREATE ACTIVITY ?x { SET FIELDS {activity_class: "inference"} }', "CREATE PROPOSITION ?x { }"],
  [
    "UPSERT",
    'UPSERT CONCEPT ?c { MATCH {type: "T", key: "k"} UNSET ATTRIBUTES {a} } EXPECT VERSION 0',
    "UPSERT CONCEPT ?c { SET ATTRIBUTES {a: 1} }",
  ],
  ["ENSURE", 'ENSURE PROPOSITION ?p (:a, "p", 1) EXPECT VERSION 0', "ENSURE PROPOSITION ?p"],
  ["ASSERT", 'ASSERT (:a, "p", :b) {by: :a, mode: "stated"} SUPERSEDING :o', 'ASSERT (:a, "p", :b) {by: :a}'],
  [
    "ASSERT members",
    'ASSERT ?x (:a, "p", :b) {by: :a, mode: "stated", at: :t, key: "k"}',
    'ASSERT (:a, "p", :b) {by: :a, mode: "stated", when: :t}',
  ],
  [
    "UPDATE",
    'UPDATE ?c SET FACET "F" {n: ADD(?c.facets["F"].n, 1)} WHERE { ?c {} } LIMIT 3 EXPECT VERSION 1 OF FACET "F"',
    "UPDATE ?c WHERE { ?c {} }",
  ],
  [
    "TRANSITION",
    'TRANSITION :a TO "superseded" BY :b SET FIELDS {a: 1} WHERE {} LIMIT 1 EXPECT VERSION 2',
    "TRANSITION :a TO superseded",
  ],
  ["SET RETENTION", 'SET RETENTION :a {retention_class: "pinned"} EXPECT VERSION 1 OF RETENTION', "SET RETENTION :a"],
  ["PURGE", 'PURGE ?c WHERE { ?c {} } REFERENCE POLICY "tombstone_reference" CONFIRM "PURGE"', "PURGE :c"],
  ["PURGE PAYLOAD", 'PURGE PAYLOAD :e CONFIRM "PURGE"', 'PURGE PAYLOAD :e REFERENCE POLICY "x" CONFIRM "PURGE"'],
  ["MERGE", "MERGE CONCEPT :a INTO :b EXPECT VERSION 1", "MERGE CONCEPT :a INTO :b LIMIT 1"],
  ["DEFINE PREDICATE", 'DEFINE PREDICATE "likes" {description: "d"}', 'DEFINE PREDICATE :p {description: "d"}'],
  ["DEFINE CONCEPT TYPE", 'DEFINE CONCEPT TYPE "Boat" {description: "d"}', 'DEFINE FACET "F" {}'],
  [
    "mutation WHERE",
    "UPDATE ?c SET ATTRIBUTES {a: 1} WHERE { ?c {} }",
    "UPDATE ?c SET ATTRIBUTES {a: 1} WHERE { ?b BELIEF (?c) }",
  ],
  [
    "mutation SEARCH",
    'PURGE ?c WHERE { ?c {} } CONFIRM "PURGE"',
    'PURGE ?c WHERE { ?c SEARCH CONCEPT "x" LIMIT 1 } CONFIRM "PURGE"',
  ],
  ["DESCRIBE PRIMER", 'DESCRIBE PRIMER MODE "compact"', 'DESCRIBE PRIMER "compact"'],
  ["DESCRIBE CAPABILITIES", "describe capabilities", "DESCRIBE CAPABILITIES :x"],
  ["DESCRIBE TYPE", 'DESCRIBE TYPE "Person"', "DESCRIBE TYPE Person"],
  ["DESCRIBE PREDICATE", 'DESCRIBE PREDICATE "prefers"', "DESCRIBE PREDICATE"],
  ["DESCRIBE FACET", 'DESCRIBE FACET "MnemonicState"', "DESCRIBE FACETS"],
  ["DESCRIBE STRUCTURAL FIELD", 'DESCRIBE STRUCTURAL FIELD "has_step"', 'DESCRIBE STRUCTURAL "has_step"'],
  ["DESCRIBE ERROR", 'DESCRIBE ERROR "VersionConflict"', "DESCRIBE ERROR"],
  ["DESCRIBE TRANSACTION", "DESCRIBE TRANSACTION BY IDEMPOTENCY KEY :k", "DESCRIBE TRANSACTION BY KEY :k"],
  ["DESCRIBE SNAPSHOT", "DESCRIBE SNAPSHOT AT TIME :t", "DESCRIBE SNAPSHOT AS OF TIME :t"],
  ["DESCRIBE SCHEMA ENVIRONMENT", "DESCRIBE SCHEMA ENVIRONMENT AS OF SEQ 3", "DESCRIBE SCHEMA"],
  ["DESCRIBE COMPATIBILITY", "DESCRIBE COMPATIBILITY FROM :a TO :b", "DESCRIBE COMPATIBILITY :a"],
  ["DESCRIBE EPISTEMIC POLICY", "DESCRIBE EPISTEMIC POLICY", "DESCRIBE EPISTEMIC"],
  ["LIST", "LIST TYPES LIMIT 3 CURSOR :c", "LIST TYPES CURSOR :c LIMIT 3"],
  ["LIST DEPENDENTS", "LIST DEPENDENTS :e DEPTH 2", "LIST DEPENDENTS"],
  ["SEARCH", 'SEARCH CONCEPT "a" WITH TYPE "T" MODE "keyword" LIMIT 3', 'SEARCH THING "a"'],
  ["HISTORY", "HISTORY ELEMENT :e FROM SEQ 1 TO SEQ 2", "HISTORY"],
  ["CHANGES", "CHANGES AFTER SEQ 3 LIMIT 2", "CHANGES LIMIT 2"],
  ["VALIDATE", 'VALIDATE KQL "FIND(?x) WHERE {}"', "VALIDATE SQL :x"],
  ["VERIFY", "VERIFY RECEIPT :r", "VERIFY :r"],
  ["PREVIEW", "PREVIEW KML :c", "PREVIEW KQL :c"],
  ["EXPORT", "EXPORT CAPSULE ?r WHERE { ?r {} } WITH {a: 1}", "EXPORT CAPSULE ?r"],
];

describe("statement forms", () => {
  it.each(FORMS)("%s has an accepted and a refused spelling", (_form, accepted, refused) => {
    expect(print(parse(print(parse(accepted))))).toBe(print(parse(accepted)));
    expect(refusal(refused).code).toBe("InvalidSyntax");
  });
});

describe("lexical rules", () => {
  it.each([
    ["a lone surrogate", 'FIND(?x) WHERE { ?x {name: "\\ud800"} }'],
    ["an unclosed string", 'FIND(?x) WHERE { ?x {name: "a} }'],
    ["an integer beyond 2^53 − 1", "UPDATE :a SET ATTRIBUTES {n: 9007199254740992}"],
    ["the same integer spelled as a fraction", "UPDATE :a SET ATTRIBUTES {n: 9007199254740993.0}"],
    ["an integer spelled with an exponent", "UPDATE :a SET ATTRIBUTES {n: 1e300}"],
    ["an overflow", "UPDATE :a SET ATTRIBUTES {n: 1e999}"],
    ["an underflow to zero", "UPDATE :a SET ATTRIBUTES {n: 1e-999}"],
    ["a leading zero", "UPDATE :a SET ATTRIBUTES {n: 01}"],
    ["a duplicate key", 'UPDATE :a SET ATTRIBUTES {n: 1, "n": 2}'],
    ["True", "UPDATE :a SET ATTRIBUTES {n: True}"],
    ["a statement after a statement", "DESCRIBE PROTOCOL DESCRIBE PROTOCOL"],
    ["a semicolon", "DESCRIBE PROTOCOL;"],
    ["a comma between items", "FIND(?x) WHERE { ?x {}, ?y {} }"],
    ["a bare predicate", "FIND(?x) WHERE { (?x, prefers, ?y) }"],
  ])("%s is refused", (_what, text) => expect(refusal(text).code).toBe("InvalidSyntax"));

  it.each([
    ["a keyword as a key", "UPDATE :a SET ATTRIBUTES {where: 1, FIND: 2}"],
    ["a compact object", "UPDATE :a SET ATTRIBUTES {a:true,b:null,c::p}"],
    ["a lower-case command with comments", "find(?x) // what\nwhere { }"],
    ["the largest integer", "UPDATE :a SET ATTRIBUTES {n: -9007199254740991, m: 9007199254740991.0}"],
    ["zero in an exponent", "UPDATE :a SET ATTRIBUTES {n: 0e-999, m: -0}"],
    ["a surrogate pair by escapes", 'UPDATE :a SET ATTRIBUTES {n: "\\ud83d\\ude00"}'],
  ])("%s is accepted", (_what, text) => expect(() => parse(text)).not.toThrow());

  it("counts UTF-8 bytes", () => {
    for (const text of ["a", "é", "€", "😀", "aé€😀"])
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });
});

describe("messages", () => {
  it("say where, what was expected and the nearest word", () => {
    const error = refusal('FIND(?x)\nWHERE { ?x ASERTION {stance: "support"} }');
    expect(error.message).toContain("line 2, column 12");
    expect(error.message).toContain("did you mean ASSERTION?");
    expect(error.details?.["nearest"]).toBe("ASSERTION");
    expect(error.offset).toBe(20);
  });

  it("name the present spelling of a former statement", () => {
    expect(refusal("RETRACT ASSERTION :a").hint).toContain('TRANSITION ref TO "retracted"');
  });
});

describe("limits", () => {
  it("a command above 256 KiB is ResourceExhausted", () => {
    expect(refusal(`FIND(?x) WHERE { } ${" ".repeat(COMMAND_BYTES_MAX)}`).code).toBe("ResourceExhausted");
    expect(refusal(`DESCRIBE TYPE "${"é".repeat(COMMAND_BYTES_MAX / 2)}"`).code).toBe("ResourceExhausted");
  });

  it.each(["[", "{a:", "(", "!", "-", "ADD("])(
    "nesting of %s beyond the limit is ResourceExhausted, never a crash",
    (open) => {
      const head =
        open === "(" || open === "!" || open === "-" ? "FIND(?x) WHERE { FILTER(" : "UPDATE :a SET ATTRIBUTES {v: ";
      expect(refusal(head + open.repeat(100_000)).code).toBe("ResourceExhausted");
      expect(refusal(head + open.repeat(NESTING_DEPTH_MAX + 1)).code).toBe("ResourceExhausted");
    },
  );

  it("the deepest and longest tree that parses can be printed and bound", () => {
    let text = "?x.a";
    for (let depth = 0; depth < NESTING_DEPTH_MAX - 4; depth++) text = `(${text}${" || ?x".repeat(17)})`;
    expect(refusal(`FIND(?x) WHERE { FILTER(${text}${" || ?x".repeat(17)}) }`).code).toBe("ResourceExhausted");
    const tree = parse(`FIND(?x) WHERE { FILTER(${text}) }`);
    expect(print(bindParameters(tree, {}))).toBe(print(tree));
    expect(print(parse(print(tree)))).toBe(print(tree));
  });
});

describe("parameters", () => {
  it("bind structurally: text in a value cannot become syntax", () => {
    const bound = bindParameters(parse("FIND(?x) WHERE { ?x {name: :n} }"), { n: '"} FIND(' });
    expect(print(bound)).toBe('FIND(?x) WHERE { ?x {name: "\\"} FIND("} }');
  });

  it("{id} is an element, other objects stand for themselves", () => {
    const bound = bindParameters(parse('ASSERT (:a, "p", :b) {by: :a, mode: "stated", valid: :v}'), {
      a: { id: "C-1" },
      b: 2,
      v: { from: "x" },
    });
    expect(JSON.stringify(bound)).toContain('{"k":"element","id":"C-1"}');
    expect(print(bound)).toContain('valid: {from: "x"}');
  });

  it("an unbound name is a ReferenceError that names the nearest", () => {
    try {
      bindParameters(parse("DESCRIBE TYPE :typ"), { type: "Person" });
      expect.fail("bound");
    } catch (error) {
      expect((error as KipError).code).toBe("ReferenceError");
      expect((error as KipError).message).toContain(":type");
    }
  });
});

describe("classification", () => {
  it.each([
    ["FIND(?x) WHERE {}", "KQL", false],
    ["DESCRIBE PRIMER", "META", false],
    ['PREVIEW KML "x"', "META", false],
    ['DEFINE PREDICATE "p" {}', "KML", true],
    ['PURGE :a CONFIRM "PURGE"', "KML", true],
    ['MUTATE { ENSURE PROPOSITION (:a, "p", 1) }', "KML", true],
  ] as const)("%s", (text, language, writes) => {
    const found = classify(parse(text));
    expect([found.language, found.writes]).toEqual([language, writes]);
  });
});
