/**
 * The log of a Space: records with numbers from 1, none left out, each what one commit changed. Who inserts the next
 * number is who holds the Space. Records before a snapshot lose what is in them and keep their place: a writer that was
 * stalled for long must not find its number free again.
 */

export interface LogRecord {
  readonly no: number;
  /** Random: tells a writer whether the record is its own. */
  readonly commit: string;
  /** Of the holder that wrote it. Its first record has no patch. */
  readonly epoch: number;
  /** Something was erased, which records before it still have. */
  readonly erased: boolean;
  /** Null: a snapshot has it, and the record does not any more. */
  readonly patch: Uint8Array | null;
}

export interface Snapshot {
  /** It holds everything up to this record. */
  readonly no: number;
  readonly commit: string;
  /** Names its parts. */
  readonly id: string;
  /** Of the holder that made it. */
  readonly epoch: number;
  readonly parts: number;
  readonly bytes: number;
}

/** Parts of a snapshot or of a large record are at most this long. */
export const LOG_PART_BYTES_MAX = 1024 * 1024;
/** Most records that one read gives. */
export const RECORDS_PER_READ_MAX = 64;

export interface SpaceLog {
  /** False: another's record has the number. A repeated append is told true again. */
  append(space: string, record: LogRecord & { readonly patch: Uint8Array }): Promise<boolean>;
  /** The records after `after` in order, without a gap. */
  read(space: string, after: number, limit: number): Promise<LogRecord[]>;
  snapshot(space: string): Promise<Snapshot | null>;
  /** Keeps a part of a snapshot that is being made; it counts once `publish` says so. */
  writePart(space: string, of: Pick<Snapshot, "id" | "epoch">, index: number, bytes: Uint8Array): Promise<void>;
  readPart(space: string, id: string, index: number): Promise<Uint8Array>;
  /** Puts it in the place of an earlier one. False: there is one as new, or newer. */
  publish(space: string, snapshot: Snapshot): Promise<boolean>;
  /** Empties the records before the published snapshot's, and removes the parts of `before` and of dead holders. */
  truncate(space: string, snapshot: Snapshot, before: Snapshot | null): Promise<void>;
  /** Removes everything. */
  remove(space: string): Promise<void>;
}
