/** The same data and work in bare SQLite, in this thread: the floor that the engine is compared with. */
import { DatabaseSync } from "node:sqlite";
import { measure, ms } from "./measure.ts";

export interface RawFigures {
  readonly lookup: string;
  readonly twoHops: string;
  readonly count: string;
  readonly versioned: string;
}

export async function measureRaw(file: string, concepts: number, propositions: number): Promise<RawFigures> {
  const db = new DatabaseSync(file);
  db.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table c (id integer primary key, key text unique, body text); create table p (id integer primary key, s int, p int, o int); create table v (id int, seq int, body text, primary key (id, seq)) without rowid; create virtual table f using fts5(text, content='', contentless_delete=1); begin",
  );
  const concept = db.prepare("insert into c values (?,?,?)");
  for (let n = 1; n <= concepts; n++)
    concept.run(n, `person-${n}`, JSON.stringify({ name: `person ${n}`, note: "x".repeat(60) }));
  const tuple = db.prepare("insert into p values (?,?,1,?)");
  let id = 0;
  for (let i = 0; i < 40; i++) {
    tuple.run(++id, 1, 2 + i);
    for (let j = 0; j < 25; j++) tuple.run(++id, 2 + i, 1000 + i * 25 + j);
  }
  while (id < propositions)
    tuple.run(++id, 1000 + ((id * 7919) % (concepts - 1000)), 1000 + ((id * 104_729) % (concepts - 1000)));
  db.exec("commit; create index ps on p (s, p, o); pragma wal_checkpoint(truncate)");
  const byKey = db.prepare("select body from c where key = ?");
  const lookup = await measure(5000, (round) => byKey.get(`person-${1 + (round % concepts)}`));
  const hops = db.prepare(
    "select c.body from p x join p y on y.s = x.o and y.p = 1 join c on c.id = y.o where x.s = 1 and x.p = 1",
  );
  const twoHops = await measure(200, () => hops.all());
  const counting = db.prepare("select count(*) from p");
  const count = await measure(20, () => counting.get());
  const [version, words] = [
    db.prepare("insert into v values (?,?,?)"),
    db.prepare("insert into f (rowid, text) values (?,?)"),
  ];
  let next = concepts;
  const write = (): void => {
    next++;
    db.exec("begin");
    concept.run(next, `person-${next}`, "{}");
    version.run(next, 1, "{}");
    version.run(next, 2, "{}");
    words.run(next, "amber basin cedar");
    db.exec("commit");
  };
  const versioned = await measure(1000, write);
  db.close();
  return {
    lookup: ms(lookup.p50),
    twoHops: ms(twoHops.p50),
    count: ms(count.p50),
    versioned: `${Math.round(1000 / versioned.p50)}/s`,
  };
}
