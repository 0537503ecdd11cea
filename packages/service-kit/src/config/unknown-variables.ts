/** Variables that look like this project's own and that nothing reads: most are misspelt. Their values are shown nowhere. */
import { nearest } from "@mainspring/kernel";

import { KNOWN_VARIABLES, OWN_PREFIX } from "./known-variables.ts";

/** Unknown variables that are named; of further ones only the number. */
export const UNKNOWN_NAMED_MAX = 20;
/** Longest part of a name that is shown. */
const NAME_CHARS_MAX = 64;

/** A sentence for each variable of the prefix that nothing reads, with the known name that was probably meant. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const unknown = Object.keys(environment)
    .filter((name) => name.toUpperCase().startsWith(OWN_PREFIX) && !KNOWN_VARIABLES.includes(name))
    .sort();
  const named = unknown.slice(0, UNKNOWN_NAMED_MAX).map(sentenceOf);
  if (unknown.length <= UNKNOWN_NAMED_MAX) return named;
  return [...named, `${unknown.length - UNKNOWN_NAMED_MAX} further variables ${OWN_PREFIX}… are known to nothing.`];
}

function sentenceOf(name: string): string {
  const near = nearest(bare(name), KNOWN_VARIABLES.map(bare));
  const shown = name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name;
  return `${shown} is no variable that anything reads${near === undefined ? "." : `: is ${OWN_PREFIX}${near} meant?`}`;
}

/** Without the prefix, which says nothing of what was meant. */
function bare(name: string): string {
  return name.slice(OWN_PREFIX.length);
}
