/** Opening, keeping and closing Spaces, with a clock by hand and Spaces that are only counted. */
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import { beforeEach, expect, it } from "vitest";

import type { SpaceRow } from "../ports/directory.ts";
import { IDLE_MS, OpenSpaces } from "./open-spaces.ts";
import type { SpaceHandle } from "./space/space-handle.ts";

class HandClock implements Clock {
  ms = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();
  now(): number {
    return this.ms;
  }
  monotonicMs(): number {
    return this.ms;
  }
  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.ms + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
  /** Lets time pass, timer by timer, and what they set off with it. */
  async pass(ms: number): Promise<void> {
    for (const end = this.ms + ms; this.ms < end;) {
      this.ms = Math.min(end, this.ms + 1_000);
      for (const timer of this.#timers) {
        if (timer.at > this.ms) continue;
        this.#timers.delete(timer);
        timer.run();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const rowOf = (id: string): SpaceRow => ({ id }) as SpaceRow;
let clock: HandClock;
let opened: string[];
let closed: string[];
let failing: Error | null;
let failingClose: boolean;

function handleOf(id: string): SpaceHandle {
  const handle: Partial<SpaceHandle> = {
    lost: new Promise<void>(() => undefined),
    staleAsOf: () => null,
    call: (async (name: string) => (name === "tokens" ? [] : null)) as SpaceHandle["call"],
    close: async () => {
      if (failingClose) throw new Error("disk");
      closed.push(id);
    },
  };
  return handle as SpaceHandle;
}

const spacesOf = (max: number): OpenSpaces =>
  new OpenSpaces(
    {
      clock,
      warn: () => undefined,
      open: async ({ id }) => {
        opened.push(id);
        await new Promise((resolve) => setImmediate(resolve));
        if (failing !== null) throw failing;
        return handleOf(id);
      },
    },
    { max, inMemory: false },
  );

beforeEach(() => {
  clock = new HandClock();
  [opened, closed, failing, failingClose] = [[], [], null, false];
});

const nothing = async (): Promise<null> => null;

it("calls at once load a Space once; a failure is everybody's who waited, and the next call tries again", async () => {
  const spaces = spacesOf(4);
  failing = new Error("no such file: /secret/path");
  const results = await Promise.allSettled([1, 2, 3].map(() => spaces.use(rowOf("a"), nothing)));
  for (const result of results)
    expect(result).toMatchObject({ reason: { code: "internal", message: "the Space could not be opened" } });
  expect(opened).toEqual(["a"]);
  failing = null;
  await Promise.all([1, 2, 3].map(() => spaces.use(rowOf("a"), nothing)));
  expect(opened).toEqual(["a", "a"]);
});

it("one that was removed meanwhile is missing, not broken, and who was let into it gets into no other of its name", async () => {
  const spaces = spacesOf(4);
  failing = new MainspringError("not_found", "space not found: a");
  await expect(spaces.use(rowOf("a"), nothing)).rejects.toBe(failing);
  failing = null;
  const [before, now] = [
    { ...rowOf("a"), creation: "before" },
    { ...rowOf("a"), creation: "now" },
  ];
  await spaces.use(now, nothing);
  await expect(spaces.use(before, nothing)).rejects.toMatchObject({ code: "not_found" });
  spaces.noteRow({ ...before, name: "old" });
  expect(spaces.rowOf("a")).toEqual(now);
  spaces.noteRow({ ...now, loading: true });
  expect(spaces.rowOf("a")).toMatchObject({ loading: true });
});

it("the one that was idle the longest makes room; none that is in use does", async () => {
  const spaces = spacesOf(2);
  for (const id of ["a", "b", "a", "c"]) {
    await spaces.use(rowOf(id), nothing);
    clock.ms += 1;
  }
  expect(closed).toEqual(["b"]);
  const busy = Promise.withResolvers<null>();
  const using = ["a", "c"].map((id) => spaces.use(rowOf(id), () => busy.promise));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(spaces.use(rowOf("d"), nothing)).rejects.toMatchObject({ code: "resource_exhausted", retry: "safe" });
  busy.resolve(null);
  await Promise.all(using);
  await spaces.use(rowOf("d"), nothing);
  expect(closed).toEqual(["b", "a"]);
});

it("an idle Space is closed after nine minutes; one whose close fails is kept and tried again", async () => {
  const spaces = spacesOf(4);
  spaces.start();
  await spaces.use(rowOf("a"), nothing);
  failingClose = true;
  await clock.pass(IDLE_MS + 120_000);
  expect({ closed, size: spaces.size }).toEqual({ closed: [], size: 1 });
  await spaces.use(rowOf("a"), nothing);
  expect(opened).toEqual(["a"]);
  failingClose = false;
  await clock.pass(IDLE_MS - 60_000);
  expect(closed).toEqual([]);
  await clock.pass(120_000);
  expect({ closed, size: spaces.size }).toEqual({ closed: ["a"], size: 0 });
  await spaces.drain(0);
});

it("a drain takes nothing new, finishes what was admitted, and closes every Space", async () => {
  const spaces = spacesOf(4);
  const busy = Promise.withResolvers<null>();
  await spaces.use(rowOf("b"), nothing);
  const using = spaces.use(rowOf("a"), () => busy.promise);
  await new Promise((resolve) => setImmediate(resolve));
  const drained = spaces.drain(60_000);
  await expect(spaces.use(rowOf("c"), nothing)).rejects.toBeInstanceOf(MainspringError);
  await clock.pass(1_000);
  expect(closed).toEqual(["b"]);
  busy.resolve(null);
  await using;
  await clock.pass(1_000);
  await drained;
  expect(closed.sort()).toEqual(["a", "b"]);
});

it("calls that wait for room together take the place that the first of them made", async () => {
  const spaces = spacesOf(2);
  const held = Promise.withResolvers<void>();
  const busy = spaces.use(rowOf("busy"), () => held.promise);
  await spaces.use(rowOf("idle"), async () => undefined);
  const calls = Array.from({ length: 4 }, () => spaces.use(rowOf("new"), async ({ row }) => row.id));
  expect(await Promise.all(calls)).toEqual(["new", "new", "new", "new"]);
  expect([opened, closed]).toEqual([["busy", "idle", "new"], ["idle"]]);
  held.resolve();
  await busy;
});
