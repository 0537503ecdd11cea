import { describe, expect, it } from "vitest";
import type { Json } from "@mainspring/kip";
import { ref, TestSpace } from "../testing/space.ts";

interface Change {
  readonly op: string;
  readonly id: string;
  readonly old_version?: number;
  readonly new_version?: number;
  readonly planes?: string[];
}
const changes = (result: Json): Change[] => (result as unknown as { changes: Change[] }).changes;

describe("MUTATE", () => {
  it("commits all of it or nothing, and a failure takes no number", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    const before = space.seq;
    const command = `MUTATE {
      UPSERT CONCEPT ?b { MATCH {type: "Person", key: "bob"} SET FIELDS {name: "Bob"} }
      ENSURE PROPOSITION (?b, "knows", :ann)
      UPDATE :ann SET ATTRIBUTES {seen: true} EXPECT VERSION 7 }`;
    expect(space.code(command, { ann })).toBe("VersionConflict");
    expect(space.seq).toBe(before);
    expect(space.find('FIND(COUNT(?x)) WHERE { ?x {key: "bob"} }')).toEqual([0]);
    expect(space.run('SEARCH CONCEPT "bob"')).toMatchObject({ hits: [] });
    space.run(command.replace("7", "1"), { ann });
    expect(space.seq).toBe(before + 1);
    expect(space.find('FIND(?x.id, ?p.id) WHERE { ?p (?x, "knows", :ann) }', { ann })).toEqual([["C-2", "P-1"]]);
  });

  it("handles may be used before they are made, and each kind counts from 1", () => {
    const space = new TestSpace();
    const handles = space.handles(`MUTATE {
      ASSERT ?a (?x, "knows", ?y) {by: ?x, mode: "stated", evidence: [?e]}
      CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: {text: "hi"}} }
      UPSERT CONCEPT ?x { MATCH {type: "Person", key: "x"} }
      CREATE CONCEPT ?y { TYPE "Person" NAME "Y" } }`);
    expect(handles).toEqual({ a: "A-1", e: "E-1", x: "C-1", y: "C-2" });
    expect(space.find('FIND(?a.id) WHERE { ?a ASSERTION {asserted_by: {id: "C-1"}} }')).toEqual(["A-1"]);
    expect(
      space.find("FIND(?a.evidence) WHERE { ?a ASSERTION {asserted_by: :x, evidence: ?e} }", { x: ref("C-1") }),
    ).toEqual([[{ id: "E-1", role: "support" }]]);
  });

  it("reads its own writes", () => {
    const space = new TestSpace();
    space.run(`MUTATE {
      UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "t"} SET ATTRIBUTES {n: 1} }
      UPDATE ?x SET ATTRIBUTES {n: ADD(?x.attributes.n, 1)} WHERE { ?x {type: "Person"} } }`);
    expect(space.find('FIND(?x.attributes.n) WHERE { ?x {key: "t"} }')).toEqual([1]);
    expect(
      space.code(
        'MUTATE { UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "t"} SET ATTRIBUTES {n: 3} } UPDATE ?x SET ATTRIBUTES {n: 9} WHERE { ?x {type: "Topic", attributes: {n: 3}} } }',
      ),
    ).toBe("DuplicateMutationTarget");
  });
});

