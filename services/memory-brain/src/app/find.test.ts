import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "@mainspring/kip";
import { ref, TestSpace } from "../testing/space.ts";

/** Ann knows Bob and Cid, Bob knows Cid, Cid knows Dan; all but Dan have an age; Ann lives in Rome. */
function people(): TestSpace {
  const space = new TestSpace();
  space.run(`MUTATE {
    UPSERT CONCEPT ?a { MATCH {type: "Person", key: "ann"} SET FIELDS {name: "Ann"} SET ATTRIBUTES {age: 30, tags: ["x", "y"]} }
    UPSERT CONCEPT ?b { MATCH {type: "Person", key: "bob"} SET FIELDS {name: "Bob"} SET ATTRIBUTES {age: 40} }
    UPSERT CONCEPT ?c { MATCH {type: "Person", key: "cid"} SET FIELDS {name: "Cid"} SET ATTRIBUTES {age: 50, address: {city: "Rome"}} }
    UPSERT CONCEPT ?d { MATCH {type: "Person", key: "dan"} SET FIELDS {name: "Dan"} }
    UPSERT CONCEPT ?r { MATCH {type: "Place", key: "rome"} SET FIELDS {name: "Rome"} }
    ENSURE PROPOSITION (?a, "knows", ?b) ENSURE PROPOSITION (?a, "knows", ?c)
    ENSURE PROPOSITION (?b, "knows", ?c) ENSURE PROPOSITION (?c, "knows", ?d)
    ENSURE PROPOSITION (?a, "lives_in", ?r) ENSURE PROPOSITION (?a, "timezone", "+01:00") ENSURE PROPOSITION (?a, "speaks", "Latin") }`);
  return space;
}

let space: TestSpace;
beforeAll(() => {
  space = people();
});

describe("an element that a member names", () => {
  it("is given by its id, as a text or in an object, by what it is, or by a tuple; what is no id is an error", () => {
    const space = new TestSpace();
    const [ann, bob] = [space.person("ann"), space.person("bob")];
    space.run('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "x", source: :ann} }', { ann });
    space.run('ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated", evidence: "E-1"}', { ann, bob });
    const found = (match: string): Json[] =>
      space.find(`FIND(?x.id) WHERE { ?x ASSERTION {${match}} }`, match.includes(":ann") ? { ann, bob } : {});
    for (const match of [
      ...['proposition: {id: "P-1"}', 'proposition: "P-1"', 'proposition: (:ann, "knows", :bob)'],
      ...['asserted_by: {id: "C-1"}', 'asserted_by: {type: "Person", key: "ann"}', 'evidence: {id: "E-1"}'],
    ])
      expect(found(match), match).toEqual(["A-1"]);
    for (const match of ['proposition: {id: "P-9"}', 'asserted_by: {key: "bob"}', 'evidence: "E-9"'])
      expect(found(match), match).toEqual([]);
    expect(space.code('FIND(?x) WHERE { ?x ASSERTION {proposition: "the first"} }')).toBe("NotFoundOrNotVisible");
    const edge = 'FIND(?x.id) WHERE { ?x ASSERTION {} STRUCTURAL (?x, "evidence", {id: "E-1"}) }';
    expect(space.find(edge)).toEqual(["A-1"]);
  });
});

