import { KipError, MERGE_HOPS_MAX, type JsonObject, type KipReceipt } from "@mainspring/kip";
import type { Body, ElementRow, StateCode } from "../../domain/element.ts";
import type { KindCode } from "../../domain/element-id.ts";
import type { DraftSymbol, SchemaPackage } from "../../domain/schema-package.ts";
import type {
  Edge,
  ElementFilter,
  ElementHead,
  GraphView,
  OutcomeRow,
  PropositionFilter,
  PropositionRow,
  SearchFound,
  TransactionRow,
} from "../../ports/space-graph.ts";
import { searchIndex } from "./search-index.ts";
import type { Cells, SpaceDatabase } from "./space-database.ts";
import { COLUMNS } from "./tables.ts";
import type { VectorIndex } from "./vector-index.ts";

/** What a connection remembers between queries. */
export interface ReaderMemory {
  readonly symbols: Map<string, number>;
  readonly lineages: Map<number, string>;
  /** Merged concept → what it was merged into, and when. */
  merged: Map<number, { readonly target: number; readonly seq: number }>;
  mergeSeq: number;
  readonly estimates: Map<string, { readonly count: number; readonly seq: number }>;
}

export const newMemory = (): ReaderMemory => ({
  symbols: new Map(),
  lineages: new Map(),
  merged: new Map(),
  mergeSeq: -1,
  estimates: new Map(),
});

/** Rows that an estimate counts at most, and commits after which it is counted anew. */
const ESTIMATE_ROWS_MAX = 20_000;
const ESTIMATE_AGE_MAX = 1000;
const ESTIMATES_MAX = 4096;

export function rowOf(cells: Cells): ElementRow {
  return {
    eid: cells[0] as number,
    state: cells[2] as StateCode,
    version: cells[3] as number,
    createdSeq: cells[4] as number,
    updatedSeq: cells[5] as number,
    createdAt: cells[6] as number,
    updatedAt: cells[7] as number,
    type: cells[8] as number,
    key: cells[9] as string | null,
    name: cells[10] as string | null,
    a: cells[11] as number | null,
    b: cells[12] as number | null,
    literal: cells[13] as string | null,
    body: JSON.parse(cells[14] as string) as Body,
  };
}

const propositionOf = (cells: Cells): PropositionRow => ({
  eid: cells[0] as number,
  type: cells[1] as number,
  subject: cells[2] as number,
  object: cells[3] as number | null,
  literal: cells[4] as string | null,
});

/** Conditions and their values as they are added. */
class Where {
  readonly parts: string[] = [];
  readonly values: (number | string)[] = [];

  in(column: string, values: readonly (number | string)[] | undefined): void {
    if (values === undefined) return;
    if (values.length === 1) {
      this.parts.push(`${column} = ?`);
      this.values.push(values[0]!);
      return;
    }
    this.parts.push(`${column} in (select value from json_each(?))`);
    this.values.push(JSON.stringify(values));
  }

  toString(): string {
    return this.parts.length === 0 ? "" : ` and ${this.parts.join(" and ")}`;
  }
}

/** What searches look at beside the tables. */
export interface Searching {
  /** Brings the word index up to date where this connection can. */
  readonly indexWords: () => void;
  readonly fillVectors?: () => void;
  readonly vectors: VectorIndex | undefined;
}

export class GraphReader implements GraphView {
  protected readonly db: SpaceDatabase;
  protected readonly memory: ReaderMemory;
  readonly seq: number;
  readonly current: boolean;
  /** Table expression of the elements as they were at `seq`. */
  readonly #elements: string;

  readonly #searching: Searching | undefined;

  constructor(db: SpaceDatabase, memory: ReaderMemory, seq: number, current: boolean, searching?: Searching) {
    this.#searching = searching;
    this.db = db;
    this.memory = memory;
    this.seq = seq;
    this.current = current;
    const at = Math.trunc(seq);
    this.#elements = current
      ? "element"
      : `(select ${COLUMNS} from element where row_seq <= ${at} union all select ${COLUMNS} from element_history where row_seq <= ${at} and to_seq > ${at})`;
    this.refreshMerges();
  }

  protected refreshMerges(): void {
    const mergeSeq = this.db.value("select v from meta where k = 'merge_seq'") as number;
    if (mergeSeq === this.memory.mergeSeq) return;
    const rows = this.db.all("select eid, a, updated_seq from element where kind = 0 and a is not null");
    this.memory.merged = new Map(
      rows.map((cells) => [cells[0] as number, { target: cells[1] as number, seq: cells[2] as number }]),
    );
    this.memory.mergeSeq = mergeSeq;
  }

  get merges(): boolean {
    return this.memory.merged.size > 0;
  }

  canonical(eid: number): number {
    let found = eid;
    for (let hops = 0; hops <= MERGE_HOPS_MAX; hops++) {
      const next = this.memory.merged.get(found);
      if (next === undefined || next.seq > this.seq) return found;
      found = next.target;
    }
    throw new KipError("ResourceExhausted", `more than ${MERGE_HOPS_MAX} merges lead on from one concept`);
  }

