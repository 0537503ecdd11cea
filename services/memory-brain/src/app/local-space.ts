/** This worker's copy of a Space that others share: what a log says, applied to a local database. */
import type { SpaceHandle } from "./space/space-handle.ts";

/** A record of the Space's log. */
export interface LogPosition {
  readonly no: number;
  readonly commit: string;
}

/** What a batch of writes changed. */
export interface SealedBatch {
  readonly patch: Uint8Array;
  /** Something was erased: earlier records still have it. */
  readonly erased: boolean;
}

export interface Recorder {
  /** Writes the record, however long that takes. Resolves with where it is, or with null: another has the Space. */
  readonly record: (sealed: SealedBatch) => Promise<LogPosition | null>;
  /** Longest that callers wait for a record; it is written on. */
  readonly waitMs: number;
  /** Removes from earlier records and snapshots what was erased. Callers wait for it. */
  readonly erase: () => Promise<void>;
}

export interface LocalSpace extends SpaceHandle {
  /** The last record that it has; number 0 without one. */
  position(): Promise<LogPosition>;
  /** Nothing was ever written to it. */
  isEmpty(): Promise<boolean>;
  /** Takes the next bytes of a snapshot that was made at a record; null ends it. */
  restore(bytes: Uint8Array | null, at: LogPosition): Promise<void>;
  /** Applies the records that follow. Throws `DigestMismatch` where it is not what they were made on. */
  apply(records: readonly (LogPosition & { readonly patch: Uint8Array })[]): Promise<void>;
  /** From now on every write is recorded before it is committed. */
  startRecording(recorder: Recorder): Promise<void>;
  /** Ends it at once; a write that waits for its record is undone. */
  kill(): Promise<void>;
}
