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

export function putVector(db: SpaceDatabase, eid: number, model: string, vector: Int8Array): void {
  const no = lastVectorNo(db) + 1;
  db.run("delete from vector where eid = ?", eid);
  db.run("insert into vector values (?, ?, ?, ?, ?)", no, eid, model, vector.length, bytesOf(vector));
}

/** What the table calls vectors of a model in the form that they have here. In another form they are made anew. */
export const storedModel = (model: string): string => `${model}/int8`;

const LARGEST = 127;

/** A byte a dimension, the largest part as 127: vectors are compared by their direction, so their length is not kept. */
export function packed(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 0 : LARGEST / largest;
  return Int8Array.from(vector, (value) => Math.round(value * scale));
}

export const bytesOf = (vector: Int8Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

export const vectorOf = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

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