describe("patterns", () => {
  it.each([
    ["by type", 'FIND(?x.name) WHERE { ?x {type: "Person"} } ORDER BY ?x.name', ["Ann", "Bob", "Cid", "Dan"]],
    [
      "by exact and public reference",
      'FIND(?x.name) WHERE { ?x {type: "kip://profiles/cognitive-memory@2.0.0/Person", key: "ann"} }',
      ["Ann"],
    ],
    ["by name", 'FIND(?x.key) WHERE { ?x {name: "Bob"} }', ["bob"]],
    ["by nested attributes", 'FIND(?x.key) WHERE { ?x {attributes: {address: {city: "Rome"}}} }', ["cid"]],
    ["by a list", 'FIND(?x.key) WHERE { ?x {type: "Person", attributes: {tags: ["x", "y"]}} }', ["ann"]],
    ["a variable as a value binds", 'FIND(?age) WHERE { ?x {key: "bob", attributes: {age: ?age}} }', [40]],
    ["two hops", 'FIND(?c.name) WHERE { {key: "ann"} {key: "x"} }', undefined],
    [
      "an inline match as a term",
      'FIND(?y.name) WHERE { ({type: "Person", key: "ann"}, "knows", ?y) } ORDER BY ?y.name',
      ["Bob", "Cid"],
    ],
    ["literal objects", 'FIND(?x.name) WHERE { (?x, "timezone", "+01:00") }', ["Ann"]],
    ["an object that binds a literal", 'FIND(?o) WHERE { ({key: "ann"}, "speaks", ?o) }', ["Latin"]],
    ["a predicate variable", 'FIND(?o) WHERE { (?x, ?p, ?o) FILTER(ENDS_WITH(?p, "/timezone")) }', ["+01:00"]],
    ["joins unify", 'FIND(?x.name) WHERE { (?x, "knows", ?y) (?y, "knows", ?z) (?x, "knows", ?z) }', ["Ann"]],
    ["one variable in both places", 'FIND(?x) WHERE { (?x, "knows", ?x) }', []],
    ["an alternative", 'FIND(COUNT(?o)) WHERE { ({key: "ann"}, "knows" | "lives_in", ?o) }', [3]],
    ["a raw path", 'FIND(?y.name) WHERE { ({key: "ann"}, "knows"{2,3}, ?y) } ORDER BY ?y.name', ["Cid", "Dan"]],
    [
      "zero hops are reflexive",
      'FIND(?y.name) WHERE { ({key: "ann"}, "knows"{0,}, ?y) } ORDER BY ?y.name',
      ["Ann", "Bob", "Cid", "Dan"],
    ],
    [
      "a path backwards",
      'FIND(?x.name) WHERE { (?x, "knows"{1,}, {key: "dan"}) } ORDER BY ?x.name',
      ["Ann", "Bob", "Cid"],
    ],
  ] as const)("%s", (_what, command, expected) => {
    if (expected === undefined) expect(space.code(command)).toBe("InvalidSyntax");
    else expect(space.find(command)).toEqual(expected);
  });

  it("several projections give rows, one gives values", () => {
    expect(space.find('FIND(?x.name, ?y.name) WHERE { ?x {key: "bob"} (?x, "knows", ?y) }')).toEqual([["Bob", "Cid"]]);
  });

  it("the order of items does not change the answer", () => {
    const items = [
      '?x {type: "Person"}',
      '(?x, "knows", ?y)',
      '?p (?y, "knows", ?z)',
      "FILTER(?x.attributes.age < 45)",
      'NOT { (?z, "knows", ?w) }',
      'OPTIONAL { (?x, "lives_in", ?l) }',
    ];
    const answers = new Set<string>();
    for (let turn = 0; turn < items.length; turn++) {
      const order = [...items.slice(turn), ...items.slice(0, turn)];
      for (const list of [order, order.toReversed()]) {
        answers.add(
          JSON.stringify(
            space.find(
              `FIND(?x.name, ?y.name, ?z.name, ?l.name) WHERE { ${list.join(" ")} } ORDER BY ?x.name, ?y.name`,
            ),
          ),
        );
      }
    }
    expect([...answers]).toEqual(['[["Ann","Cid","Dan","Rome"],["Bob","Cid","Dan",null]]']);
  });
});

