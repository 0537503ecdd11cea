/** `runKipBench`: the engine's figures beside raw SQLite doing the same in the same run. Prints; asserts nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SpaceStore } from "../../../services/memory-brain/src/index.ts";
import { measure, ms, type Figures } from "./measure.ts";
import { measureRaw } from "./raw.ts";
import { context, fillConcepts, fillPropositions, must } from "./space.ts";

export interface BenchOptions {
  readonly concepts?: number;
  readonly propositions?: number;
  readonly log?: (line: string) => void;
}

export interface BenchRow {
  readonly name: string;
  readonly found: string;
  readonly target: string;
  readonly raw: string;
}

const both = ({ p50, p99 }: Figures): string => `${ms(p50)} / ${ms(p99)} ms`;

const CLAIM = `MUTATE { ENSURE PROPOSITION ?p (:a, "interested_in", :b) CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "user_statement", payload: :text} }
  CREATE ASSERTION ?x { SET FIELDS {proposition: ?p, asserted_by: :a, mode: "stated"} SET STRUCTURAL { ("evidence", ?e) {role: "support"} } } }`;

interface ClaimFigures {
  readonly rate: number;
  /** Milliseconds from sending to the acknowledgement after the commit. */
  readonly p50: number;
}
const rateOf = ({ rate, p50 }: ClaimFigures): string => `${rate}/s, p50 ${ms(p50)} ms`;

/** Claims (proposition, evidence, assertion) a second, with that many writers each waiting for its own commit. */
async function claimRate(
  space: SpaceStore,
  concepts: number,
  writers: number,
  claims: number,
  salt: number,
): Promise<ClaimFigures> {
  let next = 0;
  const times: number[] = [];
  const one = async (): Promise<void> => {
    while (next < claims) {
      const n = salt + next++;
      const a = 1 + ((n * 7919) % concepts);
      const b = 1 + ((n * 104_729) % concepts);
      const start = performance.now();
      await must(space, CLAIM, {
        a: { id: `C-${a}` },
        b: { id: `C-${b}` },
        text: `the remark of day ${n} about amber and river`,
      });
      times.push(performance.now() - start);
    }
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: writers }, one));
  times.sort((left, right) => left - right);
  return {
    rate: Math.round(claims / ((performance.now() - before) / 1000)),
    p50: times[Math.floor(times.length / 2)]!,
  };
}

async function readRows(space: SpaceStore, concepts: number): Promise<Omit<BenchRow, "raw">[]> {
  const lookup = await measure(3000, (round) =>
    must(space, 'FIND(?x) WHERE { ?x {type: "Person", key: :key} }', {
      key: `person-${1 + ((round * 7919) % concepts)}`,
    }),
  );
  const hops = await measure(100, () =>
    must(space, 'FIND(?c.name) WHERE { ?a {type: "Person", key: "person-1"} (?a, "knows", ?b) (?b, "knows", ?c) }'),
  );
  const slot = await measure(1000, () =>
    must(space, 'FIND(?s) WHERE { ?a {type: "Person", key: "person-500"} ?s BELIEF SLOT (?a, "timezone") }'),
  );
  const words = [
    "amber river",
    "the common remark of the house",
    "common house",
    "summit",
    "zephyr quartz of the remark",
  ];
  const search = await measure(500, (round) =>
    must(space, "SEARCH CONCEPT :text LIMIT 10", { text: words[round % words.length] }),
  );
  const count = await measure(10, () => must(space, "FIND(COUNT(?p)) WHERE { ?p (?s, ?predicate, ?o) }"));
  const oneCount = await measure(10, () => must(space, 'FIND(COUNT(?p)) WHERE { ?p (?s, "knows", ?o) }'));
  return [
    { name: "point lookup p50 / p99", found: both(lookup), target: "0.15 ms p50" },
    { name: "two hops, 1,000 results p50 / p99", found: both(hops), target: "10 ms" },
    { name: "BELIEF SLOT p50 / p99", found: both(slot), target: "2 ms" },
    { name: "SEARCH top 10 p50 / p99", found: both(search), target: "5 / 20 ms" },
    { name: "count over all propositions, predicate unbound", found: `${ms(count.p50)} ms`, target: "300 ms" },
    { name: "count over all propositions of a predicate", found: `${ms(oneCount.p50)} ms`, target: "300 ms" },
  ];
}

const QUESTIONS = ["amber river", "who told zephyr about quartz and umber valley", "the common house", "summit"];

/** Searches that compare vectors, once all of them are made; recall looks through three kinds. */
async function meaningRows(space: SpaceStore): Promise<Omit<BenchRow, "raw">[]> {
  const question = (round: number): string => QUESTIONS[round % QUESTIONS.length]!;
  const search = (mode: string): Promise<Figures> =>
    measure(200, (round) => must(space, `SEARCH CONCEPT :text MODE "${mode}" LIMIT 10`, { text: question(round) }));
  const [semantic, hybrid] = [await search("semantic"), await search("hybrid")];
  const recall = await measure(200, (round) => space.call("recall", { query: question(round), limit: 8 }, context));
  return [
    { name: "SEARCH semantic top 10 p50 / p99", found: both(semantic), target: "" },
    { name: "SEARCH hybrid top 10 p50 / p99", found: both(hybrid), target: "" },
    { name: "recall p50 / p99", found: both(recall), target: "20 / 60 ms" },
  ];
}

/** Resolves once every transaction has its vectors. */
async function allVectors(space: SpaceStore, file: string): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true });
  const sql =
    "select (select v from meta where k = 'seq') = json_extract(v, '$.seq') as done from meta where k = 'vectors'";
  try {
    while (db.prepare(sql).get()?.["done"] !== 1) await space.flush();
  } finally {
    db.close();
  }
}

