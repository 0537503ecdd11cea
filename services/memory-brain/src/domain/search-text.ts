/** Which words of a text are searched for, and which text of an element is found by. */
import { isObject, type Json } from "@mainspring/kip";
import type { ActivityBody, ConceptBody, ElementRow, EvidenceBody, PropositionBody } from "./element.ts";
import { kindOf } from "./element-id.ts";

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

/** Letters without their marks in lower case, as the index compares them. */
const fold = (text: string): string => text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
/** The words of a text in order, as the index compares them. */
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Those of its words that say what a text is about; all where none does. */
export function tellingWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** The words of a query in order, each once, in lower case, without stop words. */
export function searchWords(query: string): string[] {
  return [...new Set(tellingWords(query))].slice(0, SEARCH_WORDS_MAX);
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

/** What an element is found by. */
export function indexedText(row: ElementRow): string {
  switch (kindOf(row.eid)) {
    case 0: {
      const body = row.body as ConceptBody;
      return textOf(row.name ?? undefined, row.key ?? undefined, body.aliases, body.attributes);
    }
    case 1: {
      const { literal } = row.body as PropositionBody;
      return typeof literal === "string" ? textOf(literal) : "";
    }
    case 3:
      return textOf((row.body as EvidenceBody).payload?.["inline"]);
    case 4: {
      const body = row.body as ActivityBody;
      return textOf(body.activity_class, body.facets);
    }
    default:
      return "";
  }
}

/** Characters of an element's text that its quality is judged by, and the length that counts as usual, in words. */
const JUDGED_CHARACTERS = 4096;
const USUAL_WORDS = 20;

/** How well a text answers the words, 0 to 1: how many of them, how often, in how short a text. */
export function matchQuality(words: readonly string[], text: string): number {
  const found = wordsOf(text.slice(0, JUDGED_CHARACTERS));
  const counts = new Map<string, number>(words.map((word) => [word, 0]));
  for (const token of found) {
    const exact = counts.get(token);
    if (exact !== undefined) counts.set(token, exact + 1);
  }
  const length = 1.2 * (0.25 + (0.75 * found.length) / USUAL_WORDS);
  let sum = 0;
  for (const count of counts.values()) sum += count / (count + length);
  return words.length === 0 ? 0 : sum / words.length;
}
