/** Cursors: opaque to callers, bound to the kind of command, its text, the snapshot and the caller. */
import { KipError } from "@mainspring/kip";
import type { Digest } from "../../ports/digest.ts";

export const CURSOR_LIFE_MS = 24 * 3_600_000;

export interface CursorState {
  readonly family: string;
  /** Digest of the command without its paging clauses. */
  readonly query: string;
  readonly caller: string;
  readonly seq: number;
  /** The instant that the first page was read at. */
  readonly now: number;
  readonly offset: number;
}

const encode = (text: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const decode = (text: string): string => {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.codePointAt(0)!,
  );
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
};

export function writeCursor(state: CursorState, spaceId: string, digest: Digest): string {
  const body = JSON.stringify([state.family, state.query, state.caller, state.seq, state.now, state.offset]);
  return encode(`${digest(`${spaceId} ${body}`).slice(7, 23)}${body}`);
}

export function readCursor(
  text: string,
  expected: { readonly family: string; readonly query: string; readonly caller: string },
  spaceId: string,
  now: number,
  digest: Digest,
): CursorState {
  const invalid = (): KipError => new KipError("CursorInvalid", "the cursor is not one of this Space");
  let plain: string;
  try {
    plain = decode(text);
  } catch {
    throw invalid();
  }
  const body = plain.slice(16);
  if (digest(`${spaceId} ${body}`).slice(7, 23) !== plain.slice(0, 16)) throw invalid();
  const [family, query, caller, seq, at, offset] = JSON.parse(body) as [string, string, string, number, number, number];
  if (family !== expected.family)
    throw new KipError("CursorTypeMismatch", `this cursor belongs to ${family}, not to ${expected.family}`);
  if (query !== expected.query || caller !== expected.caller)
    throw new KipError("CursorMismatch", "this cursor belongs to another query or caller");
  if (now - at > CURSOR_LIFE_MS) throw new KipError("CursorExpired", "this cursor is older than a day");
  return { family, query, caller, seq, now: at, offset };
}