/** Bytes of the pages in use, and of those the ones of vectors and their index. */
function bytesIn(file: string): { readonly all: number; readonly vectors: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const value = (sql: string): number => Object.values(db.prepare(sql).get()!)[0] as number;
    const all = value("pragma page_count") * value("pragma page_size");
    const vectors = value("select coalesce(sum(pgsize), 0) from dbstat where name in ('vector', 'vector_element')");
    return { all, vectors };
  } finally {
    db.close();
  }
}

/** Lookups while one writer writes. */
async function mixed(space: SpaceStore, concepts: number): Promise<Figures> {
  let writing = true;
  const writer = (async (): Promise<void> => {
    while (writing) await claimRate(space, concepts, 1, 20, Math.floor(performance.now()) * 31);
  })();
  const figures = await measure(2000, (round) =>
    must(space, 'FIND(?x) WHERE { ?x {type: "Person", key: :key} }', { key: `person-${1 + (round % concepts)}` }),
  );
  writing = false;
  await writer;
  return figures;
}

/** A query that would run for minutes, its deadline, and another Space meanwhile. */
async function runaway(
  space: SpaceStore,
  other: SpaceStore,
): Promise<{ readonly stopped: number; readonly code: string; readonly other: Figures }> {
  const before = performance.now();
  const command = 'FIND(COUNT(?a)) WHERE { (?a, "knows", ?b) (?c, "knows", ?d) FILTER(?a.name == ?d.name) }';
  const runs = space.execute({ kip: "2.0", operations: [{ command, options: { deadline_ms: 500 } }] }, context);
  const figures = await measure(200, () => must(other, 'FIND(?x) WHERE { ?x {type: "Person", key: "person-1"} }'));
  const response = await runs;
  return { stopped: performance.now() - before, code: response.results[0]?.error?.code ?? "none", other: figures };
}

export async function runKipBench(options: BenchOptions = {}): Promise<readonly BenchRow[]> {
  const { concepts = 100_000, propositions = 300_000, log = () => {} } = options;
  const directory = mkdtempSync(join(tmpdir(), "kip-bench-"));
  const rows: BenchRow[] = [];
  const add = (row: BenchRow): void => {
    rows.push(row);
    log(`| ${row.name} | ${row.found} | ${row.target} | ${row.raw} |`);
  };
  log(
    `A Space of ${concepts} concepts and ${propositions} propositions; raw: bare SQLite, same run. Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores.\n\n| what | found | target | raw |\n|---|---|---|---|`,
  );
  const raw = await measureRaw(join(directory, "raw.db"), concepts, propositions);
  const [small, space] = [
    await SpaceStore.open(join(directory, "small.db"), "small", { embedder: "offline/hash" }),
    await SpaceStore.open(join(directory, "space.db"), "bench", { embedder: "offline/hash" }),
  ];
  try {
    await fillConcepts(small, 2000);
    await fillPropositions(small, 2000, 4000);
    const file = join(directory, "space.db");
    await fillConcepts(space, concepts);
    await allVectors(space, file);
    const { all, vectors } = bytesIn(file);
    const each = (bytes: number): string => String(Math.round(bytes / concepts));
    const found = `${each(all)}, ${each(vectors)} of them the vector`;
    add({ name: "bytes a concept on disk", found, target: "1536", raw: "" });
    await fillPropositions(space, concepts, propositions);
    await allVectors(space, file);
    for (const row of await meaningRows(space)) add({ ...row, raw: "" });
    const raws = [raw.lookup, raw.twoHops, "", "", raw.count, raw.count].map((value) =>
      value === "" ? "" : `${value} ms`,
    );
    for (const [index, row] of (await readRows(space, concepts)).entries()) add({ ...row, raw: raws[index] ?? "" });
    await claimRate(small, 1000, 8, 2000, 1);
    const [smallOne, smallEight] = [
      await claimRate(small, 1000, 1, 3000, 50_000),
      await claimRate(small, 1000, 8, 15_000, 60_000),
    ];
    await claimRate(space, concepts, 8, 2000, 1);
    const [one, eight] = [
      await claimRate(space, concepts, 1, 3000, 50_000),
      await claimRate(space, concepts, 8, 15_000, 60_000),
    ];
    add({
      name: "claims, one writer",
      found: rateOf(one),
      target: "1,000/s",
      raw: `${raw.versioned} (one concept, two versions, FTS)`,
    });
    add({ name: "claims, eight writers", found: rateOf(eight), target: "5,000/s", raw: "" });
    add({
      name: "the same at 1,000 concepts, one / eight writers",
      found: `${rateOf(smallOne)} / ${rateOf(smallEight)}`,
      target: "within 20 %",
      raw: "",
    });
    add({
      name: "lookup while one writer writes p50 / p99",
      found: both(await mixed(space, concepts)),
      target: "2 ms p99",
      raw: "",
    });
    const stopped = await runaway(space, small);
    add({
      name: `runaway query with a deadline of 500 ms (${stopped.code})`,
      found: `${Math.round(stopped.stopped)} ms`,
      target: "stopped",
      raw: "",
    });
    add({ name: "another Space meanwhile, lookup p50 / p99", found: both(stopped.other), target: "unhurt", raw: "" });
  } finally {
    await small.close();
    await space.close();
    rmSync(directory, { recursive: true });
    log(`\nLoad average at the end ${loadavg()[0]!.toFixed(1)}.`);
  }
  return rows;
}
