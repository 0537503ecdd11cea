/**
 * Every service is restarted in turn while runs go on: each drains and ends with 0, every run finishes, no effect happens
 * twice, and the streams of the clients, resumed where they broke, have no hole.
 */
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { withServer } from "../support/adapters.ts";
import { Deployment } from "../support/deployment.ts";
import { checkStream, readToEnd, startRun } from "../support/run-reader.ts";
import { Witness, WITNESS_TOOLS_DIR } from "../support/witness.ts";

const RUNS = 50;
const STEPS = 6;

const { redis, mongo } = inject("servers");

withServer("a rolling restart", redis.url === null ? redis : mongo, () => {
  let witness: Witness;
  let deployment: Deployment;

  beforeAll(async () => {
    witness = await Witness.start();
    deployment = await Deployment.start({
      evals: true,
      toolsDir: WITNESS_TOOLS_DIR,
      environment: { WITNESS_URL: witness.url },
    });
  }, 180_000);
  afterAll(async () => {
    await deployment.stop();
    await witness.stop();
  });

  test(`of all services under ${RUNS} live runs`, { timeout: 300_000 }, async () => {
    const runs = Array.from({ length: RUNS }, async (_, index) => {
      const step = (number: number): string =>
        `say step ${number}\nwait 1500\ncall witness_never {"id":"r${index}-${number}"}\nthen`;
      const input = [...Array.from({ length: STEPS }, (_step, number) => step(number)), "say done"].join("\n");
      const id = await startRun(deployment.url, input, `rolling-${index}`);
      const events = await readToEnd(() => deployment.url, id);
      checkStream(events);
      return events;
    });
    for (const run of runs) run.catch(() => undefined);
    await witness.seen("r0-0");
    for (const name of deployment.names) expect([name, await deployment.restart(name)]).toEqual([name, 0]);
    const results = await Promise.all(runs);

    const wrong = results.flatMap((events) => events.slice(-1)).filter(({ type }) => type !== "response.completed");
    expect(wrong).toEqual([]);
    for (const events of results) {
      const said = events.filter(({ type }) => type === "response.output_text.done").map(({ text }) => text);
      const whole = Array.from({ length: STEPS }, (_step, number) => `step ${number}`);
      // A model call that lost its worker is made again: what it had said closes as incomplete and is said once more.
      expect(said.filter((text, index) => text !== said[index - 1])).toEqual([...whole, "done"]);
    }
    const times = new Map<string, number>();
    for (const { id } of witness.effects) times.set(id, (times.get(id) ?? 0) + 1);
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  });
});
