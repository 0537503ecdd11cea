/** Several workers that share Spaces through one MongoDB. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MongoConnection } from "@mainspring/service-kit";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";

import { uniqueName } from "../../support/adapters.ts";
import { ADMIN, by, cwt, KEY, startSharedBrain } from "../../support/brain.ts";
import type { BrainClient, TestBrain } from "../../support/brain.ts";

const { mongo } = inject("servers");
const OWNER = by(cwt("*"));
const S = { space_id: "garden" };

describe.skipIf(mongo.url === null)("Spaces of several workers", () => {
  let dataDir: string;
  let database: string;
  let stack: AsyncDisposableStack;
  const start = async (shard = 0): Promise<TestBrain> =>
    stack.use(
      await startSharedBrain({ dataDir, mongo: { url: mongo.url!, database }, settings: { memoryShard: shard } }),
    );

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "brains-"));
    database = uniqueName();
    stack = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stack[Symbol.asyncDispose]();
    const connection = new MongoConnection({ url: mongo.url!, database });
    await (await connection.database()).db.dropDatabase();
    await connection.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ready = async (client: BrainClient) =>
    await expect
      .poll(() => client.CreateSpace({ ...S, user: "u", tier: 2 }, by(ADMIN)).catch((error: unknown) => error), {
        timeout: 10_000,
      })
      .toMatchObject({ space: { id: "garden" } });
  const remember = (client: BrainClient, text: string) => client.Remember({ ...S, text }, by(KEY));
  const recall = async (client: BrainClient, query: string) => (await client.Recall({ ...S, query }, by(KEY))).found;

  test("any worker takes any call, the owner runs it", async () => {
    const [one, two] = [await start(), await start()];
    await ready(one.client);
    await remember(two.client, "Planted tulips.");
    expect(await recall(one.client, "tulips")).toBe(true);
    expect(await recall(two.client, "tulips")).toBe(true);
    const { token } = await two.client.AddSpaceToken({ ...S, name: "n", scope: "read" }, OWNER);
    expect(await one.client.Recall({ ...S, space_token: token!.token, query: "tulips" }, {})).toMatchObject({
      found: true,
    });
    const frames: Buffer[] = [];
    for await (const { data } of two.client.DumpSpace(S, by(ADMIN))) frames.push(data);
    expect(Buffer.concat(frames).toString()).toContain("tulips");
    expect(await two.client.VerifySpace(S, by(ADMIN))).toMatchObject({ equal: true, differences: [] });
    expect([one.unexpected, two.unexpected]).toEqual([[], []]);
  });

  test("a dump is loaded by any worker, and its copy is what the log says", async () => {
    const [one, two] = [await start(), await start()];
    await ready(one.client);
    const filler = "lorem ipsum ".repeat(30_000);
    for (let n = 0; n < 6; n += 1) await remember(one.client, `note${n} ${filler}`);
    const { token } = await one.client.AddSpaceToken({ ...S, name: "n", scope: "read" }, OWNER);
    const call = two.client.LoadSpace(by(ADMIN));
    const send = async (): Promise<void> => {
      await call.send({ space_id: "copy", user: "v" });
      for await (const { data } of one.client.DumpSpace(S, by(ADMIN))) await call.send({ data });
      call.end();
    };
    const sent = send();
    for await (const { space } of call.responses) expect(space).toMatchObject({ id: "copy", space_seq: 6 });
    await sent;
    const copy = { space_id: "copy" };
    for (const { client } of [one, two]) {
      expect((await client.Recall({ ...copy, query: "note5" }, by(KEY))).found).toBe(true);
      expect(await client.VerifySpace(copy, by(ADMIN))).toMatchObject({ equal: true });
    }
    await expect(one.client.Recall({ ...copy, space_token: token!.token, query: "note5" }, {})).rejects.toMatchObject({
      reason: "invalid_token",
    });
    await two.stop();
    expect((await one.client.Recall({ ...copy, query: "note5" }, by(KEY))).found).toBe(true);
  });

  test("a name is free again when the worker that loaded it is dead, and not before", async () => {
    const [one, two] = [await start(), await start()];
    await ready(one.client);
    const call = two.client.LoadSpace(by(ADMIN));
    await call.send({ space_id: "copy", user: "v" });
    const connection = new MongoConnection({ url: mongo.url!, database });
    const { db } = await connection.database();
    const rows = db.collection<{ _id: string; hold: { worker: string } | null; loading: boolean }>("spaces");
    await expect.poll(async () => (await rows.findOne({ _id: "copy" }))?.hold?.worker).toMatch(/^wrk_/);
    const create = () => one.client.CreateSpace({ space_id: "copy", user: "u", tier: 2 }, by(ADMIN));
    await expect(create()).rejects.toMatchObject({ code: "already_exists" });

    // As if the worker had died: its beat stands still, and the load never ends.
    await db.collection<{ _id: string; count: number }>("space_workers").insertOne({ _id: "wrk_dead", count: 1 });
    await rows.updateOne({ _id: "copy" }, { $set: { hold: { worker: "wrk_dead", epoch: 1, claim: "c" } as never } });
    await expect
      .poll(() => create().catch((error: unknown) => error), { timeout: 10_000 })
      .toMatchObject({
        space: { id: "copy", owner: "u" },
      });
    await one.client.Remember({ space_id: "copy", text: "Mine now." }, by(KEY));

    // The load ends after all; it takes nothing away from who has the name.
    call.end();
    const ended = async (): Promise<void> => {
      for await (const _ of call.responses);
    };
    await expect(ended()).rejects.toBeDefined();
    expect((await one.client.Recall({ space_id: "copy", query: "mine" }, by(KEY))).found).toBe(true);
    expect(await rows.findOne({ _id: "copy" })).toMatchObject({ loading: false });
    await connection.close();
  });

  test("a Space is removed wherever it is open: log, snapshots and files go, and its name is free", async () => {
    const [one, two] = [await start(), await start()];
    await ready(one.client);
    await remember(one.client, "Doomed tulips.");
    // One that was forgotten makes a snapshot.
    await one.client.ForgetMemory({ ...S, entities: ["E-1"] }, by(KEY));
    await remember(one.client, "More of them.");
    const connection = new MongoConnection({ url: mongo.url!, database });
    stack.defer(() => connection.close());
    const { db } = await connection.database();
    const kept = async (): Promise<number[]> => {
      const names = ["spaces", "space_records", "space_parts", "space_snapshots"];
      return await Promise.all(names.map((name) => db.collection(name).countDocuments()));
    };
    expect((await kept()).every((count) => count > 0)).toBe(true);
    const file = join(dataDir, "spaces-0", "garden.db");
    expect(existsSync(file)).toBe(true);
    expect(await two.client.DeleteSpace(S, by(ADMIN))).toEqual({});
    expect([await kept(), existsSync(file)]).toEqual([[0, 0, 0, 0], false]);
    for (const { client } of [one, two]) {
      await expect(client.DeleteSpace(S, by(ADMIN))).rejects.toMatchObject({ code: "not_found" });
      await expect(recall(client, "tulips")).rejects.toMatchObject({ code: "not_found" });
    }
    await ready(two.client);
    expect(await recall(one.client, "them")).toBe(false);
    expect([one.unexpected, two.unexpected]).toEqual([[], []]);
  });

  test("a removal whose worker died in the middle is finished by a repeat at another", async () => {
    const one = await start();
    await ready(one.client);
    await remember(one.client, "Doomed tulips.");
    await one.stop();
    const connection = new MongoConnection({ url: mongo.url!, database });
    stack.defer(() => connection.close());
    const { db } = await connection.database();
    await db.collection<{ _id: string; count: number }>("space_workers").insertOne({ _id: "wrk_dead", count: 1 });
    const hold = { worker: "wrk_dead", epoch: 9, claim: "c" };
    await db
      .collection<{ _id: string }>("spaces")
      .updateOne({ _id: "garden" }, { $set: { loading: true, hold, epoch: 9 } });
    const two = await start();
    const removed = () => two.client.DeleteSpace(S, by(ADMIN)).catch((error: unknown) => error);
    await expect.poll(removed, { timeout: 10_000 }).toEqual({});
    expect(await db.collection("space_records").countDocuments()).toBe(0);
    await ready(two.client);
  });

  test("a copy of a Space that was removed elsewhere goes when its worker starts again; others stay", async () => {
    const one = await start();
    await ready(one.client);
    await one.client.CreateSpace({ space_id: "kept", user: "u" }, by(ADMIN));
    await one.stop();
    const copies = () => ["garden", "kept"].map((id) => existsSync(join(dataDir, "spaces-0", `${id}.db`)));
    expect(copies()).toEqual([true, true]);
    const connection = new MongoConnection({ url: mongo.url!, database });
    stack.defer(() => connection.close());
    const { db } = await connection.database();
    await db.collection<{ _id: string }>("spaces").deleteOne({ _id: "garden" });
    await start();
    expect(copies()).toEqual([false, true]);
  });

  test("a drained worker leaves its Spaces to the others at once, and everything is there", async () => {
    const [one, two] = [await start(), await start()];
    await ready(one.client);
    for (let n = 0; n < 20; n += 1) await remember(one.client, `Note number${n}.`);
    await one.stop();
    expect(await recall(two.client, "number19")).toBe(true);
    expect((await two.client.GetSpace(S, by(KEY))).space).toMatchObject({ space_seq: 20 });
    await remember(two.client, "After the move.");
    expect(await two.client.VerifySpace(S, by(ADMIN))).toMatchObject({ equal: true });
  });

  test("an explicit shard has to be the Space's, and a Space is moved on command", async () => {
    const [one, two] = [await start(1), await start(2)];
    // At once: who has just begun to beat is there.
    expect(await one.client.CreateSpace({ ...S, user: "u", shard: 2 }, by(ADMIN))).toMatchObject({
      space: { id: "garden", shard: 2 },
    });
    await remember(one.client, "Planted tulips.");
    for (const { client } of [one, two]) {
      await expect(client.GetSpace({ ...S, shard: 1 }, by(KEY))).rejects.toMatchObject({
        reason: "wrong_shard",
        message: expect.stringContaining("shard 2"),
      });
      expect(await client.GetSpace({ ...S, shard: 2 }, by(KEY))).toMatchObject({ space: { shard: 2 } });
    }
    expect(await one.client.MoveSpace({ ...S, shard: 1 }, by(ADMIN))).toMatchObject({ space: { shard: 1 } });
    expect(await two.client.GetSpace({ ...S, shard: 1 }, by(KEY))).toMatchObject({ space: { shard: 1, space_seq: 1 } });
    expect(await recall(two.client, "tulips")).toBe(true);
    await expect(one.client.MoveSpace({ ...S, shard: 7 }, by(ADMIN))).rejects.toMatchObject({
      reason: "no_such_shard",
    });
    const next = await two.client.CreateSpace({ space_id: "next", user: "u" }, by(ADMIN));
    expect(next.space).toMatchObject({ shard: 2 });
  });

  test("a local copy that is lost or damaged is made anew from snapshot and records, words included", async () => {
    const one = await start();
    await ready(one.client);
    await remember(one.client, "A pomegranate.");
    for (let n = 1; n < 5; n += 1) await remember(one.client, `Note number${n}.`);
    const { token } = await one.client.AddSpaceToken({ ...S, name: "n", scope: "read" }, OWNER);
    await one.client.ForgetMemory({ ...S, entities: ["E-1"] }, by(KEY));
    await remember(one.client, "After the snapshot.");
    await one.stop();
    for (const damage of ["removed", "kept"]) {
      if (damage === "removed") rmSync(join(dataDir, "spaces-0"), { recursive: true });
      const next = await start();
      await expect.poll(() => recall(next.client, "number4").catch(() => null), { timeout: 10_000 }).toBe(true);
      expect(await recall(next.client, "pomegranate")).toBe(false);
      expect(await recall(next.client, "snapshot")).toBe(true);
      expect(await next.client.VerifySpace(S, by(ADMIN))).toMatchObject({ equal: true });
      const asToken = { ...S, space_token: token!.token, query: "snapshot" };
      expect(await next.client.Recall(asToken, {})).toMatchObject({ found: true });
      await next.stop();
    }
    expect(existsSync(join(dataDir, "spaces-0", "garden.replaced.db"))).toBe(false);
  });

  test("what was forgotten is in no record and no snapshot when the answer comes", async () => {
    const one = await start();
    await ready(one.client);
    const secret = "xylophone-4711";
    const { entities } = await remember(one.client, `The word is ${secret}.`);
    await remember(one.client, "Another note.");
    const connection = new MongoConnection({ url: mongo.url!, database });
    stack.defer(() => connection.close());
    const { db } = await connection.database();
    const stored = async (): Promise<boolean> => {
      for (const name of ["space_records", "space_parts"]) {
        for (const document of await db.collection(name).find().toArray())
          for (const value of Object.values(document))
            if (
              JSON.stringify(value, (_, inner: unknown) => inner)?.includes(secret) ||
              String((value as { buffer?: Buffer }).buffer ?? "").includes(secret)
            )
              return true;
      }
      return false;
    };
    expect(await stored()).toBe(true);
    // The conversation that it came with holds it too, and is not an element.
    await one.client.ForgetMemory({ ...S, entities: [...entities] }, by(KEY));
    const { result_json } = await one.client.GetConversation({ ...S, conversation: "1" }, by(KEY));
    expect(result_json).not.toContain(secret);
    expect(await stored()).toBe(false);
  });
});
