import { KipError, type JsonObject } from "@mainspring/kip";
import type { Session } from "node:sqlite";
import { STATE } from "../../domain/element.ts";
import { parseId } from "../../domain/element-id.ts";
import { INDEX_FORM, indexedText } from "../../domain/search-text.ts";
import type { SchemaPackage } from "../../domain/schema-package.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { GraphView, GraphWriter } from "../../ports/space-graph.ts";
import type { LogPosition } from "../../app/local-space.ts";
import { GraphReader, newMemory, rowOf, type ReaderMemory } from "./graph-reader.ts";
import {
  readCounters,
  SqliteGraphWriter,
  writeCounters,
  writeIndex,
  type Counters,
  type IndexEntry,
} from "./graph-writer.ts";
import { INDEX_OF } from "./search-index.ts";
import { SpaceDatabase } from "./space-database.ts";
import { DumpLoader, dumpFrames } from "./space-dump.ts";
import { SqliteSpaceRecords } from "./sqlite-space-records.ts";
import { COLUMNS, CONTENT } from "./tables.ts";
import { VectorFiller } from "./vector-filler.ts";
import { VectorIndex } from "./vector-index.ts";

/** Most changed texts that wait to be indexed. */
const WORDS_PENDING_MAX = 512;
/** Transactions that are not indexed after which the whole index is made anew. */
const REBUILD_AFTER = 5_000;
const PROBLEMS_MAX = 20;

/**
 * One connection as a graph. The reader's reads one request in one SQLite transaction, so it sees one state. The
 * writer's collects what arrives into a batch: each request in a savepoint, all of them in one commit to the disk.
 *
 * Words are indexed a little later than they are committed, many elements at once: before any search, when many wait,
 * and when the writer has been idle for a moment. `index_seq` says how far the index is; what a crash left out is
 * indexed again from the transactions after it. What is erased leaves the index in its own commit.
 */
export class SqliteGraphStore implements GraphStore {
  readonly #db: SpaceDatabase;
  #memory: ReaderMemory = newMemory();
  #counters: Counters;
  #savedCounters: Counters;
  #seq: number;
  #writer: SqliteGraphWriter | undefined;
  #sealed = false;
  /** Texts of the batch that is being written, and those of commits before it. */
  #words: IndexEntry[] = [];
  #pending: IndexEntry[] = [];
  #batch = false;
  #schemaSeq: number;
  readonly records: SqliteSpaceRecords;
  #loader: DumpLoader | undefined;
  /** Whether batches can be sealed: every change of the content is recorded. */
  recording = false;
  #sessions: Session[] = [];
  #erased = false;
  readonly #filler: VectorFiller | undefined;
  readonly #vectors: VectorIndex | undefined;

  /** Without an embedder nothing is found by its meaning. */
  constructor(file: string, readOnly: boolean, embedder?: Embedder, vectorsMax?: number) {
    this.#db = new SpaceDatabase(file, readOnly);
    if (embedder !== undefined) this.#vectors = new VectorIndex(this.#db, embedder, vectorsMax);
    if (embedder !== undefined && !readOnly) this.#filler = new VectorFiller(this.#db, embedder);
    this.records = new SqliteSpaceRecords(this.#db);
    this.#counters = readCounters(this.#db);
    this.#savedCounters = [...this.#counters];
    this.#seq = this.#readSeq();
    this.#schemaSeq = this.#readSchemaSeq();
  }

  #readSeq(): number {
    return this.#db.value("select v from meta where k = 'seq'") as number;
  }