  element(eid: number): ElementRow | undefined {
    const cells = this.db.get(`select ${COLUMNS} from ${this.#elements} where eid = ?`, eid);
    return cells === undefined ? undefined : rowOf(cells);
  }

  head(eid: number): ElementHead | undefined {
    const cells = this.db.get(`select state, type from ${this.#elements} where eid = ?`, eid);
    return cells === undefined ? undefined : { state: cells[0] as StateCode, type: cells[1] as number };
  }

  elements(eids: readonly number[]): Map<number, ElementRow> {
    const found = new Map<number, ElementRow>();
    if (eids.length === 0) return found;
    const where = new Where();
    where.in("eid", eids);
    for (const cells of this.db.all(
      `select ${COLUMNS} from ${this.#elements} where true${where.toString()}`,
      ...where.values,
    )) {
      found.set(cells[0] as number, rowOf(cells));
    }
    return found;
  }

  get allActive(): boolean {
    return !this.merges && this.db.value("select 1 from element where state > 0 limit 1") === undefined;
  }

  inactive(eids: readonly number[]): ReadonlySet<number> {
    if (eids.length === 0) return new Set();
    const none =
      this.current && this.db.value("select 1 from element where state > 0 and state < 4 limit 1") === undefined;
    if (none) return new Set();
    const where = new Where();
    where.in("eid", eids);
    const sql = `select eid from ${this.#elements} where state between 1 and 3${where.toString()}`;
    return new Set(this.db.all(sql, ...where.values).map((cells) => cells[0] as number));
  }

  find(filter: ElementFilter): number[] {
    const where = new Where();
    // A name, proposition or actor tells more than a type: the sign keeps SQLite from the index by type.
    const telling = filter.name ?? filter.a ?? filter.b;
    where.in(telling === undefined || filter.key !== undefined ? "type" : "+type", filter.types);
    if (filter.key !== undefined) where.in("key", [filter.key]);
    if (filter.name !== undefined) where.in("name", [filter.name]);
    where.in("a", filter.a);
    where.in("b", filter.b);
    // For the planner's partial index of records the kind is written as a range too.
    const kind = filter.kind > 2 ? `kind > 2 and kind = ${filter.kind}` : `kind = ${filter.kind}`;
    // A merged concept is still found by its key, and stands for what it was merged into.
    const keyed = filter.kind === 0 && filter.key !== undefined && (this.merges || filter.anyState === true);
    const states = filter.anyState === true ? "state in (0, 1, 2, 4)" : keyed ? "state in (0, 4)" : "state = 0";
    const sql = `select eid from ${this.#elements} where ${kind} and ${states}${where.toString()}`;
    const found = this.db.all(sql, ...where.values).map((cells) => cells[0] as number);
    return keyed ? [...new Set(found.map((eid) => this.canonical(eid)))] : found;
  }

