/**
 * A Space as bytes: lines of JSON. First a header, then every row of every content table in the order of its key, then how
 * many rows there were with the digest of all bytes before. The word index is not in it; it is made from the rest. A dump that
 * is carried away has no tokens, and of one that is brought in none are taken: they open one Space, and no copy of it.
 */
import { createHash, type Hash } from "node:crypto";
import { KipError, type JsonObject } from "@mainspring/kip";
import type { LogPosition } from "../../app/local-space.ts";
import type { Cell, SpaceDatabase } from "./space-database.ts";
import { CONTENT, LAYOUT } from "./tables.ts";

export const DUMP_FRAME_BYTES_MAX = 1024 * 1024;
/** Longest line that is read: a row holds at most one request. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const FORMAT = "mainspring-space";
/** Rows taken from a table at a time. */
const ROWS_PER_READ = 500;
const TOKENS = "space_token";

export interface DumpHeader {
  readonly format: typeof FORMAT;
  readonly layout: number;
  readonly space: string;
  readonly about: JsonObject;
  /** The last record of the Space's log that is in it. */
  readonly log: LogPosition;
}

/** `about`: null for a snapshot, which has the tokens too. Everything is of one state when the connection is in a transaction. */
export function* dumpFrames(
  db: SpaceDatabase,
  { space, about, log }: Pick<DumpHeader, "space" | "log"> & { readonly about: JsonObject | null },
): Generator<Uint8Array> {
  const digest = createHash("sha256");
  let waiting: Buffer[] = [];
  let bytes = 0;
  let rows = 0;
  const header: DumpHeader = { format: FORMAT, layout: LAYOUT, space, about: about ?? {}, log };
  const add = (line: unknown): void => {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    waiting.push(text);
    bytes += text.length;
  };
  function* full(atLeast: number): Generator<Uint8Array> {
    if (bytes < atLeast || bytes === 0) return;
    const all = Buffer.concat(waiting);
    digest.update(all);
    for (let from = 0; from < all.length; from += DUMP_FRAME_BYTES_MAX)
      yield Uint8Array.from(all.subarray(from, from + DUMP_FRAME_BYTES_MAX));
    waiting = [];
    bytes = 0;
  }
  add(header);
  for (const [table, key] of Object.entries(CONTENT)) {
    if (table === TOKENS && about !== null) continue;
    for (const row of rowsOf(db, table, key)) {
      add([table, ...row.map(toJson)]);
      rows += 1;
      yield* full(DUMP_FRAME_BYTES_MAX / 2);
    }
  }
  yield* full(1);
  yield new Uint8Array(Buffer.from(`${JSON.stringify({ rows, sha256: digest.digest("hex") })}\n`));
}

/** Bytes of a cell as `{base64}`; other cells are what they are. */
const toJson = (cell: Cell): unknown =>
  cell instanceof Uint8Array ? { base64: Buffer.from(cell).toString("base64") } : cell;

function fromJson(cell: unknown): Cell {
  if (typeof cell !== "object" || cell === null) return cell as Cell;
  const { base64 } = cell as { readonly base64?: unknown };
  if (typeof base64 !== "string") throw damaged("a cell is no value");
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

/** The rows of a table by its key, some at a time. */
function* rowsOf(db: SpaceDatabase, table: string, key: string): Generator<readonly Cell[]> {
  const columns = columnsOf(db, table);
  const keys = key.split(", ");
  const at = keys.map((name) => columns.indexOf(name));
  const marks = keys.map(() => "?").join(", ");
  const first = `select * from ${table} order by ${key} limit ${ROWS_PER_READ}`;
  const next = `select * from ${table} where (${key}) > (${marks}) order by ${key} limit ${ROWS_PER_READ}`;
  let page = db.all(first);
  while (page.length > 0) {
    yield* page;
    const last = page.at(-1)!;
    page = page.length < ROWS_PER_READ ? [] : db.all(next, ...at.map((index) => last[index]!));
  }
}

export const columnsOf = (db: SpaceDatabase, table: string): string[] =>
  db.all("select name from pragma_table_info(?) order by cid", table).map((cells) => cells[0] as string);

const damaged = (why: string): KipError => new KipError("ArtifactParseError", `this is not a dump of a Space: ${why}`);

/** Takes a dump, bytes by bytes, into a database whose content tables it empties first. */
export class DumpLoader {
  readonly #db: SpaceDatabase;
  readonly #withTokens: boolean;
  readonly #digest: Hash = createHash("sha256");
  readonly #columns = new Map<string, number>();
  #rest = Buffer.alloc(0);
  #header: DumpHeader | undefined;
  #rows = 0;
  #ended = false;

  /** `withTokens`: it is a snapshot of the same Space. */
  constructor(db: SpaceDatabase, { withTokens }: { readonly withTokens: boolean }) {
    this.#db = db;
    this.#withTokens = withTokens;
  }

  /** To be called in a transaction. Throws `ArtifactParseError`. */
  add(bytes: Uint8Array): void {
    let rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const end = rest.indexOf(10);
      if (end < 0) break;
      this.#line(rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    if (rest.length > LINE_BYTES_MAX) throw damaged("a line is too long");
    this.#rest = rest;
  }

  /** Gives what its header says; throws where the dump is not whole. */
  finish(): DumpHeader {
    if (this.#header === undefined || !this.#ended || this.#rest.length > 0) throw damaged("its end is missing");
    return this.#header;
  }

  #line(line: Buffer): void {
    if (this.#ended) throw damaged("something follows its end");
    const value = parsed(line);
    if (this.#header === undefined) this.#begin(value as DumpHeader);
    else if (Array.isArray(value)) this.#row(value.map(fromJson));
    else return this.#end(value as { readonly rows?: number; readonly sha256?: string });
    this.#digest.update(line);
  }

  #begin(header: DumpHeader): void {
    const { format, layout } = header;
    if (format !== FORMAT) throw damaged("its first line is not a header");
    if (layout !== LAYOUT) throw damaged(`its layout is ${layout}, and ${LAYOUT} is read here`);
    this.#header = header;
    for (const table of Object.keys(CONTENT)) {
      this.#db.run(`delete from ${table}`);
      this.#columns.set(table, columnsOf(this.#db, table).length);
    }
  }

  #row([name, ...cells]: readonly Cell[]): void {
    const table = typeof name === "string" ? name : "";
    const columns = this.#columns.get(table);
    if (columns === undefined || columns !== cells.length) throw damaged("a row fits no table");
    this.#rows += 1;
    if (table === TOKENS && !this.#withTokens) return;
    const marks = cells.map(() => "?").join(",");
    try {
      this.#db.run(`insert into ${table} values (${marks})`, ...cells);
    } catch (cause) {
      throw new KipError("ArtifactParseError", "a row of the dump cannot be stored", { cause });
    }
  }

  #end({ rows, sha256 }: { readonly rows?: number; readonly sha256?: string }): void {
    if (rows !== this.#rows) throw damaged(`it has ${this.#rows} rows and names ${rows}`);
    if (sha256 !== this.#digest.digest("hex")) throw new KipError("DigestMismatch", "the dump is damaged");
    this.#ended = true;
  }
}

function parsed(line: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch {
    throw damaged("a line is not JSON");
  }
  if (typeof value !== "object" || value === null) throw damaged("a line is no row");
  return value;
}
