/**
 * Vectors of elements. A row is never changed: a new vector of an element is a new row with a higher number in place of
 * the old one, so what came since is read by number. `vectors` in `meta` says how far the transactions are done.
 */
import type { SpaceDatabase } from "./space-database.ts";

/** Whatever takes vectors away counts it here, and copies in memory are read anew. */
const ERASED = "vectors_erased";

export const erasedVectors = (db: SpaceDatabase): number =>
  (db.value("select v from meta where k = ?", ERASED) as number | undefined) ?? 0;

const countErased = (db: SpaceDatabase): void =>
  db.run("insert or replace into meta values (?, ?)", ERASED, erasedVectors(db) + 1);

/** The element is no longer found by its vector. */
export function dropVector(db: SpaceDatabase, eid: number): void {
  if (db.value("select 1 from vector where eid = ?", eid) === undefined) return;
  db.run("delete from vector where eid = ?", eid);
  countErased(db);
}

/** Those of another model are of no use. */
export function dropVectors(db: SpaceDatabase): void {
  if (db.value("select 1 from vector limit 1") === undefined) return;
  db.run("delete from vector");
  countErased(db);
}

export const lastVectorNo = (db: SpaceDatabase): number =>
  (db.value("select max(no) from vector") as number | null | undefined) ?? 0;

/** As bytes, little-endian. */
export function putVector(db: SpaceDatabase, eid: number, model: string, vector: Float32Array): void {
  const no = lastVectorNo(db) + 1;
  db.run("delete from vector where eid = ?", eid);
  db.run("insert into vector values (?, ?, ?, ?, ?)", no, eid, model, vector.length, bytesOf(vector));
}

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** A copy, since bytes of a row need not be aligned. */
export const vectorOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** How far the vectors are: the transactions up to `seq`, and of the next one so many changes. */
export interface VectorPosition {
  readonly model: string;
  readonly seq: number;
  readonly changes: number;
}

export function readPosition(db: SpaceDatabase): VectorPosition {
  const text = db.value("select v from meta where k = 'vectors'");
  return typeof text === "string" ? (JSON.parse(text) as VectorPosition) : { model: "", seq: 0, changes: 0 };
}

export function writePosition(db: SpaceDatabase, { model, seq, changes }: VectorPosition): void {
  db.run("insert or replace into meta values ('vectors', ?)", JSON.stringify({ model, seq, changes }));
}
