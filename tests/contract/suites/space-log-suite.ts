/** What every log of Spaces keeps to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { LogRecord, Snapshot, SpaceLog } from "../../../services/memory-brain/src/ports/space-log.ts";
import { LOG_PART_BYTES_MAX } from "../../../services/memory-brain/src/ports/space-log.ts";
import { losingReplies, uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

type WholeRecord = LogRecord & { readonly patch: Uint8Array };

function recordOf(no: number, fields: Partial<WholeRecord> = {}): WholeRecord {
  return { no, commit: uniqueName(), epoch: 1, erased: false, patch: Buffer.from([no, 0, 255]), ...fields };
}

const snapshotOf = (no: number, fields: Partial<Snapshot> = {}): Snapshot => ({
  no,
  commit: uniqueName(),
  id: uniqueName(),
  epoch: 1,
  parts: 1,
  bytes: 3,
  ...fields,
});

/** Bytes as plain arrays, so that a difference is about them. */
const plain = (records: readonly LogRecord[]) =>
  records.map(({ patch, ...record }) => ({ ...record, patch: patch === null ? null : [...patch] }));

export function describeSpaceLog(name: string, open: () => Promise<Harness<SpaceLog>>): void {
  describe(`log of Spaces: ${name}`, () => {
    let harness: Harness<SpaceLog>;
    let log: SpaceLog;
    beforeAll(async () => {
      harness = await open();
      log = harness.subject;
    });
    afterAll(async () => await harness.close());

    test("gives records back as they were, in order, up to the first that is not there", async () => {
      const space = uniqueName();
      const records = [recordOf(1), recordOf(2, { erased: true, patch: new Uint8Array() }), recordOf(3, { epoch: 2 })];
      for (const record of [...records, recordOf(5)]) expect(await log.append(space, record)).toBe(true);
      expect(plain(await log.read(space, 0, 64))).toEqual(plain(records));
      expect(plain(await log.read(space, 1, 1))).toEqual(plain(records.slice(1, 2)));
      expect(await log.read(space, 3, 64)).toEqual([]);
      expect(await log.read(uniqueName(), 0, 64)).toEqual([]);
    });

    test("of eight writers of one number one has it; a lost reply is recognised by its writer alone", async () => {
      const space = uniqueName();
      const written = await Promise.all(harness.peers.map((peer) => peer.append(space, recordOf(1))));
      expect(written.filter(Boolean)).toHaveLength(1);
      const record = recordOf(2);
      await expect(losingReplies(log).append(space, record)).rejects.toMatchObject({ code: "unavailable" });
      expect(await log.append(space, record)).toBe(true);
      expect(await log.append(space, recordOf(2))).toBe(false);
    });

    test("a record that is larger than a document may be comes back whole", async () => {
      const space = uniqueName();
      const patch = Buffer.alloc(17 * LOG_PART_BYTES_MAX + 5, "patch");
      expect(await log.append(space, recordOf(1, { patch }))).toBe(true);
      const [read] = await log.read(space, 0, 1);
      expect(Buffer.compare(read!.patch!, patch)).toBe(0);
    });

    test("a newer snapshot takes the place of an older one, and an older or equal one does not", async () => {
      const space = uniqueName();
      expect(await log.snapshot(space)).toBeNull();
      const [first, second] = [snapshotOf(3), snapshotOf(5)];
      expect(await log.publish(space, first)).toBe(true);
      expect(await log.publish(space, second)).toBe(true);
      for (const late of [first, snapshotOf(5), snapshotOf(4)]) expect(await log.publish(space, late)).toBe(false);
      expect(await log.snapshot(space)).toEqual(second);
    });

    test("records before a snapshot lose their patch and keep their number; parts go with what replaced them", async () => {
      const space = uniqueName();
      const records = [1, 2, 3, 4].map((no) =>
        recordOf(no, no === 2 ? { patch: Buffer.alloc(2 * LOG_PART_BYTES_MAX, 1) } : {}),
      );
      for (const record of records) await log.append(space, record);
      const [before, dead, own, now] = [
        snapshotOf(1, { id: "before" }),
        snapshotOf(1, { id: "dead", epoch: 1 }),
        snapshotOf(1, { id: "own", epoch: 2 }),
        snapshotOf(3, { id: "now", epoch: 2 }),
      ];
      for (const snapshot of [before, dead, own, now])
        await log.writePart(space, snapshot, 0, Buffer.from(snapshot.id));
      await log.publish(space, before);
      await log.publish(space, now);
      await log.truncate(space, now, before);
      expect((await log.read(space, 0, 64)).map(({ no, patch }) => [no, patch === null])).toEqual([
        [1, true],
        [2, true],
        [3, false],
        [4, false],
      ]);
      expect(await log.append(space, recordOf(2))).toBe(false);
      expect(Buffer.from(await log.readPart(space, "now", 0)).toString()).toBe("now");
      // Another's snapshot that is being made is not touched by who was there before it.
      expect(Buffer.from(await log.readPart(space, "own", 0)).toString()).toBe("own");
      for (const id of ["before", "dead"])
        await expect(log.readPart(space, id, 0)).rejects.toMatchObject({ code: "aborted" });
      await expect(log.readPart(space, records[1]!.commit, 0)).rejects.toMatchObject({ code: "aborted" });
    });

    test("is removed as a whole, and another's stays", async () => {
      const [space, other] = [uniqueName(), uniqueName()];
      for (const each of [space, other]) {
        await log.append(each, recordOf(1));
        await log.publish(each, snapshotOf(1));
      }
      await log.remove(space);
      expect([await log.read(space, 0, 1), await log.snapshot(space)]).toEqual([[], null]);
      expect(await log.read(other, 0, 1)).toHaveLength(1);
    });

    test("everything is there after a restart", async () => {
      const space = uniqueName();
      const record = recordOf(1);
      await log.append(space, record);
      log = await harness.reopen();
      expect(plain(await log.read(space, 0, 1))).toEqual(plain([record]));
    });
  });
}
