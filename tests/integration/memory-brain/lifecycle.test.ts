/** Spaces come and go: opened once, closed for others, carried away and brought back. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { ADMIN, by, cwt, KEY, startBrain } from "../../support/brain.ts";
import type { BrainClient } from "../../support/brain.ts";

const create = (client: BrainClient, space_id: string) =>
  client.CreateSpace({ space_id, user: "u", tier: 2 }, by(ADMIN));
const remember = (client: BrainClient, space_id: string, text: string) => client.Remember({ space_id, text }, by(KEY));
const recall = async (client: BrainClient, space_id: string, query: string) =>
  (await client.Recall({ space_id, query }, by(KEY))).found;

test("what was acknowledged is there after a restart, with tokens and their uses", async () => {
  let brain = await startBrain();
  await create(brain.client, "a");
  await remember(brain.client, "a", "Persistent rhubarb.");
  const { token } = await brain.client.AddSpaceToken({ space_id: "a", name: "n", scope: "read" }, by(cwt("*")));
  await brain.client.Recall({ space_id: "a", space_token: token!.token, query: "rhubarb" }, {});
  brain = await brain.restart();
  await using restarted = brain;
  expect(await recall(restarted.client, "a", "rhubarb")).toBe(true);
  await restarted.client.Recall({ space_id: "a", space_token: token!.token, query: "rhubarb" }, {});
  const { tokens } = await restarted.client.ListSpaceTokens({ space_id: "a" }, by(ADMIN));
  expect(tokens[0]).toMatchObject({ name: "n", usage: 2 });
  expect((await restarted.client.GetSpace({ space_id: "a" }, by(KEY))).space).toMatchObject({ space_seq: 1, tier: 2 });
});

test("idle Spaces make room for others; calls at once open a Space once", async () => {
  await using brain = await startBrain({ settings: { spacesOpenMax: 2 } });
  for (const id of ["a", "b", "c", "d"]) {
    await create(brain.client, id);
    await remember(brain.client, id, `This is ${id}land.`);
  }
  const found = await Promise.all(
    Array.from({ length: 6 }, () => recall(brain.client, "a", "aland")).concat(recall(brain.client, "d", "dland")),
  );
  expect(found.every(Boolean)).toBe(true);
  expect(await brain.client.ListSpaces({ page_size: 3 }, by(KEY))).toMatchObject({
    spaces: [{ id: "a" }, { id: "b" }, { id: "c" }],
    next_page_token: "c",
  });
  expect(brain.unexpected).toEqual([]);
});

test("a Space that cannot be opened says so in general words, and opens once it can be", async () => {
  let brain = await startBrain();
  await create(brain.client, "a");
  await create(brain.client, "b");
  const file = join(brain.dataDir, "spaces", "a.db");
  brain = await brain.restart();
  await using restarted = brain;
  const good = readFileSync(file);
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  writeFileSync(file, "this is no database, and long enough to be looked at ".repeat(100));
  await expect(recall(restarted.client, "a", "x")).rejects.toMatchObject({
    code: "internal",
    message: "the Space could not be opened",
  });
  expect(await recall(restarted.client, "b", "x")).toBe(false);
  writeFileSync(file, good);
  expect(await recall(restarted.client, "a", "x")).toBe(false);
});

test("in memory Spaces live as long as the server", async () => {
  await using brain = await startBrain({ dataDir: "memory", settings: { spacesOpenMax: 2 } });
  for (const id of ["a", "b"]) await create(brain.client, id);
  await remember(brain.client, "a", "Volatile rhubarb.");
  expect(await recall(brain.client, "a", "rhubarb")).toBe(true);
  await expect(create(brain.client, "c")).rejects.toMatchObject({ code: "resource_exhausted" });
});

async function dumpOf(client: BrainClient, space_id: string): Promise<Buffer> {
  const frames: Buffer[] = [];
  for await (const { data } of client.DumpSpace({ space_id }, by(ADMIN))) {
    expect(data.length).toBeLessThanOrEqual(1024 * 1024);
    frames.push(data);
  }
  return Buffer.concat(frames);
}

async function load(client: BrainClient, space_id: string, dump: Buffer, frame = 100_000) {
  const call = client.LoadSpace(by(ADMIN));
  const send = async (): Promise<void> => {
    await call.send({ space_id, user: "v" });
    for (let from = 0; from < dump.length; from += frame) await call.send({ data: dump.subarray(from, from + frame) });
    call.end();
  };
  const sent = send().catch(() => undefined);
  try {
    for await (const { space } of call.responses) return space;
    throw new Error("no answer");
  } finally {
    await sent;
  }
}

test.each(["file", "memory"])("a dump brings everything back under another name: %s", async (kind) => {
  await using brain = await startBrain(kind === "memory" ? { dataDir: "memory" } : {});
  const { client } = brain;
  await create(client, "a");
  await client.UpdateSpace({ space_id: "a", name: "Garden", description: "d" }, by(cwt("*")));
  const big = `${"lorem ipsum ".repeat(20_000)} quince`;
  for (let n = 0; n < 8; n += 1) await remember(client, "a", `note${n} ${big}`);
  const { token } = await client.AddSpaceToken({ space_id: "a", name: "n", scope: "read" }, by(cwt("*")));
  const dump = await dumpOf(client, "a");
  expect(dump.length).toBeGreaterThan(1024 * 1024);
  expect(dump.toString()).not.toContain('["space_token"');
  expect(await load(client, "b", dump)).toMatchObject({ id: "b", owner: "v", name: "Garden", tier: 2, space_seq: 8 });
  expect(await recall(client, "b", "note7 quince")).toBe(true);
  const shown = { space_token: token!.token, query: "quince" };
  await expect(client.Recall({ space_id: "b", ...shown }, {})).rejects.toMatchObject({ reason: "invalid_token" });
  expect(await client.ListSpaceTokens({ space_id: "b" }, by(ADMIN))).toEqual({ tokens: [] });
  expect(await client.Recall({ space_id: "a", ...shown }, {})).toMatchObject({ found: true });
  expect((await remember(client, "b", "more")).conversation).toBe("9");
  expect(await client.VerifySpace({ space_id: "b" }, by(ADMIN))).toMatchObject({ equal: true, differences: [] });
  await expect(load(client, "a", dump)).rejects.toMatchObject({ code: "already_exists" });
});

test("a dump that has tokens all the same is whole, and loads without them", async () => {
  await using brain = await startBrain();
  const { client } = brain;
  await create(client, "a");
  const lines = (await dumpOf(client, "a")).toString().split("\n").slice(0, -2);
  const value = `ST${Buffer.alloc(20, 7).toString("base64")}`;
  const hash = createHash("sha256").update(value).digest("hex");
  lines.push(JSON.stringify(["space_token", hash, value.slice(0, 8), "n", "*", null, 0, 1, 1, null]));
  const rows = `${lines.join("\n")}\n`;
  const sha256 = createHash("sha256").update(rows).digest("hex");
  const end = JSON.stringify({ rows: lines.length - 1, sha256 });
  expect(await load(client, "b", Buffer.from(`${rows}${end}\n`))).toMatchObject({ id: "b" });
  await remember(client, "b", "Hidden quince.");
  const asToken = client.Recall({ space_id: "b", space_token: value, query: "quince" }, {});
  await expect(asToken).rejects.toMatchObject({ reason: "invalid_token" });
  expect(await client.ListSpaceTokens({ space_id: "b" }, by(ADMIN))).toEqual({ tokens: [] });
});

test("a dump that is cut, changed or something else leaves no Space behind", async () => {
  await using brain = await startBrain();
  const { client } = brain;
  await create(client, "a");
  await remember(client, "a", "Original text.");
  const dump = await dumpOf(client, "a");
  const changed = Buffer.from(dump.toString().replace("Original", "0riginal"));
  for (const damaged of [
    dump.subarray(0, -10),
    changed,
    Buffer.from("{}\n"),
    Buffer.from("no dump"),
    Buffer.alloc(0),
  ]) {
    await expect(load(client, "b", damaged)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(client.GetSpace({ space_id: "b" }, by(KEY))).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await load(client, "b", dump)).toMatchObject({ id: "b" });
});

test.each(["file", "memory"])("a Space is removed with everything in it, and its name is free: %s", async (kind) => {
  await using brain = await startBrain(kind === "memory" ? { dataDir: "memory" } : {});
  const { client } = brain;
  const a = { space_id: "a" };
  const missing = { code: "not_found", message: "space not found: a" };
  await create(client, "a");
  await remember(client, "a", "Doomed rhubarb.");
  const { token } = await client.AddSpaceToken({ ...a, name: "n", scope: "read" }, by(ADMIN));
  // Those that were admitted before are finished, those that come after find nothing.
  const late = Array.from({ length: 5 }, () => remember(client, "a", "More rhubarb.").catch((error: unknown) => error));
  expect(await client.DeleteSpace(a, by(ADMIN))).toEqual({});
  for (const kept of await Promise.all(late))
    if (kept instanceof Error) expect(kept).toMatchObject({ code: "not_found" });
  await expect(client.DeleteSpace(a, by(ADMIN))).rejects.toMatchObject(missing);
  await expect(recall(client, "a", "rhubarb")).rejects.toMatchObject(missing);
  expect((await client.ListSpaces({}, by(KEY))).spaces).toEqual([]);
  if (kind === "file") expect(readdirSync(join(brain.dataDir, "spaces"))).toEqual([]);
  await create(client, "a");
  expect(await recall(client, "a", "rhubarb")).toBe(false);
  const asToken = client.Recall({ ...a, space_token: token!.token, query: "x" }, {});
  await expect(asToken).rejects.toMatchObject({ reason: "invalid_token" });
  expect(brain.unexpected).toEqual([]);
});

test("one that cannot be opened is removed too, and one whose removal died with its server is finished by a repeat", async () => {
  let brain = await startBrain();
  await create(brain.client, "a");
  await create(brain.client, "b");
  const folder = join(brain.dataDir, "spaces");
  await brain.stop();
  for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, `a.db${suffix}`), { force: true });
  writeFileSync(join(folder, "a.db"), "this is no database ".repeat(300));
  const store = new DatabaseSync(join(brain.dataDir, "store.db"));
  store.exec("update spaces set loading = 1 where id = 'b'");
  store.close();
  brain = await brain.restart();
  await using restarted = brain;
  const { client } = restarted;
  await expect(recall(client, "b", "x")).rejects.toMatchObject({ code: "not_found" });
  for (const space_id of ["a", "b"]) expect(await client.DeleteSpace({ space_id }, by(ADMIN))).toEqual({});
  expect(readdirSync(folder)).toEqual([]);
  for (const space_id of ["a", "b"]) await create(client, space_id);
});

test("a write that was admitted is finished although its caller went away", async () => {
  await using brain = await startBrain();
  await create(brain.client, "a");
  const controller = new AbortController();
  const call = brain.client.Remember(
    { space_id: "a", text: "Said and gone." },
    { ...by(KEY), signal: controller.signal },
  );
  controller.abort(new Error("gone"));
  await expect(call).rejects.toThrow("gone");
  await expect.poll(() => recall(brain.client, "a", "gone")).toBe(true);
});
