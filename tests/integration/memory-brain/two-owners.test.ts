/** Workers that each believe that a Space is theirs: the log lets one of them commit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MainspringError, systemClock, systemRandom } from "@mainspring/kernel";
import { MongoConnection } from "@mainspring/service-kit";
import { describe, expect, inject, test } from "vitest";

import { MongoDirectory } from "../../../services/memory-brain/src/adapters/mongo-directory.ts";
import { MongoSpaceLog } from "../../../services/memory-brain/src/adapters/mongo-space-log.ts";
import { SpaceStore } from "../../../services/memory-brain/src/adapters/space-store/space-store.ts";
import { SYSTEM } from "../../../services/memory-brain/src/app/open-spaces.ts";
import { logNameOf, SharedSpaces } from "../../../services/memory-brain/src/app/ownership/take-over.ts";
import type { Workers } from "../../../services/memory-brain/src/app/ownership/workers.ts";
import type { SpaceHandle } from "../../../services/memory-brain/src/app/space/space-handle.ts";
import type { SpaceRow } from "../../../services/memory-brain/src/ports/directory.ts";
import { uniqueName } from "../../support/adapters.ts";

const { mongo } = inject("servers");

const ROW: SpaceRow = {
  id: "s",
  tenant: "t",
  owner: "u",
  name: "",
  description: "",
  public: false,
  tier: 4,
  tierUpdatedAt: 0,
  shard: 0,
  createdAt: 0,
  loading: false,
  epoch: 0,
  hold: null,
  creation: "0123456789abcdef",
};

describe.skipIf(mongo.url === null)("two owners of one Space", () => {
  test("the one that was replaced cannot commit, and loses what it was about to; the log has every number once", async () => {
    const connection = new MongoConnection({ url: mongo.url!, database: uniqueName() });
    const folder = mkdtempSync(join(tmpdir(), "owners-"));
    const directory = new MongoDirectory(connection, connection);
    const log = new MongoSpaceLog(connection);
    // Each takes all others for dead and itself for in touch, whatever happens.
    const ownerOf = (id: string): SharedSpaces =>
      new SharedSpaces({
        clock: systemClock,
        random: systemRandom,
        directory,
        log,
        workers: { id, staleAsOf: () => null, isDead: () => true } as unknown as Workers,
        openLocal: (space) =>
          SpaceStore.open(join(folder, `${id}-${space}.db`), space, { recorded: true, embedder: "offline/hash" }),
        setAside: async (space) => rmSync(join(folder, `${id}-${space}.db`)),
        warn: () => undefined,
      });
    const remember = (space: SpaceHandle, text: string) =>
      space.call("remember", { text, user: "u", agent: "", idempotencyKey: "", tier: 4 }, SYSTEM);
    try {
      await directory.create(ROW);
      const [one, two] = [ownerOf("wrk_1"), ownerOf("wrk_2")];
      const acknowledged: string[] = [];
      let refused = 0;
      let current: SpaceHandle = await one.open(ROW);
      for (let round = 0; round < 6; round += 1) {
        const before = current;
        const write = async (space: SpaceHandle, text: string): Promise<void> => {
          try {
            await remember(space, text);
            acknowledged.push(text);
          } catch (error) {
            expect(error).toMatchObject({ code: "unavailable" });
            refused += 1;
          }
        };
        const racing = Promise.all(Array.from({ length: 10 }, (_, n) => write(before, `r${round}old${n}`)));
        current = await (round % 2 === 0 ? two : one).open(ROW);
        await Promise.all([racing, write(current, `r${round}new`)]);
        // The old owner still believes, and cannot.
        await expect(remember(before, "never")).rejects.toBeDefined();
        await before.lost;
      }
      const rows: string[] = [];
      for await (const frame of current.dump(null)) rows.push(Buffer.from(frame).toString());
      const content = rows.join("");
      expect(acknowledged.filter((text) => !content.includes(`\\"${text}\\"`))).toEqual([]);
      expect(content.includes('\\"never\\"')).toBe(false);
      expect(acknowledged.filter((text) => text.endsWith("new"))).toHaveLength(6);
      const records = await log.read(logNameOf(ROW), 0, 1_000);
      expect(records.map(({ no }) => no)).toEqual(records.map((_, index) => index + 1));
      const epochs = records.map(({ epoch }) => epoch);
      expect(epochs).toEqual(epochs.toSorted((left, right) => left - right));
      expect(new Set(epochs).size).toBe(7);
      console.log(`${acknowledged.length} acknowledged, ${refused} refused, ${records.length} records`);
      await current.close();
    } finally {
      await (await connection.database()).db.dropDatabase();
      await connection.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("one that is being removed is opened by nobody, also who was about to take it", async () => {
    const connection = new MongoConnection({ url: mongo.url!, database: uniqueName() });
    const directory = new MongoDirectory(connection, connection);
    const log = new MongoSpaceLog(connection);
    // Somebody removes it just before this one takes it: it had seen it, and nobody held it.
    const late = new Proxy(directory, {
      get(target, name: keyof MongoDirectory) {
        if (name === "take") {
          return async (...args: Parameters<MongoDirectory["take"]>) => {
            await target.update(ROW.id, { loading: true }, ROW.creation);
            return await target.take(...args);
          };
        }
        const member = target[name] as (...args: unknown[]) => unknown;
        return member.bind(target);
      },
    });
    const spaces = new SharedSpaces({
      clock: systemClock,
      random: systemRandom,
      directory: late,
      log,
      workers: { id: "wrk_1", staleAsOf: () => null, isDead: () => false } as unknown as Workers,
      openLocal: () => Promise.reject(new Error("it is opened")),
      setAside: async () => undefined,
      warn: () => undefined,
    });
    const missing = { code: "not_found", message: "space not found: s" };
    try {
      await directory.create(ROW);
      await expect(spaces.open({ ...ROW, creation: "of the one before" })).rejects.toMatchObject(missing);
      await expect(spaces.open(ROW)).rejects.toMatchObject(missing);
      expect(await directory.get(ROW.id)).toMatchObject({ loading: true, hold: null });
      await expect(spaces.open(ROW)).rejects.toMatchObject(missing);
      expect(await log.read(logNameOf(ROW), 0, 1)).toEqual([]);
      await directory.remove(ROW);
      await expect(spaces.open(ROW)).rejects.toMatchObject(missing);
      await spaces.seize(ROW);
    } finally {
      await (await connection.database()).db.dropDatabase();
      await connection.close();
    }
  });

  test("what another worker holds is not seized", async () => {
    const connection = new MongoConnection({ url: mongo.url!, database: uniqueName() });
    const directory = new MongoDirectory(connection, connection);
    const hold = { worker: "wrk_2", epoch: 3, claim: "theirs" };
    let dead = false;
    const spaces = new SharedSpaces({
      clock: systemClock,
      random: systemRandom,
      directory,
      log: new MongoSpaceLog(connection),
      workers: { id: "wrk_1", staleAsOf: () => null, isDead: () => dead } as unknown as Workers,
      openLocal: () => Promise.reject(new Error("it is opened")),
      setAside: async () => undefined,
      warn: () => undefined,
    });
    try {
      await directory.create({ ...ROW, hold, epoch: 3 });
      await expect(spaces.seize(ROW)).rejects.toMatchObject({ code: "unavailable", reason: "space_moved" });
      dead = true;
      await spaces.seize(ROW);
      expect((await directory.get(ROW.id))?.hold).toMatchObject({ worker: "wrk_1", epoch: 4 });
    } finally {
      await (await connection.database()).db.dropDatabase();
      await connection.close();
    }
  });

  test("a purge whose log could not be rewritten says so, and answers when it is, also when it is repeated", async () => {
    const connection = new MongoConnection({ url: mongo.url!, database: uniqueName() });
    const folder = mkdtempSync(join(tmpdir(), "purge-"));
    const directory = new MongoDirectory(connection, connection);
    const log = new MongoSpaceLog(connection);
    let failing = true;
    const breaking = new Proxy(log, {
      get(target, name: keyof MongoSpaceLog) {
        if (name === "publish" && failing)
          return () => Promise.reject(new MainspringError("unavailable", "MongoDB cannot be reached"));
        const member = target[name] as (...args: unknown[]) => unknown;
        return member.bind(target);
      },
    });
    const spaces = new SharedSpaces({
      clock: systemClock,
      random: systemRandom,
      directory,
      log: breaking,
      workers: { id: "wrk_1", staleAsOf: () => null, isDead: () => true } as unknown as Workers,
      openLocal: (space) =>
        SpaceStore.open(join(folder, `${space}.db`), space, { recorded: true, embedder: "offline/hash" }),
      setAside: async () => undefined,
      warn: () => undefined,
    });
    try {
      await directory.create(ROW);
      const space = await spaces.open(ROW);
      const asked = { text: "unspeakable", user: "u", agent: "", idempotencyKey: "", tier: 4 };
      const { entities } = await space.call("remember", asked, SYSTEM);
      const inLog = async (): Promise<boolean> =>
        (await log.read(logNameOf(ROW), 0, 64)).some(({ patch }) => Buffer.from(patch ?? []).includes("unspeakable"));
      const forget = () => space.call("forget", { entities, dryRun: false }, SYSTEM);
      await expect(forget()).rejects.toMatchObject({ code: "unavailable" });
      await expect(forget()).rejects.toMatchObject({ code: "unavailable" });
      expect(await inLog()).toBe(true);
      failing = false;
      expect(await forget()).toMatchObject({ entities: [{ existed: false }] });
      expect(await inLog()).toBe(false);
      await space.close();
    } finally {
      await (await connection.database()).db.dropDatabase();
      await connection.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
