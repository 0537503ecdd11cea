import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";

import { afterEach, expect, test, vi } from "vitest";

import { CALLS_WAITING_MAX, openSqliteThread } from "./sqlite-thread.ts";
import type { SqliteThread } from "./sqlite-thread.ts";

const TABLE = "CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, text TEXT) STRICT";
const INSERT = "INSERT INTO notes VALUES (?, ?)";
const COUNT = "SELECT count(*) AS count FROM notes";

const directory = mkdtempSync(join(tmpdir(), "mainspring-sqlite-"));
const opened: SqliteThread[] = [];

async function open(path = ":memory:"): Promise<SqliteThread> {
  const thread = await openSqliteThread({ path });
  opened.push(thread);
  await thread.migrate("notes", [TABLE]);
  return thread;
}

afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close();
  rmSync(directory, { recursive: true, force: true });
});

test("a call sees those issued before it, without waiting for them", async () => {
  const thread = await open();
  void thread.run(INSERT, "a", "1");
  const read = thread.get<{ text: string }>("SELECT text FROM notes WHERE key = ?", "a");
  void thread.run("UPDATE notes SET text = '2' WHERE key = ?", "a");
  const reread = thread.all<{ text: string }>("SELECT text FROM notes");
  expect((await read)?.text).toBe("1");
  expect(await reread).toEqual([{ text: "2" }]);
});

test("a failing call rejects alone; its neighbours in the same commit are kept", async () => {
  const thread = await open();
  const results = await Promise.allSettled([
    thread.run(INSERT, "a", "1"),
    thread.run(INSERT, "a", "again"),
    thread.run("INSERT INTO nowhere VALUES (1)"),
    thread.run(INSERT, "b", "2"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { code: "already_exists" } });
  expect(results[2]).toMatchObject({ reason: { code: "internal" } });
  expect(await thread.get(COUNT)).toEqual({ count: 2 });
});

test("a write that returns rows counts as a write, and values keep their type", async () => {
  const thread = await open(":memory:");
  const row = await thread.get<{ n: number }>("INSERT INTO notes VALUES ('k', 'v') RETURNING ? AS n", 2 ** 53 - 1);
  expect(row).toEqual({ n: Number.MAX_SAFE_INTEGER });
  expect(await thread.get("SELECT x'00ff' AS bytes, NULL AS absent, 1.5 AS real")).toEqual({
    bytes: new Uint8Array([0, 255]),
    absent: null,
    real: 1.5,
  });
  expect(await thread.get("SELECT 1 WHERE 0")).toBeUndefined();
});

test("what was acknowledged is there after a reopening, and migrations run once", async () => {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "kept.db");
  const first = await open(path);
  await Promise.all(Array.from({ length: 1500 }, (_, index) => first.run(INSERT, `k${index}`, "v")));
  await first.close();
  const second = await openSqliteThread({ path });
  opened.push(second);
  await second.migrate("notes", [TABLE, "CREATE INDEX notes_text ON notes (text)"]);
  await second.migrate("notes", [TABLE, "CREATE INDEX notes_text ON notes (text)"]);
  expect(await second.get(COUNT)).toEqual({ count: 1500 });
});

test("a full queue refuses the next call and keeps the rest", async () => {
  const thread = await open();
  const calls = Array.from({ length: CALLS_WAITING_MAX }, () => thread.get("SELECT 1 AS one"));
  await expect(thread.get("SELECT 1 AS one")).rejects.toMatchObject({ code: "resource_exhausted", retry: "safe" });
  expect(await Promise.all(calls)).toHaveLength(CALLS_WAITING_MAX);
});

test("a closed store answers what was asked before, and nothing after", async () => {
  const thread = await open();
  const last = thread.run(INSERT, "a", "1");
  const closed = thread.close();
  await expect(thread.get(COUNT)).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
  expect(await last).toBe(1);
  await closed;
});

test("a database that cannot be opened is a mistake of the settings, with its path and the reason", async () => {
  await expect(openSqliteThread({ path: "/nonexistent/store.db" })).rejects.toMatchObject({
    reason: "invalid_configuration",
    message: expect.stringMatching(/^\/nonexistent\/store\.db cannot be opened as a store: .*unable to open/),
  });
});

test("when the thread dies, what it was asked and will be asked is unavailable", async () => {
  const born = Promise.withResolvers<Worker>();
  process.once("worker", born.resolve);
  const deaths: unknown[] = [];
  const thread = await openSqliteThread({ path: ":memory:", onDeath: (error) => void deaths.push(error) });
  const asked = Array.from({ length: 500 }, () => thread.get("SELECT 1 AS one"));
  const outcomes = Promise.allSettled(asked);
  await (await born.promise).terminate();
  const unavailable = expect.objectContaining({ code: "unavailable", retry: "unknownOutcome" });
  for (const outcome of await outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toEqual(unavailable);
  }
  await expect(thread.get("SELECT 1 AS one")).rejects.toEqual(unavailable);
  await thread.close();
  expect(deaths).toEqual([unavailable]);
});

test("a thread that is closed, or was never open, does not die", async () => {
  const onDeath = vi.fn<() => void>();
  await (await openSqliteThread({ path: ":memory:", onDeath })).close();
  await expect(openSqliteThread({ path: "/nonexistent/store.db", onDeath })).rejects.toThrow("unable to open");
  expect(onDeath).not.toHaveBeenCalled();
});
