import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../../services/memory-brain/src/app/execute.ts";
import { SpaceStore } from "../../../services/memory-brain/src/adapters/space-store/space-store.ts";
import { QUEUE_MAX } from "../../../services/memory-brain/src/adapters/space-store/thread-handle.ts";

const context: RequestContext = { caller: "t", authority: { principal: "owner", actor: undefined }, readOnly: false };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "space-store-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (): Promise<SpaceStore> => SpaceStore.open(join(directory, "s.db"), "s");
const create = (name: string): string => `CREATE CONCEPT ?x { TYPE "Topic" NAME "${name}" }`;
const seqOf = (response: KipResponse): number => response.results[0]!.receipt!.space_seq;

describe("a Space in its threads", () => {
  it("commits what eight writers send, each with a number of its own and none left out", async () => {
    await using space = await open();
    const responses = await Promise.all(Array.from({ length: 200 }, (_, n) => space.execute(create(`t${n}`), context)));
    expect(responses.map(seqOf).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    const count = await space.execute('FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} }', context);
    expect(count.results[0]!.result).toEqual([200]);
  });

  it("a failing request in a batch takes nothing of its neighbours with it", async () => {
    await using space = await open();
    const commands = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0 ? `MUTATE { ${create(`t${n}`)} UPDATE "C-9999" SET ATTRIBUTES {a: 1} }` : create(`t${n}`),
    );
    const responses = await Promise.all(commands.map((command) => space.execute(command, context)));
    expect(responses.map((response) => response.status === "failed")).toEqual(commands.map((_, n) => n % 3 === 0));
    const names = await space.execute('FIND(?x.name) WHERE { ?x {type: "Topic"} }', context);
    expect((names.results[0]!.result as string[]).sort()).toEqual(
      commands
        .map((_, n) => `t${n}`)
        .filter((_, n) => n % 3 !== 0)
        .sort(),
    );
    expect((await space.execute('SEARCH CONCEPT "t0"', context)).results[0]!.result).toMatchObject({ hits: [] });
    expect((await space.execute('SEARCH CONCEPT "t4" LIMIT 1', context)).results[0]!.result).toMatchObject({
      hits: [{ element: { name: "t4" } }],
    });
  });

  it("what was acknowledged is there after it was opened again, and numbers go on", async () => {
    let space = await open();
    await space.execute(create("one"), context);
    await space.execute('DEFINE PREDICATE "likes" {description: "d", subject: "Person", object: "Topic"}', context);
    await space.close();
    space = await open();
    expect(seqOf(await space.execute(create("two"), context))).toBe(3);
    const found = await space.execute('FIND(?x.id, ?x.name) WHERE { ?x {type: "Topic"} } ORDER BY ?x.name', context);
    expect(found.results[0]!.result).toEqual([
      ["C-1", "one"],
      ["C-2", "two"],
    ]);
    expect((await space.execute('DESCRIBE PREDICATE "likes"', context)).status).toBe("succeeded");
    await space.close();
  });

  it("a reader sees what was acknowledged and refuses to write", async () => {
    await using space = await open();
    for (let n = 0; n < 20; n++) {
      const written = seqOf(await space.execute(create(`t${n}`), context));
      const read = await space.execute('FIND(COUNT(?x)) WHERE { ?x {type: "Topic"} }', context);
      expect([read.results[0]!.result, read.snapshot!["space_seq"]]).toEqual([[n + 1], written]);
    }
    const refused = await space.execute(create("no"), { ...context, readOnly: true });
    expect(refused.results[0]!.error?.code).toBe("ReadonlyViolation");
  });

  it("a query past its deadline stops, while another Space goes on", async () => {
    await using space = await open();
    await using other = await SpaceStore.open(join(directory, "o.db"), "o");
    await space.execute(
      `MUTATE { ${Array.from({ length: 300 }, (_, n) => `CREATE CONCEPT ?x${n} { TYPE "Topic" NAME "n" }`).join(" ")} }`,
      context,
    );
    const runaway = space.execute(
      {
        kip: "2.0",
        options: { deadline_ms: 200 },
        operations: [{ command: "FIND(COUNT(?a)) WHERE { ?a {} ?b {} FILTER(?a.name == ?b.name) ?c {} ?d {} }" }],
      },
      context,
    );
    const meanwhile = await other.execute(create("x"), context);
    expect(meanwhile.status).toBe("succeeded");
    const stopped = await runaway;
    expect(["ExecutionTimeout", "ResultLimitExceeded"]).toContain(stopped.results[0]!.error?.code);
    expect((await space.execute("DESCRIBE PROTOCOL", context)).status).toBe("succeeded");
  });

  it("past its bound a queue refuses with RateLimited, and a closed Space says that it is open no more", async () => {
    const space = await open();
    const sent = Array.from({ length: QUEUE_MAX + 10 }, () => space.execute("DESCRIBE PROTOCOL", context));
    const refused = (await Promise.all(sent)).filter((response) => response.error?.code === "RateLimited");
    expect(refused).toHaveLength(10);
    await space.close();
    const gone = { code: "unavailable", reason: "space_moved", retry: "safe" };
    await expect(space.execute("DESCRIBE PROTOCOL", context)).rejects.toMatchObject(gone);
    await expect(space.execute(create("late"), context)).rejects.toMatchObject(gone);
  });

  it("a Space that ends under a write leaves its outcome unknown", async () => {
    const space = await open();
    const pending = space.execute(create("late"), context);
    await space.kill();
    expect(await pending).toMatchObject({ status: "outcome_unknown", error: { code: "OutcomeUnknown" } });
  });

  it("a Space that ends under a read says that nothing was done", async () => {
    const space = await open();
    const pending = space.execute("DESCRIBE PROTOCOL", context);
    await Promise.all([expect(pending).rejects.toMatchObject({ code: "unavailable", retry: "safe" }), space.kill()]);
  });

  it("a draft is promoted by its owner only", async () => {
    await using space = await open();
    await space.execute('DEFINE CONCEPT TYPE "City" {description: "d"}', context);
    await expect(
      space.promote("ConceptType", "City", "Place", {
        ...context,
        authority: { principal: "agent", actor: undefined },
      }),
    ).rejects.toMatchObject({ code: "NotAuthorized" });
    expect(await space.promote("ConceptType", "City", "Place", context)).toMatchObject({
      to: "kip://mainspring/general@1.0.0/Place",
    });
    expect((await space.execute('DESCRIBE TYPE "City"', context)).results[0]!.result).toMatchObject({ name: "Place" });
  });
});
