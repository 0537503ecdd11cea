import { expect, test } from "vitest";

import { complete } from "./completion.ts";

const symbols = ["Person", "Place", "prefers"];

test.each([
  ["FI", ["FIELD ", "FIELDS ", "FILTER ", "FIND "], "FI"],
  ["FIND(?x) wher", ["WHERE "], "wher"],
  ['FIND(?x) WHERE { ?x {type: "p', ['Person"', 'Place"', 'prefers"'], "p"],
  ['?x {name: "say \\"Pl', ['Place"'], "Pl"],
  ['{type: "Person"} LI', ["LIMIT ", "LIST "], "LI"],
  ["\\p", ["\\plan"], "\\p"],
  ["FIND(?FI", [], "FI"],
  ["LIMIT :LI", [], "LI"],
  ["FIND ", [], ""],
])("%j offers %j", (line, candidates, replaced) => {
  expect(complete(line, symbols)).toEqual([candidates, replaced]);
});
