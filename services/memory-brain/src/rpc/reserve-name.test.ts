import { systemClock, systemRandom } from "@mainspring/kernel";
import { expect, test } from "vitest";

import type { BrainPorts } from "../app/brain.ts";
import type { Hold, SpaceRow } from "../ports/directory.ts";
import { reserveName } from "./reserve-name.ts";
import { load } from "./dump-and-load.ts";

const HOLD: Hold = { worker: "wrk_me", epoch: 0, claim: "mine" };
const ADMIN = { tenant: "acme", subject: "boss", scopes: ["admin"] };
const ROW = { id: "notes", tenant: "acme", creation: "new", loading: false } as SpaceRow;

/** A directory with at most one row, and what was done to it. */
function brain(known: Partial<SpaceRow> | null, more: Partial<BrainPorts> = {}) {
  let row = known === null ? null : ({ ...ROW, creation: "old", ...known } as SpaceRow);
  const done: string[] = [];
  const ports = {
    clock: systemClock,
    random: systemRandom,
    loading: new Set<string>(),
    loaderHold: () => HOLD,
    isAbandoned: () => true,
    shards: async () => [0],
    discard: async ({ creation }: SpaceRow) => void done.push(`discard ${creation}`),
    directory: {
      countByShard: async () => new Map(),
      get: async () => row,
      create: async (wanted: SpaceRow) => {
        if (row !== null) return "exists";
        done.push(`create ${wanted.creation}`);
        row = wanted;
        return "created";
      },
      remove: async ({ creation }: SpaceRow) => {
        done.push(`remove ${creation}`);
        if (row?.creation === creation) row = null;
      },
    },
    ...more,
  } as unknown as BrainPorts;
  return { ports, done, row: () => row };
}

test("a name that is free, and one of a load that died, is taken; of the latter nothing stays", async () => {
  const free = brain(null);
  await reserveName(free.ports, ROW);
  expect(free.done).toEqual(["create new"]);
  const dead = brain({ loading: true });
  await reserveName(dead.ports, ROW);
  expect(dead.done).toEqual(["discard old", "remove old", "create new"]);
});

test.each([
  ["a Space", { loading: false }, {}],
  ["a load that somebody holds", { loading: true }, { isAbandoned: () => false }],
  ["a load of this process, whatever else is thought of it", { loading: true }, { loading: new Set(["old"]) }],
])("the name of %s stays, and so does all of it", async (_what, known, more) => {
  const { ports, done, row } = brain(known, more);
  await expect(reserveName(ports, ROW)).rejects.toMatchObject({ code: "already_exists", reason: "space_exists" });
  expect(done).toEqual([]);
  expect(row()).toMatchObject({ creation: "old" });
});

test("a load holds its name and is known to go on from the moment that its row is there, until it ends", async () => {
  const { ports, row } = brain(null);
  let meanwhile: readonly string[] = [];
  const spaces = {
    use: async () => {
      meanwhile = [...ports.loading];
      throw new Error("the disk is full");
    },
    close: async () => undefined,
  };
  const seen: (Hold | null)[] = [];
  const create = ports.directory.create.bind(ports.directory);
  ports.directory.create = async (wanted) => {
    seen.push(wanted.hold);
    return await create(wanted);
  };
  async function* frames() {
    yield { space_id: "notes", user: "", data: Buffer.alloc(0) };
  }
  const loading = load({ ...ports, spaces } as unknown as BrainPorts, frames() as never, ADMIN);
  await expect(loading.next()).rejects.toThrow();
  expect(seen).toEqual([HOLD]);
  expect(meanwhile).toHaveLength(1);
  expect([...ports.loading]).toEqual([]);
  expect(row()).toBeNull();
});
