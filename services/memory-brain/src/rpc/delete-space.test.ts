/** Removing a Space: in which order, who may, and what one that broke off leaves. */
import { MainspringError } from "@mainspring/kernel";
import { expect, test } from "vitest";

import type { BrainPorts } from "../app/brain.ts";
import type { SpaceChange, SpaceRow } from "../ports/directory.ts";
import { deleteSpace } from "./delete-space.ts";

const ADMIN = { tenant: "acme", subject: "boss", scopes: ["admin"] };
const ROW = { id: "notes", tenant: "acme", creation: "one", loading: false, shard: 0 } as SpaceRow;
const NOTES = { space_id: "notes" };

/** One row, and what was done to it; `failing` fails once. */
function brain(
  known: Partial<SpaceRow> | null,
  options: { failing?: string; open?: boolean; abandoned?: boolean } = {},
) {
  let row = known === null ? null : ({ ...ROW, ...known } as SpaceRow);
  let { failing = "", open = false } = options;
  const done: string[] = [];
  const step = async (name: string): Promise<void> => {
    if (name === failing) {
      failing = "";
      throw new MainspringError("unavailable", "the disk is away");
    }
    done.push(name);
  };
  const ports = {
    loading: new Set<string>(),
    isAbandoned: () => options.abandoned ?? true,
    seize: () => step("seize"),
    discard: () => step("discard"),
    spaces: {
      rowOf: () => (open ? row : null),
      isOpen: () => open,
      noteRow: () => undefined,
      close: async () => {
        await step("close");
        open = false;
      },
    },
    directory: {
      get: async () => row,
      update: async (_id: string, change: SpaceChange, creation: string) => {
        if (row?.creation !== creation) return null;
        await step("mark");
        return (row = { ...row, ...change });
      },
      remove: async () => {
        await step("remove");
        row = null;
      },
    },
  } as unknown as BrainPorts;
  return { ports, done, row: () => row };
}
const missing = { code: "not_found", message: "space not found: notes" };

test("its row says that it is gone before anything of it goes, and goes last", async () => {
  const closed = brain({});
  await deleteSpace(closed.ports, NOTES, ADMIN);
  expect(closed.done).toEqual(["seize", "mark", "close", "seize", "discard", "remove"]);
  const open = brain({}, { open: true });
  await deleteSpace(open.ports, NOTES, ADMIN);
  expect(open.done).toEqual(["mark", "close", "seize", "discard", "remove"]);
  for (const { ports } of [closed, open]) await expect(deleteSpace(ports, NOTES, ADMIN)).rejects.toMatchObject(missing);
});

test.each(["close", "discard", "remove"])("a repeat finishes one that broke off at %s", async (failing) => {
  const { ports, row } = brain({}, { failing, open: true });
  await expect(deleteSpace(ports, NOTES, ADMIN)).rejects.toMatchObject({ code: "unavailable" });
  expect(row()).toMatchObject({ loading: true });
  expect([...ports.loading]).toEqual([]);
  await deleteSpace(ports, NOTES, ADMIN);
  expect(row()).toBeNull();
});

test("one that another worker has, loads or removes is left to it", async () => {
  const held = brain({}, { failing: "seize" });
  await expect(deleteSpace(held.ports, NOTES, ADMIN)).rejects.toMatchObject({ code: "unavailable" });
  expect(held.row()).toMatchObject({ loading: false });
  const loaded = brain({ loading: true }, { abandoned: false });
  await expect(deleteSpace(loaded.ports, NOTES, ADMIN)).rejects.toMatchObject(missing);
  const here = brain({ loading: true });
  here.ports.loading.add("one");
  await expect(deleteSpace(here.ports, NOTES, ADMIN)).rejects.toMatchObject(missing);
  for (const { done } of [held, loaded, here]) expect(done).toEqual([]);
});

test("of two at once one does it", async () => {
  const { ports, done } = brain({});
  const [first, second] = await Promise.allSettled([1, 2].map(() => deleteSpace(ports, NOTES, ADMIN)));
  expect([first!.status, second]).toMatchObject(["fulfilled", { status: "rejected", reason: missing }]);
  expect(done.filter((name) => name === "discard")).toHaveLength(1);
});

test("only the tenant's admin may, and a foreign one sees nothing", async () => {
  const { ports, done } = brain({ public: true });
  const by = (tenant: string, ...scopes: string[]) => deleteSpace(ports, NOTES, { tenant, subject: "s", scopes });
  await expect(by("other", "admin")).rejects.toMatchObject(missing);
  await expect(by("acme")).rejects.toMatchObject({ code: "permission_denied" });
  await expect(by("acme", "service")).rejects.toMatchObject({ code: "permission_denied" });
  await expect(by("")).rejects.toMatchObject({ code: "unauthenticated" });
  const wrong = deleteSpace(ports, { ...NOTES, shard: 3 }, ADMIN);
  await expect(wrong).rejects.toMatchObject({ reason: "wrong_shard" });
  expect(done).toEqual([]);
});