describe("identity and versions", () => {
  it("an upsert that changes nothing is no_effect and takes no number", () => {
    const space = new TestSpace();
    space.person("ann");
    const before = space.seq;
    expect(space.code('UPSERT CONCEPT ?p { MATCH {type: "Person", key: "ann"} SET FIELDS {name: "ann"} }')).toBe(
      "no_effect",
    );
    expect(space.code('ENSURE PROPOSITION (:a, "knows", :a)', { a: ref("C-1") })).toBe("succeeded");
    expect(space.code('ENSURE PROPOSITION (:a, "knows", :a)', { a: ref("C-1") })).toBe("no_effect");
    expect(space.seq).toBe(before + 1);
  });

  it("a version rises once in a transaction, a plane only when it is touched", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    const both = changes(
      space.run('UPDATE :ann SET ATTRIBUTES {a: 1} SET FACET "MnemonicState" {salience: 0.5}', { ann }),
    );
    expect(both).toMatchObject([
      { op: "update", id: "C-1", old_version: 1, new_version: 2, planes: ["ATTRIBUTES", "FACET MnemonicState"] },
    ]);
    space.run('SET RETENTION :ann {retention_class: "pinned"}', { ann });
    const [planes] = space.find("FIND(?x._system.plane_versions) WHERE { ?x {id: :ann} }", { ann });
    expect(planes).toEqual({ ATTRIBUTES: 2, STRUCTURAL: 1, RETENTION: 2, "FACET MnemonicState": 1 });
    expect(
      space.code(
        'UPDATE :ann SET FACET "MnemonicState" {salience: 0.6} EXPECT VERSION 1 OF FACET "MnemonicState" EXPECT VERSION 3',
        { ann },
      ),
    ).toBe("succeeded");
    expect(space.code("UPDATE :ann SET ATTRIBUTES {a: 2} EXPECT VERSION 1 OF ATTRIBUTES", { ann })).toBe(
      "VersionConflict",
    );
  });

  it("the tuple is one proposition whatever the spelling of its literal", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    space.run(
      'DEFINE PREDICATE "rated" {description: "d", subject: "Person", object: {literal_types: ["number", "string"]}}',
    );
    for (const literal of ["1", "1.0", "1e0"])
      space.run(`MUTATE { ENSURE PROPOSITION (:ann, "rated", ${literal}) ENSURE PROPOSITION (:ann, "rated", "é") }`, {
        ann,
      });
    space.code('ENSURE PROPOSITION (:ann, "rated", :o)', { ann, o: "e\u0301" });
    expect(space.find('FIND(?o) WHERE { (?x, "rated", ?o) } ORDER BY ?o')).toEqual([1, "é"]);
  });

  it("a client key makes a creation retry-safe", () => {
    const space = new TestSpace();
    const command = 'CREATE EVIDENCE ?e { CLIENT KEY "k" SET FIELDS {evidence_class: "message", payload: :text} }';
    expect(space.handles(command, { text: "a" })).toEqual(space.handles(command, { text: "a" }));
    expect(space.code(command, { text: "b" })).toBe("ClientKeyConflict");
  });

  it("update expressions read the state before, and skip what gives no number", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    space.run('UPDATE :ann SET FACET "MnemonicState" {memory_strength: 0.8}', { ann });
    const update =
      'UPDATE ?x SET FACET "MnemonicState" {memory_strength: CLAMP(MUL(?x.facets["MnemonicState"].memory_strength, 0.5), 0, 1), salience: ADD(?x.attributes.none, 1)} SET ATTRIBUTES {n: COALESCE(?x.attributes.n, 7)} WHERE { ?x {type: "Person"} } LIMIT 1';
    space.run(update);
    expect(space.find('FIND(?x.facets["MnemonicState"], ?x.attributes.n) WHERE { ?x {type: "Person"} }')).toEqual([
      [{ memory_strength: 0.4, effective_strength: null }, 7],
    ]);
  });

  it("LIMIT bounds distinct targets", () => {
    const space = new TestSpace();
    for (const key of ["a", "b", "c"]) space.person(key);
    expect(changes(space.run('UPDATE ?x SET ATTRIBUTES {n: 1} WHERE { ?x {type: "Person"} } LIMIT 2'))).toHaveLength(2);
    expect(space.code('UPDATE ?x SET ATTRIBUTES {n: 2} WHERE { ?x {type: "Person"} } LIMIT 0')).toBe("no_effect");
  });
});

describe("a move back to active", () => {
  it("changes nothing of what is active, and is no move for what is not", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    space.run('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "one"} }');
    space.run('ASSERT (:ann, "speaks", "Latin") {by: :ann, mode: "stated"}', { ann });
    const ids = ["C-1", "P-1", "A-1", "E-1"];
    for (const id of ids) expect(space.code(`TRANSITION "${id}" TO "active"`), id).toBe("no_effect");
    space.run('TRANSITION "A-1" TO "retracted"');
    expect(space.code('TRANSITION "A-1" TO "active"')).toBe("InvalidLifecycleTransition");
    for (const id of ids) space.run(`TRANSITION "${id}" TO "archived"`);
    for (const id of ids) expect(space.code(`TRANSITION "${id}" TO "active"`), id).toBe("InvalidLifecycleTransition");
    expect(space.code('TRANSITION "A-1" TO "activ"')).toBe("ConstraintViolation");
  });
});

