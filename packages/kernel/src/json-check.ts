/** What JSON from strangers must be beyond JSON: no deeper than every later reader can take, and Unicode throughout. */
import { MainspringError } from "./errors.ts";

/** Deepest nesting of lists and objects. */
export const JSON_DEPTH_MAX = 100;
/** Longest way to a place that an error shows. */
const PLACE_CHARS_MAX = 200;

/**
 * The value as it is, or throws `invalid_argument` with the reason `too_deep` or `lone_surrogate`. Half of a character, as
 * `"\ud800"` in JSON, has no UTF-8: whoever stored or sent it on would change it without a word. `what` begins the message.
 */
export function checkJson<T>(value: T, what: string): T {
  if (isWellFormed(value, what)) return value;
  const place = placeOf(value, "") ?? "";
  const shown = place.length > PLACE_CHARS_MAX ? `${place.slice(0, PLACE_CHARS_MAX)}…` : place;
  const where = shown === "" ? "" : ` in ${shown}`;
  throw new MainspringError("invalid_argument", `${what} holds half of a character (a lone surrogate)${where}`, {
    reason: "lone_surrogate",
    ...(shown === "" ? {} : { param: shown }),
  });
}

/** Level by level, without recursion: what it looks at may be too deep for that. Throws for what is too deep. */
function isWellFormed(value: unknown, what: string): boolean {
  let good = true;
  let level: object[] = [];
  const look = (member: unknown): void => {
    if (typeof member === "string") good &&= member.isWellFormed();
    else if (typeof member === "object" && member !== null) level.push(member);
  };
  look(value);
  for (let below = JSON_DEPTH_MAX; level.length > 0; below -= 1) {
    if (below === 0) {
      const message = `${what} is nested deeper than ${JSON_DEPTH_MAX} levels`;
      throw new MainspringError("invalid_argument", message, { reason: "too_deep" });
    }
    const nodes = level;
    level = [];
    for (const node of nodes) {
      if (!Array.isArray(node)) for (const name of Object.keys(node)) good &&= name.isWellFormed();
      for (const member of Object.values(node) as unknown[]) look(member);
    }
  }
  return good;
}

/** `input[0].content` of the first text that is ill-formed, the object for a name in it; undefined without one. */
function placeOf(value: unknown, place: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : place;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (Array.isArray(value)) {
      const found = placeOf(member, `${place}[${name}]`);
      if (found !== undefined) return found;
    } else {
      if (!name.isWellFormed()) return place;
      const found = placeOf(member, place === "" ? name : `${place}.${name}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
