import type { SchemaPackage } from "../../domain/schema-package.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { GraphView, GraphWriter } from "../../ports/space-graph.ts";
import { GraphReader, newMemory, type ReaderMemory } from "./graph-reader.ts";
import {
  readCounters,
  SqliteGraphWriter,
  writeCounters,
  writeIndex,
  type Counters,
  type IndexEntry,
} from "./graph-writer.ts";
import { SpaceDatabase } from "./space-database.ts";

/**
 * One connection as a graph. The reader's reads one request in one SQLite transaction, so it sees one state. The
 * writer's collects what arrives into a batch: each request in a savepoint, all of them in one commit to the disk.
 */
export class SqliteGraphStore implements GraphStore {
  readonly #db: SpaceDatabase;
  #memory: ReaderMemory = newMemory();
  #counters: Counters;
  #savedCounters: Counters;
  #seq: number;
  #writer: SqliteGraphWriter | undefined;
  #sealed = false;
  #words: IndexEntry[] = [];
  #batch = false;
  #schemaSeq: number;

  constructor(file: string, readOnly: boolean) {
    this.#db = new SpaceDatabase(file, readOnly);
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
    this.#db.exec("begin immediate");
    this.#batch = true;
  }

  /** Everything that was kept is on the disk when this returns. */
  commitBatch(): void {
    writeIndex(this.#db, this.#words);
    this.#words = [];
    writeCounters(this.#db, this.#counters, this.#seq);
    this.#db.exec("commit");
    this.#batch = false;
  }

  rollbackBatch(): void {
    if (!this.#batch) return;
    this.#batch = false;
    this.#words = [];
    this.#db.exec("rollback");
    this.#counters = readCounters(this.#db);
    this.#seq = this.#readSeq();
    this.#memory = newMemory();
    this.#schemaSeq = this.#readSchemaSeq();
  }

  currentSeq(): number {
    return this.#seq;
  }

  schemaSeq(): number {
    return this.#schemaSeq;
  }

  view(seq: number | undefined): GraphView {
    if (this.#writer !== undefined && seq === undefined) return this.#writer;
    return new GraphReader(this.#db, this.#memory, seq ?? this.#seq, seq === undefined || seq === this.#seq);
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
      for (const entry of words) this.#words.push(entry);
      this.#db.run("release request");
      if (this.#sealed) this.#seq++;
    } else {
      this.#db.run("rollback to request");
      this.#db.run("release request");
      this.#counters.splice(0, 5, ...this.#savedCounters);
      this.#memory = newMemory();
    }
    if (schemaChanged) this.#schemaSeq = this.#readSchemaSeq();
  }

  close(): void {
    this.#db.close();
  }
}
