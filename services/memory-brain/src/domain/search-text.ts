/** Which words of a text are searched for, and which text of an element is found by. */
import { isObject, type Json } from "@mainspring/kip";

/** Words too common to find anything by. Dropped unless nothing else is left. */
const STOP_WORDS = new Set(
  "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its just me my no not of on or our she so some than that the their them then there these they this those to was we were what when where which who why will with would you your".split(
    " ",
  ),
);
/** Most words of a query that are searched for. */
export const SEARCH_WORDS_MAX = 12;
/** Most characters of an element that are indexed. */
export const INDEXED_CHARACTERS_MAX = 16_384;

/** The words of a query in order, each once, in lower case, without stop words. */
export function searchWords(query: string): string[] {
  const words =
    query
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const distinct = [...new Set(words)];
  const telling = distinct.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : distinct).slice(0, SEARCH_WORDS_MAX);
}

function collect(value: Json, into: string[], depth: number): void {
  if (depth > 8) return;
  if (typeof value === "string") into.push(value);
  else if (Array.isArray(value)) for (const item of value as Json[]) collect(item, into, depth + 1);
  else if (isObject(value)) for (const member of Object.values(value)) collect(member, into, depth + 1);
}

/** All strings inside the values, joined, up to the bound. */
export function textOf(...values: (Json | undefined)[]): string {
  const parts: string[] = [];
  for (const value of values) if (value !== undefined) collect(value, parts, 0);
  return parts.join(" ").slice(0, INDEXED_CHARACTERS_MAX);
}
