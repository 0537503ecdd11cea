import type { ElementRow, LinkRow } from "../../domain/element.ts";
import { eidOf, kindOf, type KindCode } from "../../domain/element-id.ts";
import { indexForm } from "../../domain/search-text.ts";
import type { DraftSymbol } from "../../domain/schema-package.ts";
import type { GraphWriter, OutcomeRow, TransactionRow } from "../../ports/space-graph.ts";
import { GraphReader, type ReaderMemory } from "./graph-reader.ts";
import { INDEX_OF } from "./search-index.ts";
import type { SpaceDatabase } from "./space-database.ts";
import { COLUMNS } from "./tables.ts";
import { dropVector } from "./vector-table.ts";

/** The highest number given out for each kind. */
export type Counters = [number, number, number, number, number];

export function readCounters(db: SpaceDatabase): Counters {
  const text = db.value("select v from meta where k = 'counters'");
  return typeof text === "string" ? (JSON.parse(text) as Counters) : [0, 0, 0, 0, 0];
}

export function writeCounters(db: SpaceDatabase, counters: Counters, seq: number): void {
  db.run("insert or replace into meta values ('counters', ?), ('seq', ?)", JSON.stringify(counters), seq);
}

/** Words that an element is found by; none: it is no longer found. */
export interface IndexEntry {
  readonly eid: number;
  readonly text: string;
  readonly fresh: boolean;
}

export function writeIndex(db: SpaceDatabase, entries: readonly IndexEntry[]): void {
  for (const { eid, text: given, fresh } of entries) {
    const table = INDEX_OF[kindOf(eid)];
    const text = indexForm(given);
    if (text === "") {
      if (!fresh) db.run(`delete from ${table} where rowid = ?`, eid);
    } else if (fresh) db.run(`insert into ${table} (rowid, text) values (?, ?)`, eid, text);
    else db.run(`insert or replace into ${table} (rowid, text) values (?, ?)`, eid, text);
  }
}

/** The present of a Space and one transaction on top of it. */
export class SqliteGraphWriter extends GraphReader implements GraphWriter {
  readonly nextSeq: number;
  readonly #counters: Counters;

  schemaChanged = false;
  readonly #onCommit: () => void;

  constructor(db: SpaceDatabase, memory: ReaderMemory, seq: number, counters: Counters, onCommit: () => void) {
    super(db, memory, seq, true);
    this.nextSeq = seq + 1;
    this.#counters = counters;
    this.#onCommit = onCommit;
  }

  /** This connection makes all merges itself and remembers them; only after an undone one it reads them again. */
  protected override refreshMerges(): void {
    if (this.memory.mergeSeq < 0) super.refreshMerges();
  }

  override canonical(eid: number): number {
    const merge = this.memory.merged.get(eid);
    return merge === undefined ? eid : this.canonical(merge.target);
  }

