/** Searching by what is near, and what becomes of vectors when their elements change or go. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Json, JsonObject } from "@mainspring/kip";
import { afterEach, describe, expect, it } from "vitest";
import { SpaceEngine } from "../../app/engine.ts";
import { executeRequest } from "../../app/execute.ts";
import { standardPackages } from "../../schema/index.ts";
import { OWNER, ref, TestSpace } from "../../testing/space.ts";
import { HashEmbedder } from "../embedders/hash-embedder.ts";
import { SqliteGraphStore } from "./sqlite-graph-store.ts";

const near = (): TestSpace => new TestSpace(undefined, "offline/hash");
const topic = (key: string, name: string): string =>
  `UPSERT CONCEPT ?x { MATCH {type: "Topic", key: "${key}"} SET FIELDS {name: "${name}"} }`;
interface Answer {
  readonly hits: readonly {
    readonly id: string;
    readonly score: number;
    readonly element: { readonly name: string };
  }[];
  readonly mode: string;
}
const search = (space: TestSpace, text: string, mode: string, more = ""): Answer =>
  space.run(`SEARCH CONCEPT :text MODE "${mode}" ${more} LIMIT 5`, { text }) as unknown as Answer;
const names = ({ hits }: Answer): string[] => hits.map(({ element }) => element.name);

describe("search modes", () => {
  it("semantic finds by pieces of words what keyword does not, best first and above the floor", () => {
    const space = near();
    for (const [key, name] of ["photography", "photo albums", "tax law"].entries()) space.run(topic(`k${key}`, name));
    expect(names(search(space, "photographs", "keyword"))).toEqual([]);
    const found = search(space, "photographs", "semantic");
    expect(names(found)).toEqual(["photography", "photo albums"]);
    expect(found.mode).toBe("semantic");
    const scores = found.hits.map(({ score }) => score);
    expect(scores[0]!).toBeGreaterThan(scores[1]!);
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(new HashEmbedder().floor);
  });

  it("hybrid joins both rankings: what both find comes first, with 1 for the first of both", () => {
    const space = near();
    space.run(topic("a", "amber river"));
    space.run(topic("b", "rivers of ambergris amber"));
    const found = search(space, "amber river", "hybrid");
    expect(names(found)).toEqual(["amber river", "rivers of ambergris amber"]);
    expect(found.hits[0]!.score).toBe(1);
    expect(names(search(space, "amber river", "hybrid", "THRESHOLD 0.99"))).toEqual(["amber river"]);
  });

  it("finds nothing where only places of vectors are the same", () => {
    const space = near();
    for (const name of ["Ana", "Bob", "Jon", "Val", "Fay", "Wes", "Zoe", "Oli"]) space.run(topic(name, name));
    for (const word of ["house", "yew", "map", "猫", "山", "木"])
      for (const mode of ["semantic", "hybrid"]) expect(names(search(space, word, mode)), word).toEqual([]);
  });

  it("finds words of texts that are written without spaces, by each mode", () => {
    const space = near();
    const texts = [
      "安娜五月搬到了里斯本",
      "我喜欢喝绿茶",
      "东京是日本的首都",
      "猫が好きです",
      "서울에서 만나요",
      "ดื่มกาแฟทุกเช้า",
    ];
    for (const [key, text] of texts.entries()) space.run(topic(`k${key}`, text));
    for (const [query, at] of [
      ...([
        ["里斯本在哪里", 0],
        ["绿茶", 1],
        ["首都", 2],
        ["日本", 2],
        ["猫", 3],
        ["好き", 3],
        ["서울", 4],
        ["กาแฟ", 5],
      ] as const),
    ])
      for (const mode of ["keyword", "hybrid"]) expect(names(search(space, query, mode))[0], query).toBe(texts[at]);
    expect(names(search(space, "绿茶", "keyword"))).toHaveLength(1);
  });

  it("as a pattern it binds, joins and says how it searched", () => {
    const space = near();
    const [ann, bob] = [space.person("annabel"), space.person("bob")];
    space.run('ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated"}', { ann, bob });
    const command =
      'FIND(?x.name, ?x.retrieval.mode, ?y.name) WHERE { ?x SEARCH CONCEPT "anabel" WITH TYPE "Person" MODE "semantic" LIMIT 5 (?x, "knows", ?y) }';
    expect(space.find(command)).toEqual([["annabel", "semantic", "bob"]]);
  });

  it("finds propositions and claims by what their ends are near to, and evidence by its payload", () => {
    const space = near();
    const [ann, bob] = [space.person("annabel"), space.person("robert")];
    space.run('ASSERT (:ann, "knows", :bob) {by: :ann, mode: "stated"}', { ann, bob });
    space.run('CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "the gardens bloomed"} }');
    for (const [kind, text] of [
      ["PROPOSITION", "anabel"],
      ["ASSERTION", "roberto"],
      ["EVIDENCE", "blooming garden"],
    ]) {
      const found = space.run(`SEARCH ${kind!} :text MODE "semantic"`, { text: text! }) as unknown as Answer;
      expect(found.hits, kind).toHaveLength(1);
    }
  });

  it("is refused by name without an embedder, for an unknown mode, and of the past", () => {
    const space = new TestSpace();
    space.run(topic("a", "amber"));
    for (const mode of ["semantic", "hybrid", "guess"])
      expect(space.code(`SEARCH CONCEPT "x" MODE "${mode}"`)).toBe("SearchModeUnsupported");
    expect(space.code('FIND(?x) WHERE { ?x SEARCH CONCEPT "x" MODE "hybrid" LIMIT 1 }')).toBe("SearchModeUnsupported");
    const with_ = near();
    with_.run(topic("a", "amber"));
    with_.run(topic("b", "basin"));
    expect(with_.code('SEARCH CONCEPT "x" MODE "semantic" AS OF SEQ 1')).toBe("HistoricalSearchUnavailable");
    const past = 'FIND(?x) WHERE { ?x SEARCH CONCEPT "x" MODE "semantic" LIMIT 1 } AS OF SEQ 1';
    expect(with_.code(past)).toBe("HistoricalSearchUnavailable");
  });

  it("is a capability exactly where an embedder is on", () => {
    for (const [space, supported] of [
      [new TestSpace(), false],
      [near(), true],
    ] as const) {
      const told = space.run("DESCRIBE CAPABILITIES") as JsonObject;
      const row = { supported, available: supported };
      expect(told).toMatchObject({ capabilities: { semantic_search: row, hybrid_search: row } });
      expect(told["search_modes"]).toEqual(supported ? ["keyword", "semantic", "hybrid"] : ["keyword"]);
      const required = space.request({
        kip: "2.0",
        requires: ["semantic_search", "hybrid_search"],
        operations: [{ command: "DESCRIBE PRIMER" }],
      });
      expect(required.error?.code).toBe(supported ? undefined : "UnsupportedCapability");
    }
  });
});

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

/** A store on a file, so that another connection can look at its tables. */
function onFile(embedder: ConstructorParameters<typeof SqliteGraphStore>[2] = new HashEmbedder()) {
  const directory = mkdtempSync(join(tmpdir(), "vectors-"));
  directories.push(directory);
  return { file: join(directory, "s.db"), open: () => openAt(join(directory, "s.db"), embedder) };
}

