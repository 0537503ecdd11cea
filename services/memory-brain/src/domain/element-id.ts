/**
 * Element ids. Outside: a letter of the kind and a number from 1 within the Space, `C-12`. Inside: one integer that
 * holds both, `number × 8 + kind`, which is also the row id.
 */
import { KipError, type ElementKind } from "@mainspring/kip";

export const KIND = { concept: 0, proposition: 1, assertion: 2, evidence: 3, activity: 4 } as const satisfies Record<
  ElementKind,
  number
>;
export type KindCode = (typeof KIND)[ElementKind];
export const KIND_NAMES = ["Concept", "Proposition", "Assertion", "Evidence", "Activity"] as const;
export type KindName = (typeof KIND_NAMES)[number];
const LETTERS = "CPAEX";

/** The kind of an internal id. */
export const kindOf = (eid: number): KindCode => (eid % 8) as KindCode;
export const kindName = (eid: number): KindName => KIND_NAMES[kindOf(eid)];
export const eidOf = (kind: KindCode, number: number): number => number * 8 + kind;
export const formatId = (eid: number): string => `${LETTERS[kindOf(eid)]}-${Math.floor(eid / 8)}`;

/** The internal id, or undefined where the text is not an id of this engine. */
export function parseId(id: string): number | undefined {
  const match = /^([CPAEX])-([1-9][0-9]{0,14})$/.exec(id);
  return match === null ? undefined : eidOf(LETTERS.indexOf(match[1]!) as KindCode, Number(match[2]));
}

export function requireId(id: string): number {
  const eid = parseId(id);
  if (eid === undefined) throw new KipError("NotFoundOrNotVisible", `there is no element ${JSON.stringify(id)}`);
  return eid;
}
