import { describe, expect, test } from "vitest";

import { derivedId, newId, runIdOf, sessionOfRun, systemRandom, uuidV7Hex } from "./ids.ts";

describe("ids", () => {
  test("a fresh id is a UUIDv7 and sorts by its time", () => {
    const early = uuidV7Hex(1_000_000_000_000, systemRandom);
    const late = uuidV7Hex(1_000_000_000_001, systemRandom);
    expect(early).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(early < late).toBe(true);
  });

  test("random bytes never repeat, across the ends of the pool too", () => {
    const seen = new Set<string>();
    for (let draw = 0; draw < 2_000; draw += 1) seen.add(Buffer.from(systemRandom.bytes(10)).toString("hex"));
    expect(seen.size).toBe(2_000);
    expect(systemRandom.bytes(10_000)).toHaveLength(10_000);
  });

  test("a derived id follows from its parts, however they are cut", () => {
    expect(derivedId("call", "a", "bc")).toBe(derivedId("call", "a", "bc"));
    expect(derivedId("call", "a", "bc")).not.toBe(derivedId("call", "ab", "c"));
  });

  test("a run's id leads to its session", () => {
    const session = newId("ses", Date.now(), systemRandom);
    expect(sessionOfRun(runIdOf(session, "mine"))).toBe(session);
    expect(sessionOfRun("run_nothing")).toBeNull();
  });
});
