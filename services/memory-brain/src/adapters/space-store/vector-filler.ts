/**
 * Makes vectors of what transactions changed, in their order and a bounded number at a time, after they were committed. How
 * far it is stands in the Space itself, so another process goes on where one stopped.
 */
import { STATE, type ElementRow } from "../../domain/element.ts";
import { parseId } from "../../domain/element-id.ts";
import { indexedText } from "../../domain/search-text.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { GraphView } from "../../ports/space-graph.ts";
import type { SpaceDatabase } from "./space-database.ts";
import {
  bytesOf,
  dropVectors,
  packed,
  putVector,
  readPosition,
  storedModel,
  writePosition,
  type VectorPosition,
} from "./vector-table.ts";

/** Most changes that one step looks at. */
export const FILL_CHANGES_MAX = 256;
const TRANSACTIONS_PER_READ = 32;

export class VectorFiller {
  readonly #db: SpaceDatabase;
  readonly #embedder: Embedder;
  readonly #model: string;
  #position: VectorPosition | undefined;

  constructor(db: SpaceDatabase, embedder: Embedder) {
    this.#db = db;
    this.#embedder = embedder;
    this.#model = storedModel(embedder.model);
  }

  /** The database is no longer what this remembers. */
  forget(): void {
    this.#position = undefined;
  }

  /** Whether transactions up to this number wait. */
  waits(seq: number): boolean {
    this.#position ??= readPosition(this.#db);
    return this.#position.model !== this.#model ? seq > 0 : this.#position.seq < seq;
  }

  /** One step. To be called in a batch. */
  fill(view: GraphView): void {
    if (!this.waits(view.seq)) return;
    const found = this.#position!;
    const known = found.model === this.#model;
    if (!known) dropVectors(this.#db);
    const from = known ? found : { model: this.#model, seq: 0, changes: 0 };
    const { changed, next } = this.#next(view, from);
    for (const row of view.elements([...changed]).values()) this.#write(row);
    writePosition(this.#db, next);
    this.#position = next;
  }

  #next(view: GraphView, from: VectorPosition): { readonly changed: Set<number>; readonly next: VectorPosition } {
    const changed = new Set<number>();
    let next = from;
    let room = FILL_CHANGES_MAX;
    while (room > 0 && next.seq < view.seq) {
      for (const { seq, changes } of view.transactions(next.seq, view.seq, TRANSACTIONS_PER_READ)) {
        if (room <= 0) break;
        const left = changes.slice(next.changes);
        for (const { id } of left.slice(0, room)) {
          const eid = typeof id === "string" ? parseId(id) : undefined;
          if (eid !== undefined) changed.add(eid);
        }
        next = left.length > room ? { ...next, changes: next.changes + room } : { model: next.model, seq, changes: 0 };
        room -= Math.max(1, left.length);
      }
    }
    return { changed, next };
  }

  #write(row: ElementRow): void {
    if (row.state === STATE.purged || row.state === STATE.merged) return;
    const text = indexedText(row);
    if (text === "") return;
    const vector = packed(this.#embedder.embed(text));
    const before = this.#db.value("select vector from vector where eid = ?", row.eid);
    if (before instanceof Uint8Array && Buffer.compare(before, bytesOf(vector)) === 0) return;
    putVector(this.#db, row.eid, this.#model, vector);
  }
}
