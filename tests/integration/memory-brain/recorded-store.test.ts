/** A Space whose writes are recorded before they are committed, and copies that are made from the records. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { Seeded } from "@mainspring/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { RequestContext } from "../../../services/memory-brain/src/app/execute.ts";
import type { LogPosition, Recorder, SealedBatch } from "../../../services/memory-brain/src/app/local-space.ts";
import type { EmbedderName } from "../../../services/memory-brain/src/adapters/embedders/embedder-of.ts";
import { SpaceStore } from "../../../services/memory-brain/src/adapters/space-store/space-store.ts";

const context: RequestContext = { caller: "t", authority: { principal: "owner", actor: undefined }, readOnly: false };
const SEED = Number(process.env["SPACE_SEED"] ?? Date.now() % 1_000_000);
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "recorded-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Entry = LogPosition & SealedBatch;

class ListedRecords implements Recorder {
  readonly entries: Entry[] = [];
  readonly waitMs: number;
  /** What comes before a record is confirmed; false: it is another's. */
  before: (entry: Entry) => Promise<boolean> = async () => true;
  erased = 0;

  constructor(waitMs = 60_000) {
    this.waitMs = waitMs;
  }

  readonly record = async (sealed: SealedBatch): Promise<LogPosition | null> => {
    const at = { no: this.entries.length + 1, commit: `c${this.entries.length + 1}` };
    const entry = { ...sealed, ...at };
    if (!(await this.before(entry))) return null;
    this.entries.push(entry);
    return at;
  };

  readonly erase = async (): Promise<void> => {
    this.erased += 1;
  };
}

const open = (name: string, embedder: EmbedderName = "none"): Promise<SpaceStore> =>
  SpaceStore.open(join(directory, `${name}.db`), "s", { recorded: true, embedder });

async function recorded(records: ListedRecords, embedder: EmbedderName = "none"): Promise<SpaceStore> {
  const space = await open("a", embedder);
  await space.startRecording(records);
  return space;
}

const remember = (space: SpaceStore, text: string) =>
  space.call("remember", { text, user: "u", agent: "", idempotencyKey: "", tier: 5 }, context);
const found = async (space: SpaceStore, query: string): Promise<boolean> =>
  (await space.call("recall", { query, limit: 1 }, context)).hits.length > 0;

async function rows(space: SpaceStore): Promise<string[]> {
  const frames: Uint8Array[] = [];
  for await (const frame of space.dump()) frames.push(frame);
  return Buffer.concat(frames)
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("["));
}

const vectorsIn = (lines: readonly string[]): number => lines.filter((line) => line.startsWith('["vector"')).length;

/** Every word of the index with the rows that have it. */
function words(name: string): unknown[] {
  const db = new DatabaseSync(join(directory, `${name}.db`), { readOnly: true });
  try {
    return ["fts_concept", "fts_proposition", "fts_record"].map((table) => {
      db.exec(`create virtual table temp.v_${table} using fts5vocab(main, ${table}, 'instance')`);
      return db.prepare(`select term, doc from temp.v_${table} order by term, doc`).all();
    });
  } finally {
    db.close();
  }
}

/** Random work of all kinds; what fails is part of it. */
async function work(space: SpaceStore, rng: Seeded, count: number): Promise<void> {
  const run = (command: string, parameters = {}) =>
    space.execute({ kip: "2.0", operations: [{ command, parameters }] }, context);
  const any = (letter: string) => ({ id: `${letter}-${1 + rng.int(12)}` });
  const kinds = [
    () => remember(space, `text ${rng.int(1_000)} of seed`),
    () =>
      run('UPSERT CONCEPT ?p { MATCH {type: "Person", key: :k} SET FIELDS {name: :n} }', {
        k: `p${rng.int(9)}`,
        n: `n${rng.int(99)}`,
      }),
    () => run('ASSERT ?a (:s, "knows", :o) {by: :s, mode: "stated"}', { s: any("C"), o: any("C") }),
    () => run('TRANSITION :a TO "retracted"', { a: any("A") }),
    () => run("MERGE CONCEPT :s INTO :o", { s: any("C"), o: any("C") }),
    () => run('PURGE :e REFERENCE POLICY "authorized_cascade" CONFIRM "PURGE"', { e: any("C") }),
    () => run('PURGE PAYLOAD :e CONFIRM "PURGE"', { e: any("E") }),
    () => space.call("forget", { entities: [any("E").id, any("A").id], dryRun: rng.int(2) === 0 }, context),
    () => space.call("pin", { entity: any("E").id, pinned: true }, context).catch(() => null),
  ];
  for (let done = 0; done < count;) {
    const together = 1 + rng.int(6);
    await Promise.all(Array.from({ length: together }, () => kinds[rng.int(kinds.length)]!()));
    done += together;
  }
}

