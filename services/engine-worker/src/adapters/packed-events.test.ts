import { Seeded } from "@mainspring/testkit";
import { expect, test } from "vitest";

import type { SessionEvent } from "../domain/events.ts";
import { packEvents, unpackEvents } from "./packed-events.ts";

test("packed events come back as they were, and are smaller", () => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  const rng = new Seeded(seed);
  for (let round = 0; round < 300; round += 1) {
    const n = 1 + rng.int(1_000);
    const at = 1_796_000_000_000;
    const events = Array.from({ length: rng.int(6) }, (_, index): SessionEvent => {
      const run = rng.chance(0.7) ? { run: `run_${rng.int(2)}` } : {};
      const step = rng.chance(0.6) ? { step: 1 + rng.int(2) } : {};
      const origin = rng.pick(["engine", "user", "tool", "model"] as const);
      const seq = n * 1_000 + index;
      return {
        seq,
        type: "run.failed",
        at: at + rng.int(2),
        ...run,
        ...step,
        origin,
        data: { code: "x", message: "y" },
      };
    });
    const packed = packEvents({ events, at });
    expect(unpackEvents(JSON.parse(JSON.stringify(packed)) as typeof packed, n, at), `SEED=${seed}`).toEqual(events);
    expect(JSON.stringify(packed).length).toBeLessThanOrEqual(JSON.stringify(events).length);
  }
});
