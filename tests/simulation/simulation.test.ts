import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { explore } from "./exhaustive.ts";
import { FAULT_POINTS, nameOf } from "./fault-points.ts";
import type { FleetResult } from "./fleet.ts";
import { runFleet } from "./fleet.ts";
import { PLANTED_BUGS } from "./planted-bugs.ts";
import { plant } from "./plant.ts";
import { simulate } from "./simulate.ts";

const SEEDS = 2_000;
const HITS_MIN = 20;
const RUN = join(import.meta.dirname, "run.ts");

describe("the session protocol in virtual time", () => {
  let result: FleetResult;

  test(`${SEEDS} seeds keep every invariant`, { timeout: 600_000 }, async () => {
    const from = Number(process.env["MAINSPRING_SIM_FROM"] ?? 1);
    console.log(
      `seeds ${from} to ${from + SEEDS - 1}; replay one with: node tests/simulation/run.ts --seed N --history`,
    );
    result = await runFleet(RUN, from, SEEDS, false);
    expect(result.failures).toEqual([]);
    expect(result.failed).toBe(0);
    expect(result.seeds).toBe(SEEDS);
    expect(result.steps).toBeGreaterThan(SEEDS * 200);
  });

  test(`every fault point was hit at least ${HITS_MIN} times`, () => {
    const rare = FAULT_POINTS.map(nameOf).filter((point) => (result.faults[point] ?? 0) < HITS_MIN);
    expect(rare).toEqual([]);
  });

  test("a seed replays to the last byte", async () => {
    const [first, second] = [await simulate(41), await simulate(41)];
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(second.history).toEqual(first.history);
    expect((await simulate(42)).fingerprint).not.toBe(first.fingerprint);
  });

  test("every schedule with one deviation keeps every invariant", { timeout: 300_000 }, async () => {
    const { schedules, failures } = await explore(1, { index: 0, of: 1 });
    expect(failures).toEqual([]);
    expect(schedules).toBeGreaterThan(300);
  });
});

describe("planted bugs are caught", () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  for (const bug of PLANTED_BUGS) {
    test(bug.name, { timeout: 600_000 }, async () => {
      const folder = plant(bug);
      folders.push(folder);
      const caught = await runFleet(join(folder, "tests/simulation/run.ts"), 1, SEEDS, true);
      expect(caught.failures.length).toBeGreaterThan(0);
      console.log(`${bug.name}: ${caught.failures[0]}`);
    });
  }
});
