/**
 * An embedder without a model: words and the three-letter pieces of words, hashed into a vector. Texts are near each other
 * where they share words, inflected or misspelled ones too; it knows no synonyms.
 */
import { tellingWords } from "../../domain/search-text.ts";
import type { Embedder } from "../../ports/embedder.ts";

const DIMENSION = 256;
/** Characters of a text that are looked at. */
const EMBEDDED_CHARACTERS_MAX = 4096;
const PIECE = 3;
/** What a word counts as a whole, beside each piece of it: longer words say more. */
const WORD_WEIGHT = 1.5;
/** Two unrelated texts rarely come this near by chance, in 100,000. */
const FLOOR = 0.3;

/** FNV-1a over UTF-16 units, with a last mix so that low bits depend on all. */
function hash(text: string, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 12)) >>> 0;
}

function add(vector: Float32Array, feature: number, weight: number): void {
  vector[feature % DIMENSION]! += (feature & 0x8000_0000) === 0 ? weight : -weight;
}

/** A word as a whole, and its pieces, each by its hash; frames tell where it begins and ends. */
function eachFeature(word: string, take: (feature: number, weight: number) => void): void {
  const framed = `<${word}>`;
  take(hash(framed, 0, framed.length), WORD_WEIGHT);
  for (let at = 0; at + PIECE <= framed.length; at += 1) take(hash(framed, at, at + PIECE), 1);
}

function featuresOf(text: string): Set<number> {
  const features = new Set<number>();
  for (const word of tellingWords(text.slice(0, EMBEDDED_CHARACTERS_MAX)))
    eachFeature(word, (feature) => features.add(feature));
  return features;
}

export class HashEmbedder implements Embedder {
  /** Raise the number when a text gets another vector than before. */
  readonly model = "offline/hash-2";
  readonly dimension = DIMENSION;
  readonly floor = FLOOR;
  #asked: { readonly query: string; readonly features: ReadonlySet<number> } | undefined;

  embed(text: string): Float32Array {
    const counts = new Map<string, number>();
    for (const word of tellingWords(text.slice(0, EMBEDDED_CHARACTERS_MAX)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
    const vector = new Float32Array(DIMENSION);
    for (const [word, count] of counts) {
      const weight = Math.sqrt(count);
      eachFeature(word, (feature, share) => add(vector, feature, weight * share));
    }
    return normalized(vector);
  }

  /** Two features may lie in one place by chance, which is much for a text of few. */
  confirms(query: string, text: string): boolean {
    // Asked for one candidate after the other.
    if (this.#asked?.query !== query) this.#asked = { query, features: featuresOf(query) };
    const { features } = this.#asked;
    for (const feature of featuresOf(text)) if (features.has(feature)) return true;
    return false;
  }
}

function normalized(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}