  #readSchemaSeq(): number {
    return this.#db.value("select v from meta where k = 'schema_seq'") as number;
  }

  /** Installs the packages that a new Space starts with; packages that are there stay as they are. */
  install(packages: readonly SchemaPackage[]): void {
    for (const pack of packages) {
      this.#db.run("insert or ignore into package values (?, ?)", pack.manifest.package_ref, JSON.stringify(pack));
    }
  }

  /** One consistent state for everything inside. */
  reading<T>(run: () => T): T {
    this.#db.run("begin");
    try {
      this.#seq = this.#readSeq();
      this.#schemaSeq = this.#readSchemaSeq();
      return run();
    } finally {
      this.#db.run("commit");
    }
  }

  beginBatch(): void {
    this.#db.run("begin immediate");
    this.#batch = true;
    this.#erased = false;
    if (this.recording) this.#sessions = this.#db.startSessions(Object.keys(CONTENT));
  }

  /** What the batch changed, as bytes that another copy of the Space applies; empty when it changed nothing. */
  sealBatch(): { readonly patch: Uint8Array; readonly erased: boolean } {
    if (this.#loader === undefined) writeCounters(this.#db, this.#counters, this.#seq);
    const patch = Buffer.concat(this.#sessions.map((session) => session.patchset()));
    // The batch may wait long for its record, and its thread be ended then: nothing native stays open meanwhile.
    this.#endSessions();
    return { patch: Uint8Array.from(patch), erased: this.#erased };
  }

  #endSessions(): void {
    for (const session of this.#sessions.splice(0)) session.close();
  }

  /** Everything that was kept is on the disk when this returns. */
  commitBatch(): void {
    this.#endSessions();
    const urgent = this.#words.some((entry) => entry.text === "" && !entry.fresh);
    const waiting = [...this.#pending, ...this.#words];
    const flush = urgent || waiting.length > WORDS_PENDING_MAX;
    if (flush) this.#writeWords(waiting);
    if (this.#loader === undefined) writeCounters(this.#db, this.#counters, this.#seq);
    this.#db.run("commit");
    this.#batch = false;
    this.#words = [];
    this.#pending = flush ? [] : waiting;
  }

  #writeWords(entries: readonly IndexEntry[]): void {
    writeIndex(this.#db, entries);
    this.#db.run("insert or replace into local values ('index_seq', ?)", this.#seq);
  }

  /** Texts that are committed and not indexed yet. */
  get unindexed(): number {
    return this.#pending.length;
  }

  /** Indexes everything that waits. */
  flushWords(): void {
    if (this.#pending.length === 0) return;
    const waiting = this.#pending;
    this.beginBatch();
    this.#writeWords(waiting);
    this.#pending = [];
    try {
      this.commitBatch();
    } catch (error) {
      this.#pending = waiting;
      throw error;
    }
  }

  /** A search inside a batch sees the words of the requests before it. */
  #indexNow(): void {
    if (this.#pending.length + this.#words.length === 0) return;
    if (!this.#batch) return this.flushWords();
    this.#writeWords([...this.#pending, ...this.#words]);
    this.#pending = [];
    this.#words = [];
  }

  /** After a crash: the elements of transactions that were committed and not indexed. All, where they were indexed otherwise. */
  recoverWords(): void {
    const indexed = this.#db.value("select v from local where k = 'index_seq'") as number;
    const form = this.#db.value("select v from local where k = 'index_form'");
    if (form !== INDEX_FORM || this.#seq - indexed > REBUILD_AFTER) {
      this.beginBatch();
      this.#rebuildIndex();
      this.commitBatch();
      return;
    }
    this.#collectUnindexed();
    this.flushWords();
  }

  #rebuildIndex(): void {
    for (const table of new Set(Object.values(INDEX_OF)))
      this.#db.run(`insert into ${table} (${table}) values ('delete-all')`);
    const sql = `select ${COLUMNS} from element where eid > ? order by eid limit ${WORDS_PENDING_MAX}`;
    let after = 0;
    for (;;) {
      const rows = this.#db.all(sql, after).map(rowOf);
      const found = rows.filter(({ state }) => state !== STATE.purged);
      writeIndex(
        this.#db,
        found.map((row) => ({ eid: row.eid, text: indexedText(row), fresh: true })),
      );
      if (rows.length < WORDS_PENDING_MAX) break;
      after = rows.at(-1)!.eid;
    }
    this.#db.run("insert or replace into local values ('index_seq', ?), ('index_form', ?)", this.#seq, INDEX_FORM);
  }

  /**
   * Takes part of a dump in place of what is there; null ends it, and gives what came along. Only of a `snapshot` are tokens
   * taken. To be called in a batch.
   */
  load(bytes: Uint8Array | null, snapshot: boolean): JsonObject | null {
    this.#loader ??= new DumpLoader(this.#db, { withTokens: snapshot });
    if (bytes !== null) {
      this.#loader.add(bytes);
      return null;
    }
    const { about } = this.#loader.finish();
    this.#loader = undefined;
    this.#words = [];
    this.#pending = [];
    this.#reload();
    this.#rebuildIndex();
    return about;
  }

  /** Whether anything is committed that has no vector yet. */
  get unfilled(): boolean {
    return this.#loader === undefined && this.#filler?.waits(this.#seq) === true;
  }

  /** Makes vectors of some of what has none yet. To be called in a batch. */
  fillVectors(): void {
    if (this.unfilled) this.#filler!.fill(this.view(undefined));
  }

  get semantic(): boolean {
    return this.#vectors !== undefined;
  }

  /** What was written may have been undone. */
  #forgetVectors(): void {
    this.#filler?.forget();
    this.#vectors?.recheck();
  }

  /** Reads again what is remembered of the database. */
  #reload(): void {
    this.#forgetVectors();
    this.#counters = readCounters(this.#db);
    this.#seq = this.#readSeq();
    this.#memory = newMemory();
    this.#schemaSeq = this.#readSchemaSeq();
  }

  /** The whole Space as it is now, with tokens where `about` is null; nothing else may use the connection before the end. */
  *dump(spaceId: string, about: JsonObject | null): Generator<Uint8Array> {
    const own = !this.#db.inTransaction;
    if (own) this.#db.run("begin");
    try {
      yield* dumpFrames(this.#db, { space: spaceId, about, log: this.position() });
    } finally {
      if (own) this.#db.run("commit");
    }
  }

  /** The last record that this copy has. */
  position(): LogPosition {
    const no = this.#db.value("select v from local where k = 'log_no'") as number | undefined;
    const commit = this.#db.value("select v from local where k = 'log_commit'") as string | undefined;
    return { no: no ?? 0, commit: commit ?? "" };
  }

  /** Nothing was ever written to it, not even what a new Space starts with. */
  isEmpty(): boolean {
    const tables = ["tx", "package", "conversation", "space_token", "outcome"];
    return tables.every((table) => this.#db.value(`select 1 from ${table} limit 1`) === undefined);
  }

  /** Says that this copy has everything up to the record. */
  setPosition({ no, commit }: LogPosition): void {
    this.#db.run("insert or replace into local values ('log_no', ?), ('log_commit', ?)", no, commit);
  }

  /** Applies records in order. To be called in a batch. Throws where this copy is not what they were made on. */
  apply(patch: Uint8Array): void {
    if (patch.length > 0 && !this.#db.applyPatch(patch))
      throw new KipError("DigestMismatch", "a record does not fit this copy of the Space");
    this.#reload();
  }

  /** How many rows there are, and what is wrong with the file. To be called in a batch. */
  check(): { readonly rows: number; readonly problems: string[] } {
    const problems = this.#db.all(`pragma integrity_check(${PROBLEMS_MAX})`).map((cells) => String(cells[0]));
    for (const table of new Set(Object.values(INDEX_OF))) {
      try {
        this.#db.run(`insert into ${table} (${table}, rank) values ('integrity-check', 0)`);
      } catch (error) {
        problems.push(`${table}: ${(error as Error).message}`);
      }
    }
    const counts = Object.keys(CONTENT).map((table) => this.#db.value(`select count(*) from ${table}`) as number);
    return { rows: counts.reduce((sum, count) => sum + count, 0), problems: problems.filter((text) => text !== "ok") };
  }

  #collectUnindexed(): void {
    this.#pending = [];
    const indexed = this.#db.value("select v from local where k = 'index_seq'") as number;
    if (indexed >= this.#seq) return;
    const view = this.view(undefined);
    const changed = new Set<number>();
    for (let after = indexed; after < this.#seq; after += WORDS_PENDING_MAX) {
      for (const row of view.transactions(after, this.#seq, WORDS_PENDING_MAX)) {
        for (const { id } of row.changes) {
          const eid = typeof id === "string" ? parseId(id) : undefined;
          if (eid !== undefined) changed.add(eid);
        }
      }
    }
    for (const [eid, row] of view.elements([...changed])) {
      this.#pending.push({ eid, text: row.state === STATE.purged ? "" : indexedText(row), fresh: false });
    }
  }

  /** When the last transaction was committed; times go on from there. */
  lastCommitAt(): number {
    return (this.#db.value("select at from tx where seq = ?", this.#seq) as number | undefined) ?? 0;
  }

  rollbackBatch(): void {
    this.#endSessions();
    if (!this.#batch) return;
    this.#batch = false;
    this.#words = [];
    // A commit that failed on a full disk may have ended the transaction already.
    if (this.#db.inTransaction) this.#db.run("rollback");
    this.#reload();
    this.#loader = undefined;
    // What a search of this batch had indexed was undone with it.
    this.#collectUnindexed();
  }

  currentSeq(): number {
    return this.#seq;
  }

  schemaSeq(): number {
    return this.#schemaSeq;
  }

  view(seq: number | undefined): GraphView {
    if (this.#writer !== undefined && seq === undefined) return this.#writer;
    const current = seq === undefined || seq === this.#seq;
    return new GraphReader(this.#db, this.#memory, seq ?? this.#seq, current, {
      indexWords: () => this.#indexNow(),
      fillVectors: () => {
        if (this.#batch) this.fillVectors();
      },
      vectors: this.#vectors,
    });
  }

  begin(): GraphWriter {
    this.#db.run("savepoint request");
    this.#savedCounters = [...this.#counters];
    this.#sealed = false;
    const writer = new SqliteGraphWriter(this.#db, this.#memory, this.#seq, this.#counters, () => {
      this.#sealed = true;
    });
    this.#writer = writer;
    return writer;
  }

  end(keep: boolean): void {
    const words = this.#writer?.words ?? [];
    const schemaChanged = this.#writer?.schemaChanged === true;
    this.#writer = undefined;
    if (keep) {
      this.#erased ||= words.some((entry) => entry.text === "" && !entry.fresh);
      for (const entry of words) this.#words.push(entry);
      this.#db.run("release request");
      if (this.#sealed) this.#seq++;
    } else {
      this.#db.run("rollback to request");
      this.#db.run("release request");
      this.#counters.splice(0, 5, ...this.#savedCounters);
      this.#memory = newMemory();
      this.#forgetVectors();
    }
    if (schemaChanged) this.#schemaSeq = this.#readSchemaSeq();
  }

  attempt<T>(run: () => { readonly value: T; readonly keep: boolean }): T {
    const before = { seq: this.#seq, counters: [...this.#counters] as Counters, words: this.#words.length };
    this.#db.run("savepoint attempt");
    let kept = false;
    try {
      const { value, keep } = run();
      kept = keep;
      return value;
    } finally {
      if (!kept) this.#undo(before);
      this.#db.run("release attempt");
    }
  }

  #undo({ seq, counters, words }: { readonly seq: number; readonly counters: Counters; readonly words: number }): void {
    this.#db.run("rollback to attempt");
    this.#seq = seq;
    this.#counters.splice(0, 5, ...counters);
    // A search inside may have indexed what is undone now, and what waited before with it.
    if (this.#words.length < words) throw new KipError("InternalError", "an attempt searched before it was undone");
    this.#words.length = words;
    this.#memory = newMemory();
    this.#forgetVectors();
    this.#schemaSeq = this.#readSchemaSeq();
  }

  close(): void {
    this.#db.close();
  }
}
