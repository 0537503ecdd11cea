/**
 * How many letters were added, left out, changed, or swapped with their neighbour, with an upper bound past which the exact
 * value does not matter.
 */
function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          previous[column]! + 1,
          current[column - 1]! + 1,
          previous[column - 1]! + same,
          swapped ? before[column - 2]! + 1 : Infinity,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return previous[right.length]!;
}

const WORD_LENGTH_MAX = 64;
const WORDS_MAX = 2048;

/** The known word that a reader most likely meant, or undefined when none is near. Case does not count. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > WORD_LENGTH_MAX) return undefined;
  const wanted = word.toLowerCase();
  const limit = wanted.length <= 4 ? 1 : wanted.length <= 8 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = limit + 1;
  let seen = 0;
  for (const candidate of known) {
    if (++seen > WORDS_MAX) break;
    const found = distance(wanted, candidate.toLowerCase(), limit);
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}

/** Names that an error lists; of further ones it says the number. */
export const NAMES_SHOWN_MAX = 20;
const SHOWN_CHARS_MAX = 100;

/**
 * `there is no model "scrpt": is "script" meant? There are default, script`, for a reader who may have misspelt it. Bounded,
 * whatever was asked for and however much there is. `what`: the kind of thing, as "model". `near`: what was meant, where the
 * caller knows better than the letters do.
 */
export function noSuch(what: string, name: string, known: readonly string[], near = nearest(name, known)): string {
  const asked = name.length > SHOWN_CHARS_MAX ? `${name.slice(0, SHOWN_CHARS_MAX)}…` : name;
  const meant = near === undefined ? "" : `: is ${JSON.stringify(near)} meant?`;
  const missing = `there is no ${what} ${JSON.stringify(asked)}${meant}`;
  if (known.length === 0) return missing;
  const shown = known.slice(0, NAMES_SHOWN_MAX).join(", ");
  const more = known.length > NAMES_SHOWN_MAX ? ` and ${known.length - NAMES_SHOWN_MAX} more` : "";
  return `${missing}${meant === "" ? "; there" : " There"} ${known.length === 1 ? "is" : "are"} ${shown}${more}`;
}
