/**
 * Where a reader of a session stands: after a durable event, or after a delta between two of them. Written as
 * `<seq>` or `<seq>.<step>.<attempt>.<chunk>` in the `id` of each server-sent event.
 */
import { MainspringError } from "./errors.ts";

/** Which delta of a session it is. */
export interface DeltaPlace {
  readonly step: number;
  readonly attempt: number;
  /** Dense from 0 within the attempt. */
  readonly chunk: number;
}

export interface StreamCursor {
  readonly seq: number;
  /** Last delta seen after that event. */
  readonly delta: DeltaPlace | null;
}

/** Empty: the beginning. Throws `invalid_argument` for what is no cursor. */
export function parseCursor(text: string): StreamCursor {
  if (text === "") return { seq: 0, delta: null };
  const match = /^(\d{1,15})(?:\.(\d{1,9})\.(\d{1,9})\.(\d{1,9}))?$/.exec(text);
  if (match === null) {
    throw new MainspringError("invalid_argument", "the cursor is not one of ours", { param: "Last-Event-ID" });
  }
  const [, seq, step, attempt, chunk] = match;
  if (step === undefined) return { seq: Number(seq), delta: null };
  return { seq: Number(seq), delta: { step: Number(step), attempt: Number(attempt), chunk: Number(chunk) } };
}

export function cursorText(seq: number, delta: DeltaPlace | null): string {
  return delta === null ? String(seq) : `${seq}.${delta.step}.${delta.attempt}.${delta.chunk}`;
}

/** Whether the reader has had this delta. */
export function isSeen(cursor: StreamCursor, delta: DeltaPlace): boolean {
  const last = cursor.delta;
  return last !== null && last.step === delta.step && last.attempt === delta.attempt && delta.chunk <= last.chunk;
}