describe("archived identity", () => {
  it("what is ensured or upserted again comes back, and keeps its id; what is tombstoned does not", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    const { p } = space.handles('ENSURE PROPOSITION ?p (:ann, "speaks", "Latin")', { ann });
    space.run('TRANSITION :p TO "archived"', { p: ref(p!) });
    space.run('TRANSITION :ann TO "archived"', { ann });
    expect(space.find('FIND(COUNT(?x)) WHERE { ?x {type: "Person"} }')).toEqual([0]);
    const again = space.handles(
      'MUTATE { UPSERT CONCEPT ?a { MATCH {type: "Person", key: "ann"} } ENSURE PROPOSITION ?p (?a, "speaks", "Latin") }',
    );
    expect(again).toEqual({ a: "C-1", p });
    expect(space.find('FIND(?x.id, ?o) WHERE { ?x {type: "Person"} (?x, "speaks", ?o) }')).toEqual([["C-1", "Latin"]]);
    for (const target of [ref(p!), ann]) space.run('TRANSITION :target TO "tombstoned"', { target });
    expect(space.code('ENSURE PROPOSITION (:ann, "speaks", "Latin")', { ann })).toBe("InvalidLifecycleTransition");
    expect(space.code('UPSERT CONCEPT ?a { MATCH {type: "Person", key: "ann"} }')).toBe("InvalidLifecycleTransition");
    expect(space.code('CREATE CONCEPT ?a { TYPE "Person" SET FIELDS {key: "ann"} }')).toBe("IdentityConflict");
  });
});

describe("merge", () => {
  it("patterns match through it both ways, ids stay addressable, writes go to the target", () => {
    const space = new TestSpace();
    const [one, two, rome] = [
      space.person("one"),
      space.person("two"),
      space.handles('UPSERT CONCEPT ?r { MATCH {type: "Place", key: "rome"} }')["r"]!,
    ];
    space.run(
      'MUTATE { ASSERT (:one, "lives_in", :rome) {by: :one, mode: "stated"} ASSERT (:two, "timezone", "+01:00") {by: :two, mode: "stated"} }',
      { one, two, rome: ref(rome) },
    );
    const before = space.seq;
    space.run("MERGE CONCEPT :one INTO :two", { one, two });
    for (const x of [one, two]) {
      expect(space.find('FIND(?o.key, ?t) WHERE { (:x, "lives_in", ?o) (:x, "timezone", ?t) }', { x })).toEqual([
        ["rome", "+01:00"],
      ]);
      expect(space.find('FIND(?b.status) WHERE { ?b BELIEF (:x, "lives_in", :rome) }', { x, rome: ref(rome) })).toEqual(
        ["accepted"],
      );
    }
    expect(space.find('FIND(?p.subject.id, ?p.canonical_subject.id) WHERE { ?p (?x, "lives_in", ?o) }')).toEqual([
      ["C-1", "C-2"],
    ]);
    expect(space.find('FIND(?x.id) WHERE { ?x {type: "Person", key: "one"} }')).toEqual(["C-2"]);
    expect(space.find("FIND(?x.merged_into.id) WHERE { ?x {id: :one} }", { one })).toEqual(["C-2"]);
    expect(
      changes(space.run('UPSERT CONCEPT ?p { MATCH {type: "Person", key: "one"} SET ATTRIBUTES {a: 1} }'))[0]!.id,
    ).toBe("C-2");
    expect(space.find('FIND(?x.id) WHERE { (?x, "lives_in", ?o) } AS OF SEQ :before', { before })).toEqual(["C-1"]);
  });

  it("a cycle and a second target are refused, a repeat is no_effect", () => {
    const space = new TestSpace();
    const [a, b, c] = [space.person("a"), space.person("b"), space.person("c")];
    space.run("MERGE CONCEPT :a INTO :b", { a, b });
    expect(space.code("MERGE CONCEPT :b INTO :a", { a, b })).toBe("IdentityMergeConflict");
    expect(space.code("MERGE CONCEPT :a INTO :c", { a, c })).toBe("IdentityMergeConflict");
    expect(space.code("MERGE CONCEPT :a INTO :b", { a, b })).toBe("no_effect");
    space.run("MERGE CONCEPT :b INTO :c", { b, c });
    expect(space.find('FIND(?p.id) WHERE { ?x {key: "a"} OPTIONAL { ?p (?x, "knows", ?y) } }')).toEqual([null]);
    expect(space.find('FIND(?x.id) WHERE { ?x {key: "a"} }')).toEqual(["C-3"]);
  });

  it("two tuples that became the same are one value of a belief", () => {
    const space = new TestSpace();
    const [one, two] = [space.person("one"), space.person("two")];
    const rome = ref(space.handles('UPSERT CONCEPT ?r { MATCH {type: "Place", key: "rome"} }')["r"]!);
    for (const x of [one, two]) space.run('ASSERT (:x, "lives_in", :rome) {by: :x, mode: "stated"}', { x, rome });
    space.run("MERGE CONCEPT :one INTO :two", { one, two });
    const [slot] = space.find('FIND(?s) WHERE { ?s BELIEF SLOT (:two, "lives_in") }', { two }) as {
      accepted_values: Json[];
      candidate_projections: { support: { assertion_ids: string[] } }[];
    }[];
    expect(slot!.accepted_values).toHaveLength(1);
    expect(slot!.candidate_projections[0]!.support.assertion_ids).toEqual(["A-1", "A-2"]);
  });
});

