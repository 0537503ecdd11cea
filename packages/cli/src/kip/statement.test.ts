import { describe, expect, test } from "vitest";

import { readTyped, splitScript } from "./statement.ts";

describe("a script", () => {
  test("is parted by semicolons, but not those in strings and comments", () => {
    const script = 'LIST TYPES; // a; comment\nSEARCH CONCEPT "a;\\";b" LIMIT 1;\n\n;DESCRIBE PRIMER';
    expect(splitScript(script)).toEqual([
      "LIST TYPES",
      '// a; comment\nSEARCH CONCEPT "a;\\";b" LIMIT 1',
      "DESCRIBE PRIMER",
    ]);
  });

  test("of comments and space holds no command", () => {
    expect(splitScript(" // nothing;\n\n ;; ")).toEqual([]);
  });

  test("keeps every character of its commands", () => {
    const script = 'FIND(?x) WHERE { ?x {type: "T/U"} FILTER(?x.a / 2) }';
    expect(splitScript(script)).toEqual([script]);
  });
});

describe("what is typed", () => {
  test.each([
    "DESCRIBE PRIMER\n",
    'FIND(?x)\nWHERE {\n ?x {type: "Person"}\n}\n',
    "FIND(?x) WHERE {;\n",
    'SEARCH CONCEPT "not closed\n',
    "FIND(?x) WHERE ]\n",
    "NONSENSE\n",
    "LIST TYPES; // with a comment\n",
  ])("%j is ready", (text) => {
    expect(readTyped(text)).toMatchObject({ waits: false, ready: [expect.any(String)] });
  });

  test.each(["FIND(?x)\n", "FIND(?x) WHERE {\n", "DESCRIBE\n", "LIST TYPES; FIND(?x)\n"])("%j waits", (text) => {
    expect(readTyped(text)).toEqual({ waits: true, ready: [] });
  });

  test("nothing is no command", () => {
    expect(readTyped("\n")).toEqual({ waits: false, ready: [] });
  });
});
