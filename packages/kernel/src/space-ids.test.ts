import { expect, test } from "vitest";

import { spaceIdProblem } from "./space-ids.ts";

test.each(["a", "notes_2026", "_", "x".repeat(64)])("%s may be a Space", (id) => {
  expect(spaceIdProblem(id)).toBeNull();
});

test.each(["", "x".repeat(65), "Notes", "a-b", "a/b", "a\n", "é"])("%j has a character or length too much", (id) => {
  expect(spaceIdProblem(id)).toContain("1 to 64");
});

test.each(["sessions", "spaces", "conversations"])("%s is a route", (id) => {
  expect(spaceIdProblem(id)).toContain("route");
});
