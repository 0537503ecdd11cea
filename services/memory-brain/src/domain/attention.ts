/** Positions in the list of what wants attention: ordered by (raised_seq, ref), never expiring. */
import { KipError } from "@mainspring/kip";

export interface AttentionPosition {
  readonly seq: number;
  readonly ref: string;
}

const POSITION = /^attention:(?:start|([0-9]{1,15})(?::([A-Z]-[0-9]{1,15}))?)$/;
/** After every ref. */
const LAST_REF = "\u{10ffff}";

/** What comes after it is new. Empty is the start. Throws `CursorInvalid`. */
export function attentionPosition(cursor: string): AttentionPosition {
  const match = POSITION.exec(cursor === "" ? "attention:start" : cursor);
  if (match === null) throw new KipError("CursorInvalid", "this is not an attention cursor");
  if (match[1] === undefined) return { seq: -1, ref: LAST_REF };
  return { seq: Number(match[1]), ref: match[2] ?? LAST_REF };
}

export function attentionCursor(position: AttentionPosition): string {
  if (position.seq < 0) return "attention:start";
  return position.ref === LAST_REF ? `attention:${position.seq}` : `attention:${position.seq}:${position.ref}`;
}

export function comparePositions(left: AttentionPosition, right: AttentionPosition): number {
  if (left.seq !== right.seq) return left.seq - right.seq;
  return left.ref < right.ref ? -1 : left.ref > right.ref ? 1 : 0;
}