describe("purge", () => {
  it("leaves a stub with id and kind, and nothing of the content at any sequence number", () => {
    const space = new TestSpace();
    const { e } = space.handles('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "quince"} }');
    space.run('UPDATE :e SET FACET "MnemonicState" {salience: 1}', { e: ref(e!) });
    const before = space.seq;
    space.run('PURGE :e CONFIRM "PURGE"', { e: ref(e!) });
    expect(space.find("FIND(?x) WHERE { ?x EVIDENCE {} } AS OF SEQ :before", { before })).toEqual([]);
    expect(space.run('SEARCH EVIDENCE "quince"')).toMatchObject({ hits: [] });
    expect(JSON.stringify(space.run("HISTORY ELEMENT :e", { e: e! }))).not.toContain("quince");
    expect(space.run("HISTORY ELEMENT :e", { e: e! })).toMatchObject([
      { element: { id: e, kind: "Evidence", _system: { state: "purged" } } },
    ]);
  });

  it("denies what is referenced, leaves references to a stub, or takes the closure with it", () => {
    const space = new TestSpace();
    const [ann, bob] = [space.person("ann"), space.person("bob")];
    space.run('ASSERT (:ann, "knows", :bob) {by: :bob, mode: "stated"}', { ann, bob });
    expect(space.code('PURGE :ann CONFIRM "PURGE"', { ann })).toBe("PurgeDenied");
    expect(
      space.code(
        'PURGE :ann REFERENCE POLICY "authorized_cascade" CONFIRM "PURGE"',
        { ann },
        { authority: { principal: "agent", actor: undefined } },
      ),
    ).toBe("NotAuthorized");
    space.run('PURGE :ann REFERENCE POLICY "authorized_cascade" CONFIRM "PURGE"', { ann });
    expect(space.find("FIND(COUNT(?p)) WHERE { ?p (?s, ?predicate, ?o) }")).toEqual([0]);
    expect(space.find('FIND(?x.key) WHERE { ?x {type: "Person"} }')).toEqual(["bob"]);
  });

  it("a concept that others were merged into is referenced by them, and a cascade takes them along", () => {
    const space = new TestSpace();
    const [one, two] = [space.person("one"), space.person("two")];
    space.run("MERGE CONCEPT :one INTO :two", { one, two });
    expect(space.code('PURGE :two CONFIRM "PURGE"', { two })).toBe("PurgeDenied");
    space.run('PURGE :two REFERENCE POLICY "authorized_cascade" CONFIRM "PURGE"', { two });
    expect(space.find('FIND(?x) WHERE { ?x {type: "Person"} }')).toEqual([]);
    expect(space.person("one")).toEqual({ id: "C-3" });
    expect(space.find('FIND(?x.id) WHERE { ?x {type: "Person", key: "one"} }')).toEqual(["C-3"]);
  });

  it("PURGE PAYLOAD keeps record, digest and citations and rewrites history", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    const { e } = space.handles(
      'MUTATE { CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "quince"} } ASSERT (:ann, "speaks", "Latin") {by: :ann, mode: "stated", evidence: ?e} }',
      { ann },
    );
    space.run('PURGE PAYLOAD :e CONFIRM "PURGE"', { e: ref(e!) });
    const [found] = space.find("FIND(?e) WHERE { ?a ASSERTION {evidence: ?e} }") as {
      payload?: Json;
      content_digest: string;
    }[];
    expect(found).toMatchObject({ id: e, content_digest: expect.stringMatching(/^sha256:/) });
    expect(JSON.stringify([found, space.run("HISTORY ELEMENT :e", { e: e! })])).not.toContain("quince");
  });
});

