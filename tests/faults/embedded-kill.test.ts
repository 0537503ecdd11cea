/** kill -9 of the embedded process between an effect and its recorded result. Effects are counted by an outside witness. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";
import { callsById, checkStream, readToEnd, startRun } from "../support/run-reader.ts";
import { Witness, WITNESS_TOOLS_DIR } from "../support/witness.ts";

let witness: Witness;
let dataDir: string;
let server: EmbeddedServer;

const start = (): Promise<EmbeddedServer> =>
  startUp(dataDir, { MAINSPRING_TOOLS_DIR: WITNESS_TOOLS_DIR, WITNESS_URL: witness.url });

beforeEach(async () => {
  witness = await Witness.start();
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-kill-"));
  server = await start();
});

afterEach(async () => {
  await server.process.kill();
  await witness.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const DIRECTIVES = [
  "say before the calls",
  'call witness_never {"id":"never","hold":true}',
  'call witness_keyed {"id":"keyed","hold":true}',
  'call witness_safe {"id":"safe","hold":true}',
  "then",
  "say first {{result:1}} second {{result:2}} third {{result:3}}",
].join("\n");

test("the run finishes by itself, and each tool is repeated or not as it declared", async () => {
  const id = await startRun(server.url, DIRECTIVES, "kill-1");
  const reading = readToEnd(() => server.url, id);
  await Promise.all(["never", "keyed", "safe"].map((name) => witness.seen(name)));
  await server.process.kill("SIGKILL");
  server = await start();
  const events = await reading;
  checkStream(events);

  expect(witness.of("never")).toHaveLength(1);
  const keyed = witness.of("keyed");
  expect(keyed.map((effect) => effect.attempt)).toEqual([1, 2]);
  expect(new Set(keyed.map((effect) => effect.key)).size).toBe(1);
  expect(witness.of("safe").map((effect) => effect.attempt)).toEqual([1, 2]);

  const { response } = events.at(-1) as unknown as {
    response: { status: string; output: { type: string; arguments?: string }[] };
  };
  expect(response.status).toBe("completed");
  const calls = callsById(response);
  expect(calls.get("never")).toMatchObject({
    status: "failed",
    output: null,
    error: expect.stringContaining("unknown"),
  });
  expect(calls.get("keyed")).toMatchObject({ status: "completed", output: "effect keyed" });
  expect(calls.get("safe")).toMatchObject({ status: "completed", output: "effect safe" });
  expect(JSON.stringify(response.output)).toContain("second effect keyed third effect safe");
});

test("a replay after the crash gives every event under the number it had", async () => {
  const id = await startRun(server.url, DIRECTIVES, "kill-2");
  const live = readToEnd(() => server.url, id);
  await Promise.all(["never", "keyed", "safe"].map((name) => witness.seen(name)));
  await server.process.kill("SIGKILL");
  server = await start();
  const events = await live;
  const replayed = await readToEnd(() => server.url, id);
  const plain = (list: typeof events): unknown[] =>
    list.map(({ type, sequence_number, item_id, delta }) => ({ type, sequence_number, item_id, delta }));
  expect(plain(replayed)).toEqual(plain(events));
});

test("killed again and again at any moment, it loses nothing and does nothing twice", async () => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const round = (step: number): string => `call witness_never {"id":"n-${index}-${step}"}\nthen`;
      return startRun(server.url, [round(1), round(2), round(3), "say done"].join("\n"), `again-${index}`);
    }),
  );
  const readings = ids.map((id) => readToEnd(() => server.url, id));
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20 + round * 30));
    await server.process.kill("SIGKILL");
    server = await start();
  }
  for (const events of await Promise.all(readings)) {
    checkStream(events);
    expect(events.at(-1)).toMatchObject({ type: "response.completed" });
  }
  const twice = witness.effects.filter((effect) => witness.of(effect.id).length > 1);
  expect(twice).toEqual([]);
});
