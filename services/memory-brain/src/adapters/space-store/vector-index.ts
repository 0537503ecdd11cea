/**
 * The vectors of a Space in memory, to compare a text with all of them. They are read at the first search and brought up to
 * date at each later one. Blocks are laid out by dimension, so only the dimensions that the text has are read, in order.
 */
import { kindOf, type KindCode } from "../../domain/element-id.ts";
import { TopK } from "../../domain/top-k.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { SearchFound } from "../../ports/space-graph.ts";
import type { SpaceDatabase } from "./space-database.ts";
import { erasedVectors, lastVectorNo, storedModel, vectorOf } from "./vector-table.ts";

/** Most vectors that are compared; of 256 dimensions they take 256 MiB. A Space with more is searched by words alone. */
const VECTORS_MAX = 1_048_576;
/** Vectors of a block. */
const BLOCK = 2048;
/** Vectors read from the table at a time. */
const ROWS_PER_READ = 1000;

/** Dimensions that are added up in one pass. */
const TOGETHER = 4;

function addProducts(
  target: Float32Array,
  block: Int8Array,
  query: Float32Array,
  [a = 0, b, c, d]: readonly number[],
): void {
  const [wa, wb, wc, wd] = [a, b, c, d].map((at) => (at === undefined ? 0 : query[at]!)) as [
    number,
    number,
    number,
    number,
  ];
  const [from, second, third, fourth] = [a, b ?? a, c ?? a, d ?? a].map((at) => at * BLOCK) as [
    number,
    number,
    number,
    number,
  ];
  const count = target.length;
  for (let row = 0; row < count; row += 1) {
    target[row]! +=
      wa * block[from + row]! + wb * block[second + row]! + wc * block[third + row]! + wd * block[fourth + row]!;
  }
}

export class VectorIndex {
  readonly #db: SpaceDatabase;
  readonly #embedder: Embedder;
  readonly #max: number;
  #blocks: Int8Array[] = [];
  /** What each product is multiplied by: one by the length of the vector. */
  #factors = new Float32Array(0);
  #kinds = new Uint8Array(0);
  #eids: number[] = [];
  #places = new Map<number, number>();
  #lastNo = 0;
  #erased = 0;
  #full = false;
  /** The last text and how near everything is to it: kinds are asked for one after the other. */
  #asked: { readonly text: string; readonly scores: Float32Array } | undefined;

  constructor(db: SpaceDatabase, embedder: Embedder, max = VECTORS_MAX) {
    this.#max = max;
    this.#db = db;
    this.#embedder = embedder;
  }

  #clear(): void {
    this.#blocks = [];
    this.#factors = new Float32Array(0);
    this.#kinds = new Uint8Array(0);
    this.#eids = [];
    this.#places = new Map();
    this.#lastNo = 0;
    this.#full = false;
    this.#asked = undefined;
  }

  /** After something was undone: what was read of it is forgotten. */
  recheck(): void {
    if (this.#lastNo > lastVectorNo(this.#db) || this.#erased !== erasedVectors(this.#db)) this.#clear();
  }

  /** Reads what came since. False: there are more vectors than are compared. */
  refresh(): boolean {
    const erased = erasedVectors(this.#db);
    if (erased !== this.#erased) this.#clear();
    this.#erased = erased;
    if (this.#full) return false;
    const sql = `select no, eid, vector from vector where no > ? and model = ? order by no limit ${ROWS_PER_READ}`;
    for (;;) {
      const rows = this.#db.all(sql, this.#lastNo, storedModel(this.#embedder.model)) as [number, number, Uint8Array][];
      for (const [no, eid, bytes] of rows) {
        this.#put(eid, vectorOf(bytes));
        this.#lastNo = no;
      }
      if (rows.length > 0) this.#asked = undefined;
      if (this.#eids.length > this.#max) {
        this.#clear();
        this.#full = true;
        return false;
      }
      if (rows.length < ROWS_PER_READ) return true;
    }
  }

  #put(eid: number, vector: Int8Array): void {
    let place = this.#places.get(eid);
    if (place === undefined) {
      place = this.#eids.length;
      this.#eids.push(eid);
      this.#places.set(eid, place);
      if (place % BLOCK === 0) this.#addBlock();
      this.#kinds[place] = kindOf(eid);
    }
    const block = this.#blocks[Math.floor(place / BLOCK)]!;
    const row = place % BLOCK;
    let square = 0;
    for (let at = 0; at < vector.length; at += 1) {
      block[at * BLOCK + row] = vector[at]!;
      square += vector[at]! ** 2;
    }
    this.#factors[place] = square === 0 ? 0 : 1 / Math.sqrt(square);
  }

  #addBlock(): void {
    this.#blocks.push(new Int8Array(BLOCK * this.#embedder.dimension));
    const needed = this.#blocks.length * BLOCK;
    if (this.#factors.length >= needed) return;
    const [factors, kinds] = [new Float32Array(2 * needed), new Uint8Array(2 * needed)];
    factors.set(this.#factors);
    kinds.set(this.#kinds);
    [this.#factors, this.#kinds] = [factors, kinds];
  }

  /** The elements of the kind that are nearest to the text, best first, as of the last refresh. */
  nearest(kind: KindCode, text: string, wanted: number): SearchFound[] {
    if (wanted === 0) return [];
    if (this.#asked?.text !== text) this.#asked = { text, scores: this.#compare(this.#embedder.embed(text)) };
    const { scores } = this.#asked;
    const kinds = this.#kinds;
    const best = new TopK(wanted);
    // Only what has something in common with the text, and more than what is found already.
    let least = this.#embedder.floor;
    for (let place = 0; place < scores.length; place += 1) {
      if (scores[place]! < least || kinds[place] !== kind) continue;
      best.add(this.#eids[place]!, Math.min(1, scores[place]!));
      least = Math.max(least, best.least);
    }
    return best.sorted().map(({ eid, score }) => ({ eid, rank: score }));
  }

  confirms(query: string, text: string): boolean {
    return this.#embedder.confirms?.(query, text) ?? true;
  }

  /** The cosine of everything with the text's vector, whose length is 1. */
  #compare(query: Float32Array): Float32Array {
    const scores = new Float32Array(this.#eids.length);
    const dimensions = [...query.keys()].filter((at) => query[at] !== 0);
    for (const [index, block] of this.#blocks.entries()) {
      const target = scores.subarray(index * BLOCK, (index + 1) * BLOCK);
      for (let at = 0; at < dimensions.length; at += TOGETHER)
        addProducts(target, block, query, dimensions.slice(at, at + TOGETHER));
    }
    for (let place = 0; place < scores.length; place += 1) scores[place]! *= this.#factors[place]!;
    return scores;
  }
}