describe("history", () => {
  it("AS OF SEQ gives what was held at every number", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    const held: Record<number, Json> = { [space.seq]: null };
    for (let n = 1; n <= 5; n++) {
      space.run(`UPDATE :ann SET ATTRIBUTES {n: ${n}}`, { ann });
      held[space.seq] = n;
    }
    space.run('TRANSITION :ann TO "archived"', { ann });
    for (const [seq, n] of Object.entries(held))
      expect(space.find(`FIND(?x.attributes.n) WHERE { ?x {type: "Person"} } AS OF SEQ ${seq}`)).toEqual([n]);
    expect(space.find('FIND(?x) WHERE { ?x {type: "Person"} }')).toEqual([]);
    expect(space.find('FIND(?x) WHERE { ?x {type: "Person"} } AS OF SEQ 0')).toEqual([]);
    expect((space.run("HISTORY ELEMENT :ann", { ann }) as Json[]).length).toBe(7);
  });

  it("CHANGES gives every transaction once, in order, and goes on from its cursor", () => {
    const space = new TestSpace();
    for (const key of ["a", "b", "c", "d", "e"]) space.person(key);
    const seen: number[] = [];
    let command = "CHANGES AFTER SEQ 0 LIMIT 2";
    for (let page = 0; page < 4; page++) {
      const { result, next_cursor: cursor } = space.result(command);
      seen.push(
        ...(result as unknown as { transactions: { space_seq: number }[] }).transactions.map((row) => row.space_seq),
      );
      command = `CHANGES SINCE "${cursor}" LIMIT 2`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("schema", () => {
  it("a draft that the owner promotes matches old data and new under both names", () => {
    const space = new TestSpace();
    const ann = space.person("ann");
    space.run('DEFINE PREDICATE "fond_of" {description: "likes", subject: "Person", object: {kinds: ["Concept"]}}');
    const bob = space.person("bob");
    space.run('ASSERT (:ann, "fond_of", :bob) {by: :ann, mode: "stated"}', { ann, bob });
    expect(space.promote("PredicateType", "fond_of", "interested_in")).toMatchObject({
      to: "kip://mainspring/general@1.0.0/interested_in",
    });
    expect(space.code('ENSURE PROPOSITION (:ann, "interested_in", :bob)', { ann, bob })).toBe("no_effect");
    for (const name of ["fond_of", "interested_in", "kip://domains/general/interested_in"]) {
      expect(space.find(`FIND(?b.status) WHERE { ?b BELIEF (:ann, "${name}", :bob) }`, { ann, bob })).toEqual([
        "accepted",
      ]);
    }
    expect(() => space.promote("PredicateType", "fond_of", "knows")).toThrow("is promoted");
    expect(() => space.promote("PredicateType", "nothing", "knows")).toThrow("no draft");
  });

  it("a draft type of concepts matches after promotion, and a key stays one identity", () => {
    const space = new TestSpace();
    space.run('DEFINE CONCEPT TYPE "City" {description: "a city"}');
    space.run('UPSERT CONCEPT ?c { MATCH {type: "City", key: "rome"} }');
    space.promote("ConceptType", "City", "Place");
    expect(space.find('FIND(?x.key) WHERE { ?x {type: "Place"} }')).toEqual(["rome"]);
    expect(space.code('UPSERT CONCEPT ?c { MATCH {type: "Place", key: "rome"} }')).toBe("no_effect");
  });
});
