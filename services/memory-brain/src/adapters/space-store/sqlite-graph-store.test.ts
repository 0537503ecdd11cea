import { describe, expect, it } from "vitest";
import { executeRequest } from "../../app/execute.ts";
import { OWNER, TestSpace } from "../../testing/space.ts";

const create = (name: string): string => `CREATE CONCEPT ?x { TYPE "Topic" NAME "${name}" }`;
const context = { caller: "t", authority: OWNER, readOnly: false };

describe("batches", () => {
  it("a batch that is undone leaves numbers, ids, schema and index as they were", () => {
    const space = new TestSpace();
    space.run(create("kept"));
    space.store.beginBatch();
    for (const command of [
      create("lost"),
      'DEFINE PREDICATE "lost" {description: "d", subject: "Person", object: "Person"}',
      'SEARCH CONCEPT "lost"',
    ]) {
      expect(executeRequest(space.engine, command, context).status).toBe("succeeded");
    }
    space.store.rollbackBatch();
    space.engine.forgetEnvironment();
    expect(space.seq).toBe(1);
    expect(space.code('DESCRIBE PREDICATE "lost"')).toBe("SchemaSymbolNotFound");
    expect(space.run('SEARCH CONCEPT "lost"')).toMatchObject({ hits: [] });
    expect(space.run('SEARCH CONCEPT "kept"')).toMatchObject({ hits: [{ element: { name: "kept" } }] });
    expect(space.handles(create("next"))).toEqual({ x: "C-2" });
    expect(space.seq).toBe(2);
  });

  it("words wait for a search, and the file says how far the index is", () => {
    const space = new TestSpace();
    for (let n = 0; n < 20; n++) space.run(create(`word${n}`));
    expect(space.store.unindexed).toBe(20);
    expect(space.engine.view(undefined).indexSeq).toBe(0);
    expect(space.run('SEARCH CONCEPT "word7" LIMIT 1')).toMatchObject({
      hits: [{ element: { name: "word7" } }],
      index_seq: 20,
    });
    expect(space.store.unindexed).toBe(0);
    space.run('PURGE "C-8" CONFIRM "PURGE"');
    expect([space.store.unindexed, space.engine.view(undefined).indexSeq]).toEqual([0, 21]);
  });

  it("many words do not wait", () => {
    const space = new TestSpace();
    space.run(
      `MUTATE { ${Array.from({ length: 600 }, (_, n) => `CREATE CONCEPT ?x${n} { TYPE "Topic" NAME "n${n}" }`).join(" ")} }`,
    );
    expect(space.store.unindexed).toBe(0);
  });
});