  /** Without statistics SQLite would take the index by type: which one serves the filter is known here. */
  #propositionSource(filter: PropositionFilter): string {
    if (!this.current) return this.#elements;
    if (filter.subjects !== undefined) return "element indexed by proposition_subject";
    if (filter.objects !== undefined) return "element indexed by proposition_object";
    return this.#elements;
  }

  propositions(filter: PropositionFilter): PropositionRow[] {
    const where = new Where();
    where.in("a", filter.subjects);
    where.in("b", filter.objects);
    const ends = filter.subjects ?? filter.objects;
    where.in(this.current || ends === undefined ? "type" : "+type", filter.types);
    where.in("literal", filter.literals);
    // Partial indexes are used where their condition is written out.
    const linked = filter.objects === undefined ? "" : " and b is not null";
    const sql = `select eid, type, a, b, literal from ${this.#propositionSource(filter)} where kind = 1 and ${filter.anyState === true ? "state < 3" : "state = 0"}${linked}${where.toString()}`;
    return this.db.all(sql, ...where.values).map(propositionOf);
  }

  countPropositions(types: readonly number[] | undefined): number {
    const where = new Where();
    where.in("type", types);
    const source = this.current ? "element indexed by proposition_type" : this.#elements;
    return this.db.value(
      `select count(*) from ${source} where kind = 1 and state = 0${where.toString()}`,
      ...where.values,
    ) as number;
  }

  edges(filter: {
    readonly fields?: readonly number[];
    readonly sources?: readonly number[];
    readonly targets?: readonly number[];
  }): Edge[] {
    const where = new Where();
    where.in("field", filter.fields);
    where.in("source", filter.sources);
    where.in("target", filter.targets);
    const live = this.current
      ? "to_seq is null"
      : `from_seq <= ${this.seq} and (to_seq is null or to_seq > ${this.seq})`;
    const sql = `select source, field, position, target, role from link where ${live}${where.toString()} order by source, field, position`;
    return this.db.all(sql, ...where.values).map((cells) => ({
      source: cells[0] as number,
      field: cells[1] as number,
      index: cells[2] as number,
      target: cells[3] as number,
      role: cells[4] as string | null,
    }));
  }

  symbol(lineage: string): number | undefined {
    const known = this.memory.symbols.get(lineage);
    if (known !== undefined) return known;
    const id = this.db.value("select id from symbol where lineage = ?", lineage) as number | undefined;
    if (id !== undefined) this.remember(lineage, id);
    return id;
  }

  protected remember(lineage: string, id: number): void {
    this.memory.symbols.set(lineage, id);
    this.memory.lineages.set(id, lineage);
  }

  lineage(symbol: number): string {
    const known = this.memory.lineages.get(symbol);
    if (known !== undefined) return known;
    const lineage = this.db.value("select lineage from symbol where id = ?", symbol);
    if (typeof lineage !== "string") throw new KipError("InternalError", "an element names an unknown symbol");
    this.remember(lineage, symbol);
    return lineage;
  }

  estimate(kind: KindCode, types: readonly number[] | undefined): number {
    const { estimates } = this.memory;
    const key = `${kind} ${types?.join() ?? "*"}`;
    const known = estimates.get(key);
    if (known !== undefined && Math.abs(this.seq - known.seq) < ESTIMATE_AGE_MAX) return known.count;
    const where = new Where();
    where.in("type", types);
    const range = kind > 2 ? `kind > 2 and kind = ${kind}` : `kind = ${kind}`;
    const state = kind === 2 ? "" : " and state = 0";
    const sql = `select count(*) from (select 1 from element where ${range}${state}${where.toString()} limit ${ESTIMATE_ROWS_MAX})`;
    const count = this.db.value(sql, ...where.values) as number;
    if (estimates.size >= ESTIMATES_MAX) estimates.clear();
    estimates.set(key, { count, seq: this.seq });
    return count;
  }

  search(kind: KindCode, words: readonly string[], wanted: number): SearchFound[] {
    this.#searching?.indexWords();
    return searchIndex(this.db, kind, words, wanted);
  }

  get semantic(): boolean {
    return this.current && this.#searching?.vectors !== undefined;
  }

  nearest(kind: KindCode, text: string, wanted: number): SearchFound[] | undefined {
    const { vectors, fillVectors } = this.#searching ?? {};
    if (!this.current || vectors === undefined) return undefined;
    fillVectors?.();
    return vectors.refresh() ? vectors.nearest(kind, text, wanted) : undefined;
  }

  confirmsNear(query: string, text: string): boolean {
    return this.#searching?.vectors?.confirms(query, text) ?? true;
  }

  get indexSeq(): number {
    return this.db.value("select v from local where k = 'index_seq'") as number;
  }

  clientKey(key: string): { readonly eid: number; readonly digest: string } | undefined {
    const cells = this.db.get("select eid, digest from client_key where key = ?", key);
    return cells === undefined ? undefined : { eid: cells[0] as number, digest: cells[1] as string };
  }

  #transaction(cells: Cells): TransactionRow {
    return {
      seq: cells[0] as number,
      at: cells[1] as number,
      environment: cells[2] as string,
      receipt: JSON.parse(cells[3] as string) as KipReceipt,
      changes: JSON.parse(cells[4] as string) as JsonObject[],
    };
  }

  transaction(seq: number): TransactionRow | undefined {
    const cells = this.db.get("select seq, at, environment, receipt, changes from tx where seq = ?", seq);
    return cells === undefined ? undefined : this.#transaction(cells);
  }

  transactions(after: number, upTo: number, limit: number): TransactionRow[] {
    const sql = "select seq, at, environment, receipt, changes from tx where seq > ? and seq <= ? order by seq limit ?";
    return this.db.all(sql, after, Math.min(upTo, this.seq), limit).map((cells) => this.#transaction(cells));
  }

  /** Commit times never run backwards, so the last one not after the instant is found by halving. */
  seqAt(time: number): number {
    let low = 0;
    let high = this.seq;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const at = this.db.value("select at from tx where seq = ?", middle) as number;
      if (at <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  versionsOf(eid: number): ElementRow[] {
    const sql = `select ${COLUMNS} from element_history where eid = ? union all select ${COLUMNS} from element where eid = ? order by row_seq`;
    return this.db.all(sql, eid, eid).map(rowOf);
  }

  outcome(key: string): OutcomeRow | undefined {
    const cells = this.db.get("select digest, seq, response, at from outcome where key = ?", key);
    if (cells === undefined) return undefined;
    return {
      digest: cells[0] as string,
      seq: cells[1] as number | null,
      response: cells[2] as string,
      at: cells[3] as number,
    };
  }

  packages(): readonly SchemaPackage[] {
    return this.db
      .all("select artifact from package order by ref")
      .map((cells) => JSON.parse(cells[0] as string) as SchemaPackage);
  }

  drafts(): readonly DraftSymbol[] {
    const rows = this.db.all("select definition, seq, promoted_to from draft order by seq, kind, name");
    return rows.map((cells) => ({
      definition: JSON.parse(cells[0] as string) as DraftSymbol["definition"],
      seq: cells[1] as number,
      promotedTo: (cells[2] as string | null) ?? undefined,
    }));
  }
}