describe(`records, SPACE_SEED=${SEED}`, () => {
  it("make copies that are equal row by row and word by word, from the start or from any dump on", async () => {
    const records = new ListedRecords();
    const rng = new Seeded(SEED);
    await using space = await recorded(records, "offline/hash");
    await work(space, rng, 60);
    const dumped: Uint8Array[] = [];
    for await (const frame of space.dump()) dumped.push(frame);
    const at = await space.position();
    await work(space, rng, 60);
    for (let step = 0; step < 8; step += 1) await space.flush();
    const expected = await rows(space);
    expect(vectorsIn(expected)).toBeGreaterThan(0);
    await using fresh = await open("fresh", "offline/hash");
    await fresh.apply(records.entries);
    await using restored = await open("restored", "offline/hash");
    for (const frame of dumped) await restored.restore(frame, at);
    await restored.restore(null, at);
    await restored.apply(records.entries.slice(at.no));
    for (const [name, copy] of Object.entries({ fresh, restored })) {
      expect(await copy.position()).toEqual(await space.position());
      expect(await rows(copy)).toEqual(expected);
      await copy.startRecording(new ListedRecords());
      expect(words(name)).toEqual(words("a"));
    }
    expect(records.entries.map(({ no }) => no)).toEqual(records.entries.map((_, index) => index + 1));
  });

  it("refuse a copy that they were not made on", async () => {
    const records = new ListedRecords();
    await using space = await recorded(records);
    const [one] = (await remember(space, "one")).entities;
    await space.call("pin", { entity: one!, pinned: true }, context);
    await using copy = await open("copy");
    await expect(copy.apply(records.entries.slice(2))).rejects.toMatchObject({ code: "DigestMismatch" });
  });
});

describe("a write that waits for its record", () => {
  it("is seen by nobody, while reads go on", async () => {
    const records = new ListedRecords();
    await using space = await recorded(records);
    await remember(space, "visible");
    await space.flush();
    const verdict = Promise.withResolvers<boolean>();
    const begun = Promise.withResolvers<void>();
    records.before = (): Promise<boolean> => {
      begun.resolve();
      return verdict.promise;
    };
    const writing = remember(space, "invisible");
    await begun.promise;
    expect(await found(space, "visible")).toBe(true);
    expect(await found(space, "invisible")).toBe(false);
    verdict.resolve(true);
    await writing;
    expect(await found(space, "invisible")).toBe(true);
  });

  it("is not disturbed by words that wait to be indexed", async () => {
    const records = new ListedRecords();
    await using space = await recorded(records);
    // Longer than the writer's idle moment, for each of several batches that come one after the other.
    records.before = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return true;
    };
    const writes: Promise<unknown>[] = [];
    for (let n = 0; n < 4; n += 1) {
      writes.push(remember(space, `note${n}`));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await Promise.all(writes);
    await using copy = await open("copy");
    await copy.apply(records.entries);
    expect(await rows(copy)).toEqual(await rows(space));
  });

  it("and all behind it are refused when the Space is another's, and nothing of them stays", async () => {
    const records = new ListedRecords();
    await using space = await recorded(records);
    await remember(space, "kept");
    records.before = async () => false;
    const results = await Promise.allSettled(["a", "b", "c"].map((text) => remember(space, `unwanted ${text}`)));
    for (const result of results) expect(result).toMatchObject({ reason: { code: "unavailable", retry: "safe" } });
    await space.kill();
    await using again = await open("a");
    expect((await rows(again)).filter((row) => row.includes("unwanted"))).toEqual([]);
    expect(await again.position()).toEqual({ no: records.entries.length, commit: records.entries.at(-1)!.commit });
  });

  it("for too long tells its caller that nobody knows, and those behind it that nothing began", async () => {
    const records = new ListedRecords(200);
    await using space = await recorded(records);
    const verdict = Promise.withResolvers<boolean>();
    const begun = Promise.withResolvers<void>();
    records.before = (): Promise<boolean> => {
      begun.resolve();
      return verdict.promise;
    };
    const first = remember(space, "in doubt");
    await begun.promise;
    const second = remember(space, "behind");
    await expect(first).rejects.toMatchObject({ code: "unavailable", retry: "unknownOutcome" });
    await expect(second).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
    await expect(remember(space, "later")).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
    records.before = async () => true;
    verdict.resolve(true);
    await expect.poll(() => remember(space, "after").catch(() => null)).not.toBeNull();
    await space.flush();
    expect(await found(space, "doubt")).toBe(true);
    for (const word of ["behind", "later"]) expect(await found(space, word)).toBe(false);
  });

  it("that erases answers when earlier records were rewritten", async () => {
    const records = new ListedRecords();
    await using space = await recorded(records, "offline/hash");
    const { entities } = await remember(space, "secret");
    await space.flush();
    expect(vectorsIn(await rows(space))).toBe(2);
    expect(records.entries.some(({ erased }) => erased)).toBe(false);
    await space.call("forget", { entities, dryRun: true }, context);
    expect(records.erased).toBe(0);
    await space.call("forget", { entities, dryRun: false }, context);
    expect(records.erased).toBe(1);
    expect(records.entries.at(-1)).toMatchObject({ erased: true });
    expect(Buffer.from(records.entries.at(-1)!.patch).includes("secret")).toBe(false);
    await space.flush();
    expect(vectorsIn(await rows(space))).toBe(1);
  });
});
