/** Cuts a text into pieces that are each indexed as a whole. */

/** Most characters of a piece: below what is indexed of an element. */
export const PIECE_CHARACTERS_MAX = 8_000;

/** In order, and joined they are the text. Cuts at paragraphs, else at sentences, else at words, else anywhere. */
export function piecesOf(text: string, max = PIECE_CHARACTERS_MAX): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > max) {
    const cut = from + cutOf(text.slice(from, from + max));
    pieces.push(text.slice(from, cut));
    from = cut;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function cutOf(window: string): number {
  const least = window.length / 2;
  for (const boundary of ["\n\n", "\n", ". ", " "]) {
    const at = window.lastIndexOf(boundary);
    if (at > least) return at + boundary.length;
  }
  // Never between the halves of a surrogate pair.
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}

/** At most `max` characters of the text, from a little before the first of the words on. */
export function excerptOf(text: string, words: readonly string[], max: number): string {
  if (text.length <= max) return text;
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const first = at.length === 0 ? 0 : Math.min(...at);
  const from = Math.max(0, Math.min(first - Math.floor(max / 8), text.length - max));
  const head = from === 0 ? "" : "…";
  const tail = from + max >= text.length ? "" : "…";
  return `${head}${text.slice(from, from + max - head.length - tail.length)}${tail}`;
}
