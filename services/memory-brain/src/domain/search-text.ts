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

/** Nothing beyond ASCII, so nothing to fold but case. */
const isAscii = (text: string): boolean => !/[^\p{ASCII}]/u.test(text);
/** Marks, but for those that make another sound of a Kana. */
const MARKS = /(?![\u3099\u309a])\p{M}/gu;
/** Letters of scripts that put no space between words, or write what others say in several words as one. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;

/** Letters without their marks in lower case. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize("NFD").replaceAll(MARKS, "").normalize("NFC");
}

/** The words of a text in order, as they are compared: of letters that stand without spaces, each pair of neighbours. */
function wordsOf(text: string): string[] {
  const words: string[] = fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return isAscii(text) ? words : words.flatMap(pairsOf);
}

function pairsOf(word: string): string[] {
  const runs = word.match(UNSPACED);
  if (runs === null) return [word];
  const others = word.split(UNSPACED).filter((part) => part !== "");
  return [...others, ...runs.flatMap(neighbours)];
}

function neighbours(run: string): string[] {
  const letters = Array.from(run);
  return letters.length === 1 ? letters : letters.slice(1).map((letter, before) => letters[before]! + letter);
}

/** A single letter that may begin a pair. */
export const isHalfPair = (word: string): boolean => Array.from(word).length === 1 && word.match(UNSPACED) !== null;

/** What the index has of a text. Raise `INDEX_FORM` when this gives something else for a text than before. */
export const indexForm = (text: string): string => wordsOf(text).join(" ");
export const INDEX_FORM = 2;

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