  allocate(kind: KindCode): number {
    return eidOf(kind, ++this.#counters[kind]);
  }

  symbolOrNew(lineage: string): number {
    const known = this.symbol(lineage);
    if (known !== undefined) return known;
    this.db.run("insert into symbol (lineage) values (?)", lineage);
    const id = this.db.value("select id from symbol where lineage = ?", lineage) as number;
    this.remember(lineage, id);
    return id;
  }

  insert(row: ElementRow): void {
    this.db.run(
      `insert into element (${COLUMNS}) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
      row.eid,
      kindOf(row.eid),
      row.state,
      row.version,
      row.createdSeq,
      row.updatedSeq,
      row.createdAt,
      row.updatedAt,
      row.type,
      row.key,
      row.name,
      row.a,
      row.b,
      row.literal,
      JSON.stringify(row.body),
      this.nextSeq,
    );
  }

  #keepVersion(eid: number): void {
    this.db.run(
      `insert into element_history (${COLUMNS}, to_seq) select ${COLUMNS}, ? from element where eid = ? and row_seq < ?`,
      this.nextSeq,
      eid,
      this.nextSeq,
    );
  }

  update(row: ElementRow): void {
    this.#keepVersion(row.eid);
    this.#write(row);
  }

  #write(row: ElementRow): void {
    this.db.run(
      "update element set state=?, version=?, updated_seq=?, updated_at=?, type=?, key=?, name=?, a=?, b=?, literal=?, body=?, row_seq=? where eid=?",
      row.state,
      row.version,
      row.updatedSeq,
      row.updatedAt,
      row.type,
      row.key,
      row.name,
      row.a,
      row.b,
      row.literal,
      JSON.stringify(row.body),
      this.nextSeq,
      row.eid,
    );
    if (row.a !== null && kindOf(row.eid) === 0) this.memory.merged.set(row.eid, { target: row.a, seq: this.nextSeq });
  }

  addLink(source: number, link: LinkRow): void {
    const target = this.canonical(link.target);
    this.db.run(
      "insert into link (source, field, position, target, role, stored, from_seq) values (?,?,?,?,?,?,?)",
      source,
      link.field,
      link.index,
      target,
      link.role,
      link.target,
      this.nextSeq,
    );
  }

  removeLinks(source: number, field: number): void {
    this.db.run(
      "delete from link where source = ? and field = ? and to_seq is null and from_seq = ?",
      source,
      field,
      this.nextSeq,
    );
    this.db.run(
      "update link set to_seq = ? where source = ? and field = ? and to_seq is null",
      this.nextSeq,
      source,
      field,
    );
  }

  repoint(source: number, target: number): void {
    const moves: readonly (readonly [string, string])[] = [
      ["kind = 1 and a = ?", "a"],
      ["kind = 1 and b = ?", "b"],
      ["kind = 2 and b = ?", "b"],
    ];
    for (const [condition, column] of moves) {
      const rows = this.db.all(`select eid from element where ${condition}`, source);
      for (const [eid] of rows as [number][]) {
        this.#keepVersion(eid);
        this.db.run(`update element set ${column} = ?, row_seq = ? where eid = ?`, target, this.nextSeq, eid);
      }
    }
    const links = this.db.all(
      "select source, field, position, role, stored from link where target = ? and to_seq is null",
      source,
    );
    for (const [from, field, position, role, stored] of links as [number, number, number, string | null, number][]) {
      this.db.run(
        "update link set to_seq = ? where source = ? and field = ? and position = ? and to_seq is null",
        this.nextSeq,
        from,
        field,
        position,
      );
      this.db.run(
        "insert or replace into link (source, field, position, target, role, stored, from_seq) values (?,?,?,?,?,?,?)",
        from,
        field,
        position,
        target,
        role,
        stored,
        this.nextSeq,
      );
    }
    dropVector(this.db, source);
    this.#mergesChanged();
  }

  #mergesChanged(): void {
    this.db.run("insert or replace into meta values ('merge_seq', ?)", this.nextSeq);
    this.memory.mergeSeq = this.nextSeq;
  }

  /**
   * Words are written later, many at once: FTS5 writes a segment at every commit and savepoint that follows a change, and
   * a mutation never searches.
   */
  readonly words: IndexEntry[] = [];

  index(eid: number, text: string, fresh: boolean): void {
    this.words.push({ eid, text, fresh });
    if (text === "" && !fresh) dropVector(this.db, eid);
  }

  erase(row: ElementRow, keepLinks: boolean): void {
    this.db.run("delete from element_history where eid = ?", row.eid);
    if (!keepLinks) this.db.run("delete from link where source = ?", row.eid);
    this.index(row.eid, "", false);
    this.db.run("update client_key set digest = 'erased' where eid = ?", row.eid);
    this.#eraseTranscript(row.eid);
    if (this.memory.merged.delete(row.eid)) this.#mergesChanged();
    this.#write(row);
  }

  scrub(eid: number, member: string): void {
    this.db.run("update element_history set body = json_remove(body, '$.' || ?) where eid = ?", member, eid);
    this.index(eid, "", false);
    this.#eraseTranscript(eid);
  }

  /** The conversation that the evidence came with keeps that it took place, not what was said. */
  #eraseTranscript(eid: number): void {
    this.db.run(
      `update conversation set body = json_set(body, '$.messages', json('[]'), '$.extra.disposition', 'erased'), digest = 'erased'
       where (collection, id) = (select collection, id from conversation_evidence where eid = ?)`,
      eid,
    );
  }

  mergedInto(eid: number): number[] {
    return this.db
      .all("select eid from element where kind = 0 and a is not null and a = ?", eid)
      .map((cells) => cells[0] as number);
  }

  dependents(eid: number): number[] {
    return [...this.#naming(eid), ...this.mergedInto(eid)];
  }

  /** Propositions and claims that name the element; each condition has an index of its own. */
  #naming(eid: number): Set<number> {
    const found = new Set<number>();
    for (const condition of ["kind = 1 and a = ?", "kind = 1 and b = ?", "kind = 2 and a = ?", "kind = 2 and b = ?"]) {
      for (const [id] of this.db.all(`select eid from element where ${condition} and state < 3`, eid))
        found.add(id as number);
    }
    return found;
  }

  setClientKey(key: string, eid: number, digest: string): void {
    this.db.run("insert into client_key values (?, ?, ?)", key, eid, digest);
  }

  addDraft(draft: DraftSymbol): void {
    const { definition, seq } = draft;
    this.db.run(
      "insert into draft values (?, ?, ?, ?, null)",
      definition.kind,
      definition.name,
      JSON.stringify(definition),
      seq,
    );
    this.db.run("insert or replace into meta values ('schema_seq', ?)", this.nextSeq);
    this.schemaChanged = true;
  }

  promoteDraft(kind: string, name: string, target: string): void {
    this.db.run("update draft set promoted_to = ? where kind = ? and name = ?", target, kind, name);
    this.db.run("insert or replace into meta values ('schema_seq', ?)", this.nextSeq);
    this.schemaChanged = true;
  }

  commit(row: TransactionRow): void {
    this.#onCommit();
    const { seq, at, environment, receipt, changes } = row;
    this.db.run(
      "insert into tx (seq, at, environment, receipt, changes) values (?,?,?,?,?)",
      seq,
      at,
      environment,
      JSON.stringify(receipt),
      JSON.stringify(changes),
    );
  }

  setOutcome(key: string, outcome: OutcomeRow): void {
    this.db.run(
      "insert or replace into outcome values (?,?,?,?,?)",
      key,
      outcome.digest,
      outcome.seq,
      outcome.response,
      outcome.at,
    );
  }

  references(eid: number): number {
    const links = this.db.value(
      "select count(*) from link join element on element.eid = link.source and element.state < 3 where target = ? and to_seq is null",
      eid,
    ) as number;
    return this.#naming(eid).size + this.mergedInto(eid).length + links;
  }
}
