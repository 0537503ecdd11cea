/**
 * The experiment behind docs/decisions/kip-joins.md: a two-hop pattern and a belief slot over 400,000 elements, as
 * one SQL join, as lookups row by row from JavaScript, and as batched lookups from JavaScript; with merges resolved by
 * a join at read time or by canonical columns kept at write time. Run: node tests/bench/kip/join-decision.ts
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const CONCEPTS = 100_000;
const PROPOSITIONS = 300_000;
const ROUNDS = 30;

const directory = mkdtempSync(join(tmpdir(), "kip-join-"));
const file = join(directory, "space.db");
const db = new DatabaseSync(file);

function load(): void {
  db.exec(`pragma journal_mode = wal; pragma synchronous = off;
    create table element (eid integer primary key, kind int, state int, type int, k text, a int, b int, ra int, rb int, lit text, body text);
    create table merged (source integer primary key, target int) without rowid;
    begin`);
  const insert = db.prepare("insert into element values (?,?,0,?,?,?,?,?,?,?,?)");
  const body = JSON.stringify({ name: "somebody", attributes: { note: "x".repeat(120) } });
  for (let n = 1; n <= CONCEPTS; n++) insert.run(n * 8, 0, 1, `key-${n}`, null, null, null, null, null, body);
  // Hub 1 reaches 40 concepts, and each of these reaches 25 others; the rest is random.
  let n = 0;
  const tuple = (a: number, type: number, b: number): void => {
    n++;
    insert.run(n * 8 + 1, 1, type, null, a * 8, b * 8, a * 8, b * 8, null, "{}");
  };
  for (let i = 0; i < 40; i++) {
    tuple(1, 10, 2 + i);
    for (let j = 0; j < 25; j++) tuple(2 + i, 11, 1000 + i * 25 + j);
  }
  for (let i = 0; i < 5; i++) tuple(500, 12, 600 + i);
  let random = 7;
  const next = (below: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return random % below;
  };
  while (n < PROPOSITIONS) tuple(2000 + next(CONCEPTS - 2000), 10 + next(3), 2000 + next(CONCEPTS - 2000));
  for (let i = 0; i < 15; i++)
    insert.run(
      i * 8 + 2,
      2,
      0,
      null,
      (1041 + (i % 5)) * 8 + 1,
      7 * 8,
      0,
      0,
      null,
      JSON.stringify({ stance: "support", mode: "stated", asserted_at: "2026-01-01T00:00:00.000Z" }),
    );
  for (let i = 1; i <= 1000; i++)
    db.prepare("insert into merged values (?,?)").run((CONCEPTS - i) * 8, (CONCEPTS - 2 * i) * 8);
  db.exec(`commit;
    create index prop_subject on element (type, a, b, lit) where kind = 1 and state = 0;
    create index prop_object on element (type, b, a) where kind = 1 and state = 0;
    create index assertion_prop on element (a) where kind = 2;
    analyze`);
}

function timed(name: string, run: () => number): void {
  for (let i = 0; i < 5; i++) run();
  const times: number[] = [];
  let rows = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const before = performance.now();
    rows = run();
    times.push(performance.now() - before);
  }
  times.sort((left, right) => left - right);
  console.log(`| ${name} | ${rows} | ${times[ROUNDS / 2]!.toFixed(3)} | ${times.at(-1)!.toFixed(3)} |`);
}

const hop = "select a, b from element where kind = 1 and state = 0 and type = ?";

function twoHop(): void {
  const sql =
    db.prepare(`select x.b, y.b, e.body from element x join element y on y.kind = 1 and y.state = 0 and y.type = 11 and y.a = x.b
    join element e on e.eid = y.b where x.kind = 1 and x.state = 0 and x.type = 10 and x.a = ?`);
  timed("two hops, one SQL join", () => sql.all(8).map((row) => JSON.parse(row["body"] as string)).length);
  const merging = db.prepare(`select x.b, y.b, e.body from element x left join merged m on m.source = x.b
    join element y on y.kind = 1 and y.state = 0 and y.type = 11 and y.a in (select ifnull(m.target, x.b) union all select source from merged where target = ifnull(m.target, x.b))
    join element e on e.eid = y.b where x.kind = 1 and x.state = 0 and x.type = 10 and x.a = ?`);
  timed(
    "two hops, one SQL join, merges joined at read",
    () => merging.all(8).map((row) => JSON.parse(row["body"] as string)).length,
  );
  const one = db.prepare(`${hop} and a = ?`);
  const element = db.prepare("select body from element where eid = ?");
  timed("two hops, JavaScript row by row", () => {
    let rows = 0;
    for (const first of one.all(10, 8)) {
      for (const second of one.all(11, first["b"]!)) {
        JSON.parse(element.get(second["b"]!)!["body"] as string);
        rows++;
      }
    }
    return rows;
  });
  const many = db.prepare(`${hop} and a in (select value from json_each(?))`);
  many.setReturnArrays(true);
  const elements = db.prepare("select eid, body from element where eid in (select value from json_each(?))");
  elements.setReturnArrays(true);
  timed("two hops, JavaScript in batches", () => {
    const first = many.all(10, "[8]") as unknown as number[][];
    const second = many.all(11, JSON.stringify([...new Set(first.map((row) => row[1]!))])) as unknown as number[][];
    const bodies = new Map(
      elements
        .all(JSON.stringify([...new Set(second.map((row) => row[1]!))]))
        .map((row) => row as unknown as [number, string]),
    );
    return second.map((row) => JSON.parse(bodies.get(row[1]!)!)).length;
  });
}

function beliefSlot(): void {
  const sql =
    db.prepare(`select p.eid, p.b, s.eid as aid, s.b as actor, s.body from element p left join element s on s.kind = 2 and s.a = p.eid
    where p.kind = 1 and p.state = 0 and p.type = 12 and p.a = ?`);
  timed(
    "belief slot, one SQL join",
    () => sql.all(4000).map((row) => JSON.parse((row["body"] as string | null) ?? "{}")).length,
  );
  const candidates = db.prepare("select eid, b from element where kind = 1 and state = 0 and type = 12 and a = ?");
  const claims = db.prepare("select eid, b, body from element where kind = 2 and a = ?");
  timed(
    "belief slot, JavaScript row by row",
    () =>
      candidates
        .all(4000)
        .flatMap((row) => claims.all(row["eid"]!))
        .map((row) => JSON.parse(row["body"] as string)).length,
  );
  const batch = db.prepare("select eid, b, body from element where kind = 2 and a in (select value from json_each(?))");
  timed(
    "belief slot, JavaScript in batches",
    () =>
      batch
        .all(JSON.stringify(candidates.all(4000).map((row) => row["eid"])))
        .map((row) => JSON.parse(row["body"] as string)).length,
  );
}

function counting(): void {
  const count = db.prepare("select count(*) as n from element where kind = 1 and state = 0");
  timed("count of all propositions, SQL", () => count.get()!["n"] as number);
  const all = db.prepare("select eid, type, a, b from element where kind = 1 and state = 0");
  all.setReturnArrays(true);
  timed("count of all propositions, rows to JavaScript", () => all.all().length);
}

load();
console.log(
  `${((statSync(file).size + statSync(`${file}-wal`).size) / 2 ** 20).toFixed(0)} MiB\n\n| case | rows | p50 ms | max ms |\n|---|---|---|---|`,
);
twoHop();
beliefSlot();
counting();
db.close();
rmSync(directory, { recursive: true });