describe("three-valued logic", () => {
  it.each([
    ["a comparison with null does not pass", "FILTER(?x.attributes.age > 0)", 3],
    ["nor does its negation", "FILTER(!(?x.attributes.age > 0))", 0],
    ["nor inequality", "FILTER(?x.attributes.age != 30)", 2],
    ["unlike types do not pass", 'FILTER(?x.attributes.age == "30")', 0],
    ["unlike types are not unequal either", 'FILTER(?x.attributes.age != "30")', 0],
    ["a true side decides a disjunction", 'FILTER(?x.attributes.age > 45 || ?x.name == "Dan")', 2],
    ["null in a disjunction does not pass alone", "FILTER(?x.attributes.age > 45 || ?x.attributes.none)", 1],
    ["a false side decides a conjunction", 'FILTER(!(?x.attributes.age > 0 && ?x.name == "nobody"))', 4],
    ["IS_NULL", "FILTER(IS_NULL(?x.attributes.age))", 1],
    ["IS_NOT_NULL", "FILTER(IS_NOT_NULL(?x.attributes.age))", 3],
    ["IN", 'FILTER(IN(?x.name, ["Ann", "Dan", 3]))', 2],
    ["CONTAINS", 'FILTER(CONTAINS(?x.name, "n"))', 2],
    ["CONTAINS of a list", 'FILTER(CONTAINS(?x.attributes.tags, "y"))', 1],
    ["STARTS_WITH and ENDS_WITH", 'FILTER(STARTS_WITH(?x.name, "A") || ENDS_WITH(?x.name, "b"))', 2],
    ["REGEX", 'FILTER(REGEX(?x.name, "^[A-C](n|o)"))', 2],
    ["IS_ELEMENT", "FILTER(IS_ELEMENT(?x))", 4],
    ["IS_KIND", 'FILTER(IS_KIND(?x, "Concept"))', 4],
    ["IS_LITERAL", "FILTER(IS_LITERAL(?x.name))", 4],
    ["LITERAL_TYPE", 'FILTER(LITERAL_TYPE(?x.attributes.age) == "number")', 3],
    ["unary minus", "FILTER(-?x.attributes.age < -35)", 2],
  ])("%s", (_what, filter, count) => {
    expect(space.find(`FIND(COUNT(?x)) WHERE { ?x {type: "Person"} ${filter} }`)).toEqual([count]);
  });

  it("a regular expression that would hang others does not hang", () => {
    space.run('UPDATE ?x SET ATTRIBUTES {long: :text} WHERE { ?x {key: "dan"} }', { text: "a".repeat(4000) });
    const before = performance.now();
    expect(
      space.find('FIND(?x) WHERE { ?x {key: "dan"} FILTER(REGEX(?x.attributes.long, "^(a+)+(a|aa)*b$")) }'),
    ).toEqual([]);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe("blocks", () => {
  it("OPTIONAL is a left join whose filter restricts its matches only", () => {
    const command =
      'FIND(?x.name, ?y.name) WHERE { ?x {type: "Person"} OPTIONAL { (?x, "knows", ?y) FILTER(?y.name == "Cid") } } ORDER BY ?x.name';
    expect(space.find(command)).toEqual([
      ["Ann", "Cid"],
      ["Bob", "Cid"],
      ["Cid", null],
      ["Dan", null],
    ]);
  });

  it("NOT sees the outer bindings and exports none", () => {
    expect(space.find('FIND(?x.name) WHERE { ?x {type: "Person"} NOT { (?x, "knows", ?y) } }')).toEqual(["Dan"]);
    expect(space.code('FIND(?y) WHERE { ?x {type: "Person"} NOT { (?x, "knows", ?z) } }')).toBe("InvalidSyntax");
  });

  it("blocks nest", () => {
    const command =
      'FIND(?x.name, ?l.name) WHERE { ?x {type: "Person"} OPTIONAL { (?x, "lives_in", ?l) NOT { (?l, "located_in", ?w) } OPTIONAL { (?l, "located_in", ?v) } } } ORDER BY ?x.name LIMIT 2';
    expect(space.find(command)).toEqual([
      ["Ann", "Rome"],
      ["Bob", null],
    ]);
  });

  it("a UNION branch starts empty, is de-duplicated, and later items apply to all", () => {
    const union =
      'FIND(?x.name) WHERE { ?x {key: "ann"} UNION { ?x {type: "Person"} } FILTER(?x.name != "Bob") } ORDER BY ?x.name';
    expect(space.find(union)).toEqual(["Ann", "Cid", "Dan"]);
    const left =
      'FIND(?x.name) WHERE { ?x {type: "Person"} FILTER(?x.name == "Bob") UNION { ?x {key: "dan"} } } ORDER BY ?x.name';
    expect(space.find(left)).toEqual(["Bob", "Dan"]);
  });
});

describe("aggregates and order", () => {
  it("an aggregate alone gives one row even on no match", () => {
    expect(space.find('FIND(COUNT(?x), SUM(?x.attributes.age), MIN(?x.name)) WHERE { ?x {key: "nobody"} }')).toEqual([
      [0, null, null],
    ]);
    expect(space.find('FIND(COUNT(?x), AVG(?x.attributes.age), MAX(?x.name)) WHERE { ?x {type: "Person"} }')).toEqual([
      [4, 40, "Dan"],
    ]);
  });

  it("plain expressions beside aggregates are the group keys", () => {
    expect(space.find('FIND(?x.name, COUNT(?y)) WHERE { (?x, "knows", ?y) } ORDER BY COUNT(?y) DESC, ?x.name')).toEqual(
      [
        ["Ann", 2],
        ["Bob", 1],
        ["Cid", 1],
      ],
    );
    expect(space.find('FIND(?x.name, COUNT(?y)) WHERE { (?x, "knows", ?y) (?y, "lives_in", ?z) }')).toEqual([]);
  });

  it("COUNT DISTINCT counts elements once, and complete solutions are de-duplicated before", () => {
    expect(space.find('FIND(COUNT(?y), COUNT(DISTINCT ?y)) WHERE { (?x, "knows", ?y) }')).toEqual([[4, 3]]);
  });

  it("a count over everything agrees with counting row by row", () => {
    expect(space.find('FIND(COUNT(?p)) WHERE { ?p (?s, "knows", ?o) }')).toEqual([4]);
    expect(space.find("FIND(COUNT(?p)) WHERE { ?p (?s, ?predicate, ?o) }")).toEqual([7]);
    expect(space.find("FIND(COUNT(?p)) WHERE { ?p (?s, ?predicate, ?o) FILTER(IS_NOT_NULL(?p.id)) }")).toEqual([7]);
  });

  it("nulls sort last in both directions", () => {
    const command = 'FIND(?x.name) WHERE { ?x {type: "Person"} } ORDER BY ?x.attributes.age';
    expect(space.find(command)).toEqual(["Ann", "Bob", "Cid", "Dan"]);
    expect(space.find(`${command} DESC`)).toEqual(["Cid", "Bob", "Ann", "Dan"]);
  });

  it("LIMIT 0 is legal", () => expect(space.find('FIND(?x) WHERE { ?x {type: "Person"} } LIMIT 0')).toEqual([]));
});

describe("cursors", () => {
  it("page through one snapshot, whatever is written meanwhile", () => {
    const paged = people();
    const command = 'FIND(?x.name) WHERE { ?x {type: "Person"} } ORDER BY ?x.name LIMIT 2';
    const first = paged.result(command);
    expect(first.result).toEqual(["Ann", "Bob"]);
    paged.run('UPSERT CONCEPT ?z { MATCH {type: "Person", key: "aaa"} SET FIELDS {name: "Aaa"} }');
    const second = paged.result(`${command} CURSOR :cursor`, { cursor: first.next_cursor! });
    expect([second.result, second.next_cursor]).toEqual([["Cid", "Dan"], undefined]);
  });
});

describe("pages without ORDER BY", () => {
  it("give every row once, though the plan changes in between", () => {
    const paged = new TestSpace();
    for (let n = 0; n < 40; n++) paged.person(`p${n}`);
    paged.run(
      `MUTATE { ${Array.from({ length: 39 }, (_, n) => `ENSURE PROPOSITION ({type: "Person", key: "p${n}"}, "knows", {type: "Person", key: "p${n + 1}"})`).join(" ")} }`,
    );
    const command = 'FIND(?x.key, ?y.key) WHERE { (?x, "knows", ?y) ?y {type: "Person"} } LIMIT 7';
    const seen: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10; page++) {
      const found = paged.result(cursor === undefined ? command : `${command} CURSOR "${cursor}"`);
      seen.push(...(found.result as unknown[]).map((row) => JSON.stringify(row)));
      cursor = found.next_cursor;
      if (cursor === undefined) break;
      paged.run(
        `MUTATE { ${Array.from({ length: 300 }, (_, n) => `CREATE CONCEPT ?c${n} { TYPE "Person" }`).join(" ")} }`,
      );
    }
    expect([seen.length, new Set(seen).size]).toEqual([39, 39]);
  });

  it("one grounded belief about a hub does not project all of it", () => {
    const hub = new TestSpace({ bindings: 100_000, projectionTargets: 1500 });
    const ann = hub.person("ann");
    hub.run(
      `MUTATE { ${Array.from({ length: 2000 }, (_, n) => `ENSURE PROPOSITION (:ann, "speaks", "language ${n}")`).join(" ")} }`,
      { ann },
    );
    hub.run('ASSERT (:ann, "speaks", "language 7") {by: :ann, mode: "stated"}', { ann });
    expect(hub.find('FIND(?b.status) WHERE { ?b BELIEF (:ann, "speaks", "language 7") }', { ann })).toEqual([
      "accepted",
    ]);
    expect(hub.find('FIND(?b.status) WHERE { ?b BELIEF (:ann, "speaks", "language 8") }', { ann })).toEqual([
      "insufficient",
    ]);
    expect(hub.code('FIND(?b.status) WHERE { ?b BELIEF (:ann, "speaks", ?language) }', { ann })).toBe(
      "ProjectionTargetUnbounded",
    );
  });
});

describe("search, structure, plans", () => {
  it("the Search Pattern exposes score and mode and joins with other patterns", () => {
    const found = space.find(
      'FIND(?x.name, ?x.retrieval.mode, ?y.name) WHERE { ?x SEARCH CONCEPT "bob" WITH TYPE "Person" LIMIT 5 (?x, "knows", ?y) }',
    );
    expect(found).toEqual([["Bob", "keyword", "Cid"]]);
  });

  it("all words are better than some, and a miss says whether it looked everywhere", () => {
    const searched = people();
    for (const [key, note] of [
      ["one", "amber river by the sea"],
      ["two", "amber sky"],
      ["three", "a river in the rain"],
    ] as const) {
      searched.run('UPSERT CONCEPT ?t { MATCH {type: "Topic", key: :key} SET ATTRIBUTES {note: :note} }', {
        key,
        note,
      });
    }
    const hits = searched.run('SEARCH CONCEPT "the amber river" LIMIT 3') as {
      hits: { element: { key: string }; score: number }[];
      exhaustive: boolean;
    };
    expect(hits.hits[0]!.element.key).toBe("one");
    expect(hits.hits.map((hit) => hit.element.key).sort()).toEqual(["one", "three", "two"]);
    expect(hits.hits[0]!.score).toBeGreaterThan(hits.hits[1]!.score);
    expect(searched.run('SEARCH CONCEPT "nowhere"')).toMatchObject({
      hits: [],
      exhaustive: true,
      index_seq: searched.seq,
    });
    expect(searched.run('SEARCH PROPOSITION "latin"')).toMatchObject({ hits: [{ kind: "Proposition" }] });
    const marked = searched.run('SEARCH CONCEPT "ámber SKY" WITH TYPE "Topic" LIMIT 1') as typeof hits;
    expect(marked.hits.map((hit) => hit.element.key)).toEqual(["two"]);
    expect(marked.hits[0]!.score).toBeGreaterThan(0.8);
  });

  it("ordered links have a dense index; archived elements are out of patterns", () => {
    const structured = new TestSpace();
    const made = structured.handles(`MUTATE {
      CREATE CONCEPT ?e { TYPE "Experience" SET ATTRIBUTES {goal: "g", outcome_status: "success"} SET STRUCTURAL { ("has_step", ?s1) ("has_step", ?s2) ("has_step", ?s3) {index: 0} } }
      CREATE CONCEPT ?s1 { TYPE "ExperienceStep" SET ATTRIBUTES {step_kind: "action", summary: "1"} }
      CREATE CONCEPT ?s2 { TYPE "ExperienceStep" SET ATTRIBUTES {step_kind: "action", summary: "2"} }
      CREATE CONCEPT ?s3 { TYPE "ExperienceStep" SET ATTRIBUTES {step_kind: "action", summary: "3"} } }`);
    const steps =
      'FIND(?edge.index, ?s.attributes.summary) WHERE { ?edge STRUCTURAL (?e, "has_step", ?s) } ORDER BY ?edge.index';
    expect(structured.find(steps)).toEqual([
      [0, "3"],
      [1, "1"],
      [2, "2"],
    ]);
    structured.run('UPDATE :e UNSET STRUCTURAL { ("has_step", :s) }', { e: ref(made["e"]!), s: ref(made["s1"]!) });
    expect(structured.find(steps)).toEqual([
      [0, "3"],
      [1, "2"],
    ]);
    structured.run('TRANSITION :s TO "archived"', { s: ref(made["s3"]!) });
    expect(structured.find(steps)).toEqual([[1, "2"]]);
    expect(structured.find('FIND(COUNT(?s)) WHERE { ?s {type: "ExperienceStep"} }')).toEqual([2]);
  });

  it("beliefs are asked by bound proposition, by id and about statements about statements", () => {
    const nested = new TestSpace();
    const [ann, bob] = [nested.person("ann"), nested.person("bob")];
    nested.run('DEFINE PREDICATE "doubts" {description: "d", subject: "Person", object: {kinds: ["Proposition"]}}');
    nested.run('ASSERT (:ann, "doubts", (:bob, "speaks", "Latin")) {by: :ann, mode: "stated"}', { ann, bob });
    expect(
      nested.find('FIND(?x.key, ?b.status) WHERE { ?s (?x, "doubts", (?y, "speaks", "Latin")) ?b BELIEF (?s) }'),
    ).toEqual([["ann", "accepted"]]);
    expect(nested.find('FIND(?b.status) WHERE { ?b BELIEF (id: "P-1") }')).toEqual(["insufficient"]);
    expect(nested.find("FIND(?b.status) WHERE { ?b BELIEF (id: :p) }", { p: "P-2" })).toEqual(["accepted"]);
  });

  it("derivation fields are computed from Activities", () => {
    const derived = new TestSpace();
    const made = derived.handles(`MUTATE {
      CREATE CONCEPT ?i { TYPE "Insight" SET ATTRIBUTES {summary: "lesson"} }
      CREATE CONCEPT ?e { TYPE "Event" SET ATTRIBUTES {summary: "what happened"} }
      CREATE ACTIVITY ?x { SET FIELDS {activity_class: "consolidation"} SET STRUCTURAL { ("inputs", ?e) ("outputs", ?i) } } }`);
    expect(
      derived.find('FIND(?y.attributes.summary) WHERE { STRUCTURAL (:i, "derived_from", ?y) }', { i: ref(made["i"]!) }),
    ).toEqual(["what happened"]);
    expect(
      derived.find('FIND(?y.id) WHERE { STRUCTURAL (:e, "consolidated_to", ?y) }', { e: ref(made["e"]!) }),
    ).toEqual([made["i"]]);
    expect(
      derived.code('UPDATE :i SET STRUCTURAL { ("derived_from", :e) }', { i: ref(made["i"]!), e: ref(made["e"]!) }),
    ).toBe("ProtectedSystemField");
  });

  it("an object given as a parameter is a value, never a pattern", () => {
    expect(space.code('FIND(?p) WHERE { ?p (?x, "knows", :o) }', { o: { type: "Person" } })).toBe("TypeMismatch");
  });

  it("VALIDATE KQL shows the plan, the selective pattern first", () => {
    const command = 'FIND(?y) WHERE { (?x, "knows", ?y) ?x {type: "Person", key: "ann"} }';
    const { plan } = space.run("VALIDATE KQL :command", { command }) as { plan: { pattern: string; access: string }[] };
    expect(plan.map((step) => step.access)).toEqual(["concept by type and key", "proposition by subject"]);
  });
});