function openAt(file: string, embedder: ConstructorParameters<typeof SqliteGraphStore>[2], vectorsMax?: number) {
  const store = new SqliteGraphStore(file, false, embedder, vectorsMax);
  store.install(standardPackages);
  const report = (error: unknown): void => {
    throw error;
  };
  const engine = new SpaceEngine({ spaceId: "s", store, digest: String, clock: () => 1_780_000_000_000, report });
  const run = (command: string, parameters: JsonObject = {}): Json => {
    store.beginBatch();
    const request = { kip: "2.0", operations: [{ command, parameters }] };
    const response = executeRequest(engine, request, { caller: "t", authority: OWNER, readOnly: false });
    store.commitBatch();
    const error = response.error ?? response.results[0]?.error;
    if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
    return response.results[0]!.result!;
  };
  const fill = (): void => {
    while (store.unfilled) {
      store.beginBatch();
      store.fillVectors();
      store.commitBatch();
    }
  };
  return { store, run, fill };
}

function rowsOf(file: string): { readonly eid: number; readonly model: string; readonly dimension: number }[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db.prepare("select eid, model, dimension, length(vector) as bytes from vector order by eid").all();
    return rows.map((row) => ({ ...row })) as ReturnType<typeof rowsOf>;
  } finally {
    db.close();
  }
}

