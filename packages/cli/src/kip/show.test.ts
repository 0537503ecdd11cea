import type { Json, KipResponse } from "@mainspring/kip";
import { KipError } from "@mainspring/kip";
import { expect, test } from "vitest";

import { cell, projectionsOf, showResponse } from "./show.ts";

const of = (result: Json, more: object = {}): KipResponse => ({
  kip: "2.0",
  status: "succeeded",
  results: [{ op_id: "0", status: "succeeded", result, ...more }],
});

test("rows of a query come under its projections", () => {
  const command = 'FIND(?p.name, COUNT(DISTINCT ?q), ?f["a,b"]) WHERE { }';
  expect(projectionsOf(command)).toEqual(["?p.name", "COUNT(DISTINCT ?q)", '?f["a,b"]']);
  const { out, notes } = showResponse(of([["Ana", 2, null]]), command);
  expect(out).toBe('?p.name  COUNT(DISTINCT ?q)  ?f["a,b"]\nAna      2                   -\n');
  expect(notes).toEqual(["1 row"]);
});

test("a single projection gives one column, of lists too", () => {
  expect(showResponse(of(["Ana", ["a", "b"]]), "FIND(?x) WHERE { }").out).toBe('?x\nAna\n["a","b"]\n');
  expect(showResponse(of([]), "FIND(?x) WHERE { }")).toMatchObject({ out: "", notes: ["0 rows"] });
});

test("lists of objects come under their members", () => {
  const rows = [{ ref: "kip://a/B", local_name: "B" }, { ref: "kip://a/C" }];
  expect(showResponse(of(rows), "LIST TYPES").out).toBe("REF        LOCAL_NAME\nkip://a/B  B\nkip://a/C  -\n");
});

test("hits, changes and anything else", () => {
  const hits = { hits: [{ id: "C-1", kind: "concept", score: 0.5, element: { id: "C-1", name: "Ana" } }] };
  expect(showResponse(of(hits), "SEARCH").out).toContain("C-1  concept  0.5    C-1 Ana");
  const changed = { handles: { p: "C-1" }, changes: [{ op: "create", kind: "concept", id: "C-1", new_version: 1 }] };
  const { out, notes } = showResponse(of(changed, { receipt: { tx_id: "tx-4" }, next_cursor: "c" }), "CREATE");
  expect(out).toBe("?p = C-1\nCHANGE  KIND     ID   VERSION\ncreate  concept  C-1  1\n");
  expect(notes).toEqual(["committed as tx-4", 'more: CURSOR "c"']);
  expect(showResponse(of({ a: 1 }), "DESCRIBE PRIMER").out).toBe('{\n  "a": 1\n}\n');
});

test("failures say where and what to do", () => {
  const error = new KipError("InvalidSyntax", "expected WHERE", { offset: 8, hint: "Write WHERE." }).toObject();
  const response: KipResponse = { kip: "2.0", status: "failed", results: [{ op_id: "0", status: "failed", error }] };
  expect(showResponse(response, "FIND(?x)")).toEqual({
    out: "",
    notes: ["InvalidSyntax: expected WHERE (at character 9). Write WHERE."],
    failed: true,
  });
  expect(showResponse({ kip: "2.0", status: "failed", results: [], error }, "").failed).toBe(true);
});

test("elements are their id and what they are called, on one line without control characters", () => {
  expect(cell({ id: "C-1", kind: "concept", name: "A\u001b[31mna\nB" })).toBe("C-1 Ana B");
  expect(cell({ id: "P-1", subject: { id: "C-1" }, predicate_ref: "kip://g/lives_in", object: { id: "C-2" } })).toBe(
    "P-1 (C-1 lives_in C-2)",
  );
  expect(cell({ id: "E-1", payload: { text: "hi" } })).toBe('E-1 {"text":"hi"}');
  expect(cell({ status: "accepted", accepted_values: [{ id: "C-2", name: "Lisbon" }] })).toBe("accepted: C-2 Lisbon");
  expect(cell("x".repeat(100))).toHaveLength(60);
});

test("versions of an element say what changed between them", () => {
  const version = (seq: number, status: string, more: object = {}): Json => ({
    space_seq: seq,
    tx_id: `tx-${seq}`,
    version: seq,
    at: "t",
    element: {
      id: "A-2",
      stance: "support",
      lifecycle: { status },
      ...more,
      _system: { version: seq, state: "active" },
    },
  });
  const rows = [version(1, "active"), version(2, "superseded", { by: { id: "A-3" } }), version(3, "superseded")];
  const { out, notes } = showResponse(of(rows), 'HISTORY ELEMENT "A-2"');
  expect(out.split("\n").map((line) => line.trim().replaceAll(/ {2,}/g, "|"))).toEqual([
    "SPACE_SEQ|VERSION|AT|WHAT CHANGED",
    "1|1|t|A-2 support null",
    "2|2|t|lifecycle.status: active → superseded, by: - → A-3",
    "3|3|t|by: A-3 → -",
    "",
  ]);
  expect(notes).toEqual(["3 rows"]);
});
