/** What every directory of Spaces keeps to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Directory, Hold, SpaceRow } from "../../../services/memory-brain/src/ports/directory.ts";
import { losingReplies, uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

function rowOf(fields: Partial<SpaceRow> = {}): SpaceRow {
  return {
    id: uniqueName(),
    tenant: "tenant_a",
    owner: "alice",
    name: "",
    description: "",
    public: false,
    tier: 1,
    tierUpdatedAt: 100,
    shard: 0,
    createdAt: 100,
    loading: false,
    epoch: 0,
    hold: null,
    creation: uniqueName(),
    ...fields,
  };
}

const holdOf = (epoch: number, worker = "wrk_a"): Hold => ({ worker, epoch, claim: uniqueName() });

export function describeDirectory(name: string, open: () => Promise<Harness<Directory>>): void {
  describe(`directory of Spaces: ${name}`, () => {
    let harness: Harness<Directory>;
    let directory: Directory;
    beforeAll(async () => {
      harness = await open();
      directory = harness.subject;
    });
    afterAll(async () => await harness.close());

    async function created(fields: Partial<SpaceRow> = {}): Promise<SpaceRow> {
      const row = rowOf(fields);
      expect(await directory.create(row)).toBe("created");
      return row;
    }

    test("a Space is made once and reads back as it was; its creator is told so again", async () => {
      const row = await created({ public: true, description: "☃", loading: true, hold: holdOf(0) });
      expect(await directory.get(row.id)).toEqual(row);
      expect(await directory.create(row)).toBe("created");
      expect(await directory.create({ ...row, creation: "other" })).toBe("exists");
      expect(await directory.get(uniqueName())).toBeNull();
    });

    test("eight creators of one name: one of them makes it", async () => {
      const id = uniqueName();
      const outcomes = await Promise.all(harness.peers.map((peer) => peer.create(rowOf({ id }))));
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    });

    test("a creation whose reply was lost is recognised", async () => {
      const row = rowOf();
      await expect(losingReplies(directory).create(row)).rejects.toMatchObject({ code: "unavailable" });
      expect(await directory.create(row)).toBe("created");
    });

    test("lists the Spaces of a tenant by id, page by page, without those that are being loaded", async () => {
      const tenant = uniqueName();
      const rows = await Promise.all(["c", "a", "b"].map((end) => created({ tenant, id: `${tenant}${end}` })));
      await created({ tenant, id: `${tenant}d`, loading: true });
      const ids = async (after: string, limit: number) =>
        (await directory.list(tenant, after, limit)).map(({ id }) => id);
      const sorted = rows.map(({ id }) => id).sort();
      expect(await ids("", 2)).toEqual(sorted.slice(0, 2));
      expect(await ids(sorted[1]!, 2)).toEqual(sorted.slice(2));
    });

    test("changes what is given and leaves the rest, the hold too", async () => {
      const row = await created({ hold: holdOf(0) });
      const change = { public: true, name: "n", tier: 3, tierUpdatedAt: 200 };
      expect(await directory.update(row.id, change)).toEqual({ ...row, ...change });
      expect(await directory.update(row.id, {})).toEqual({ ...row, ...change });
      expect(await directory.update(row.id, { public: false, name: "" })).toMatchObject({
        public: false,
        name: "",
        tier: 3,
      });
      expect(await directory.update(uniqueName(), { name: "x" })).toBeNull();
      expect(await directory.update(row.id, { name: "x" }, "of another")).toBeNull();
      expect(await directory.update(row.id, { tier: 5 }, row.creation)).toMatchObject({ name: "", tier: 5 });
    });

    test("one that is going is listed no more, is still there to be finished, and keeps its hold", async () => {
      const tenant = uniqueName();
      const row = await created({ tenant, hold: holdOf(0) });
      expect(await directory.update(row.id, { loading: true }, "of another")).toBeNull();
      expect(await directory.list(tenant, "", 10)).toHaveLength(1);
      expect(await directory.update(row.id, { loading: true }, row.creation)).toEqual({ ...row, loading: true });
      expect(await directory.list(tenant, "", 10)).toEqual([]);
      expect(await directory.create({ ...row, creation: "other" })).toBe("exists");
      await directory.remove(row);
      expect(await directory.create({ ...row, creation: "other" })).toBe("created");
    });

    test("removes, and counts by shard", async () => {
      const shard = Math.floor(Math.random() * 60_000) + 1_000;
      const [first] = await Promise.all([created({ shard }), created({ shard })]);
      expect((await directory.countByShard()).get(shard)).toBe(2);
      await directory.remove({ ...first!, creation: "of another" });
      expect((await directory.countByShard()).get(shard)).toBe(2);
      await directory.remove(first!);
      expect((await directory.countByShard()).get(shard)).toBe(1);
      expect(await directory.get(first!.id)).toBeNull();
    });

    test("a hold changes hands from the very one that was seen, and is let go by its own only", async () => {
      const { id } = await created();
      const [first, second] = [holdOf(1), holdOf(2, "wrk_b")];
      expect(await directory.take(id, null, first)).toBe(true);
      expect(await directory.take(id, null, second)).toBe(false);
      expect(await directory.take(id, holdOf(1), second)).toBe(false);
      expect(await directory.get(id)).toMatchObject({ epoch: 1, hold: first });
      expect(await directory.take(id, first, second)).toBe(true);
      expect(await directory.release(id, first)).toBe(false);
      expect(await directory.heldBy("wrk_b", 1_000)).toEqual(
        expect.arrayContaining([expect.objectContaining({ id, hold: second })]),
      );
      expect(await directory.release(id, second, 7)).toBe(true);
      expect(await directory.get(id)).toMatchObject({ epoch: 2, hold: null, shard: 7 });
      expect(await directory.take(uniqueName(), null, first)).toBe(false);
    });

    test("eight takers of one Space: one of them gets it; a take whose reply was lost is recognised", async () => {
      const { id } = await created();
      const holds = harness.peers.map((_, index) => holdOf(1, `wrk_${index}`));
      const taken = await Promise.all(harness.peers.map((peer, index) => peer.take(id, null, holds[index]!)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const winner = holds[taken.indexOf(true)]!;
      expect((await directory.get(id))?.hold).toEqual(winner);
      const next = holdOf(2);
      await expect(losingReplies(directory).take(id, winner, next)).rejects.toMatchObject({ code: "unavailable" });
      expect(await directory.take(id, winner, next)).toBe(true);
    });

    test("beats are rewritten, read and deleted", async () => {
      const beat = { worker: uniqueName(), count: 1, address: "127.0.0.1:1", shard: 4 };
      await directory.writeBeat(beat);
      await directory.writeBeat({ ...beat, count: 2 });
      const own = async () => (await directory.readBeats()).filter(({ worker }) => worker === beat.worker);
      expect(await own()).toEqual([{ ...beat, count: 2 }]);
      await directory.deleteBeat(beat.worker);
      expect(await own()).toEqual([]);
    });

    test("everything is there after a restart", async () => {
      const row = await created({ hold: holdOf(3), epoch: 3 });
      directory = await harness.reopen();
      expect(await directory.get(row.id)).toEqual(row);
    });
  });
}