describe("vectors", () => {
  it("are made in bounded steps, in the order of the transactions, and go on after a new start", () => {
    const { file, open } = onFile();
    const first = open();
    for (let part = 0; part < 3; part += 1) {
      const many = Array.from({ length: 200 }, (_, n) => `CREATE CONCEPT ?x${n} { TYPE "Topic" NAME "n${part} ${n}" }`);
      first.run(`MUTATE { ${many.join(" ")} }`);
    }
    first.store.beginBatch();
    first.store.fillVectors();
    first.store.commitBatch();
    expect(rowsOf(file).map(({ eid }) => eid)).toEqual(Array.from({ length: 256 }, (_, n) => (n + 1) * 8));
    expect(first.store.unfilled).toBe(true);
    first.store.close();
    const second = open();
    second.fill();
    expect(rowsOf(file)).toHaveLength(600);
    expect(rowsOf(file)[0]).toEqual({ eid: 8, model: "offline/hash-2/int8", dimension: 256, bytes: 256 });
    second.store.close();
  });

  it("follow a changed text, and are not written again for another change", () => {
    const space = near();
    space.run(topic("a", "amber"));
    expect(names(search(space, "amber", "semantic"))).toEqual(["amber"]);
    space.run(topic("a", "basin"));
    expect(names(search(space, "amber", "semantic"))).toEqual([]);
    expect(names(search(space, "basins", "semantic"))).toEqual(["basin"]);
    const { file, open } = onFile();
    const { store, run, fill } = open();
    run(topic("a", "amber"));
    fill();
    const no = () => new DatabaseSync(file, { readOnly: true }).prepare("select no from vector").all();
    expect(no()).toMatchObject([{ no: 1 }]);
    run('SET RETENTION "C-1" {retention_class: "pinned"}');
    fill();
    expect(no()).toMatchObject([{ no: 1 }]);
    run(topic("a", "basin"));
    fill();
    expect(no()).toMatchObject([{ no: 2 }]);
    store.close();
  });

  it("go with an element that is purged, with a payload, and with a concept that is merged", () => {
    const { file, open } = onFile();
    const { store, run, fill } = open();
    run(`MUTATE { CREATE CONCEPT ?a { TYPE "Topic" NAME "amber" } CREATE CONCEPT ?b { TYPE "Topic" NAME "basin" }
      CREATE CONCEPT ?c { TYPE "Topic" NAME "cedar" }
      CREATE EVIDENCE ?d { SET FIELDS {evidence_class: "message", payload: "delta"} }
      CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: "ember"} } }`);
    fill();
    const present = (): number[] => rowsOf(file).map(({ eid }) => eid);
    expect(present()).toEqual([8, 11, 16, 19, 24]);
    run('PURGE "C-1" CONFIRM "PURGE"');
    expect(present()).toEqual([11, 16, 19, 24]);
    run('PURGE PAYLOAD "E-1" CONFIRM "PURGE"');
    expect(present()).toEqual([16, 19, 24]);
    run('MERGE CONCEPT "C-2" INTO "C-3"');
    expect(present()).toEqual([19, 24]);
    run('PURGE "E-2" CONFIRM "PURGE"');
    fill();
    expect(present()).toEqual([24]);
    store.close();
  });

  it("that were purged are gone from what a search has in memory", () => {
    const space = near();
    space.run(topic("a", "amber"));
    space.run(topic("b", "ambers"));
    expect(names(search(space, "amber", "semantic"))).toEqual(["amber", "ambers"]);
    space.run('PURGE "C-1" CONFIRM "PURGE"');
    const view = space.engine.view(undefined);
    space.store.beginBatch();
    expect(view.nearest(0, "amber", 5)!.map(({ eid }) => eid)).toEqual([16]);
    space.store.commitBatch();
  });

  it("that a batch made and lost are made again, of what is there then", () => {
    const space = near();
    space.run(topic("a", "amber"));
    space.store.beginBatch();
    const context = { caller: "t", authority: OWNER, readOnly: false };
    executeRequest(space.engine, topic("b", "basin"), context);
    executeRequest(space.engine, 'SEARCH CONCEPT "basin" MODE "semantic"', context);
    space.store.rollbackBatch();
    space.engine.forgetEnvironment();
    space.run(topic("c", "cedar"));
    expect(names(search(space, "cedar", "semantic"))).toEqual(["cedar"]);
    expect(names(search(space, "basin", "semantic"))).toEqual([]);
    expect(names(search(space, "amber", "semantic"))).toEqual(["amber"]);
  });

  it("past the bound are not compared: semantic is refused by the name of the limit, hybrid goes by words and says so", () => {
    const { store, run } = openAt(":memory:", new HashEmbedder(), 2);
    for (const name of ["amber", "basin"]) run(topic(name, name));
    expect(run('SEARCH CONCEPT "ambers" MODE "hybrid"')).toMatchObject({ mode: "hybrid", hits: [{ id: "C-1" }] });
    run(topic("cedar", "cedar"));
    expect(() => run('SEARCH CONCEPT "amber" MODE "semantic"')).toThrow("ResourceExhausted");
    expect(run('SEARCH CONCEPT "amber" MODE "hybrid"')).toMatchObject({ mode: "keyword", hits: [{ id: "C-1" }] });
    run('PURGE "C-3" CONFIRM "PURGE"');
    expect(run('SEARCH CONCEPT "ambers" MODE "semantic"')).toMatchObject({ hits: [{ id: "C-1" }] });
    store.close();
  });

  it("of another model are dropped and made anew", () => {
    const { file, open } = onFile();
    const first = open();
    first.run(topic("a", "amber"));
    first.fill();
    first.store.close();
    const { dimension, floor } = new HashEmbedder();
    const embed = (): Float32Array => new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
    const second = openAt(file, { model: "offline/other", dimension, floor, embed });
    expect(second.store.unfilled).toBe(true);
    second.fill();
    expect(rowsOf(file)).toMatchObject([{ eid: 8, model: "offline/other/int8" }]);
    second.store.close();
  });

  it("are in a dump, and what loads it does not make them again", () => {
    const from = onFile();
    const space = from.open();
    space.run(topic("a", "amber"));
    space.fill();
    const frames = [...space.store.dump("s", null)];
    const to = onFile();
    const copy = to.open();
    copy.store.beginBatch();
    for (const frame of frames) copy.store.load(frame, true);
    copy.store.load(null, true);
    copy.store.commitBatch();
    expect(copy.store.unfilled).toBe(false);
    expect(Buffer.concat([...copy.store.dump("s", null)])).toEqual(Buffer.concat(frames));
    expect(copy.run('SEARCH CONCEPT "ambers" MODE "semantic"')).toMatchObject({ hits: [{ id: "C-1" }] });
    for (const { store } of [space, copy]) store.close();
  });
});

it("an index that was made otherwise is made anew", () => {
  const { file, open } = onFile();
  const first = open();
  first.run(topic("a", "東京タワー"));
  first.store.close();
  const db = new DatabaseSync(file);
  db.exec("insert into fts_concept (fts_concept) values ('delete-all')");
  db.exec("delete from local where k = 'index_form'; update local set v = 1 where k = 'index_seq'");
  db.close();
  const second = open();
  expect(second.run('SEARCH CONCEPT "東京"')).toMatchObject({ hits: [] });
  second.store.recoverWords();
  expect(second.run('SEARCH CONCEPT "東京"')).toMatchObject({ hits: [{ id: "C-1" }] });
  second.store.close();
});

it("a concept that was merged is found by the one that it was merged into", () => {
  const space = near();
  const [one, other] = [space.person("annabel"), space.person("zoe")];
  space.run("MERGE CONCEPT :one INTO :other", { one, other });
  expect(names(search(space, "annabel", "semantic"))).toEqual([]);
  expect(names(search(space, "zoe", "semantic"))).toEqual(["zoe"]);
  expect(ref("C-2")).toEqual(other);
});
