/** Which passages answer a question, by the words that they share with it. */

export interface Passage {
  readonly text: string;
  /** What it comes from. */
  readonly source: string;
}

/** Longest sentence that is shown, in characters. */
export const SENTENCE_CHARS_MAX = 400;
/** Sentences of one text that are looked at. */
const SENTENCES_MAX = 200;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can did do does for from had has have how i if in is it its me my no not of on or our " +
    "she he so than that the their them then there these they this to was we were what when where which who whom why will " +
    "with you your about tell know say said please"
  ).split(" "),
);

export function sentencesOf(text: string): string[] {
  const parts = text.split(/(?<=[.!?])\s+|\n+/, SENTENCES_MAX);
  return parts.map((part) => part.trim().slice(0, SENTENCE_CHARS_MAX)).filter((part) => part !== "");
}

/** Words that say what a text is about, in the form in which they are compared. */
export function keywordsOf(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
}

/** Endings that say little, so that `moved` is found by `moving`. */
function stem(word: string): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ing|ed|es|s|ly|e)$/, "");
}

/** Best first: more shared words, then shorter, then as given. Passages with fewer than `sharedMin` are left out. */
export function rank(question: string, passages: readonly Passage[], sharedMin: number): Passage[] {
  const wanted = keywordsOf(question);
  const seen = new Set<string>();
  const scored = passages.flatMap((passage, index) => {
    if (seen.has(passage.text)) return [];
    seen.add(passage.text);
    const words = keywordsOf(passage.text);
    let shared = 0;
    for (const word of wanted) if (words.has(word)) shared += 1;
    return shared >= sharedMin ? [{ passage, shared, length: words.size, index }] : [];
  });
  // Where some share words, those that share none are only in the way.
  const some = scored.some(({ shared }) => shared > 0);
  return scored
    .filter(({ shared }) => !some || shared > 0)
    .sort((a, b) => b.shared - a.shared || a.length - b.length || a.index - b.index)
    .map(({ passage }) => passage);
}
