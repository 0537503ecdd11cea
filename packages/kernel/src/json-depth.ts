/** How deep JSON from strangers may be: what every reader after the parser can take. */

/** Deepest nesting of lists and objects. */
export const JSON_DEPTH_MAX = 100;

/** Level by level, without recursion: what it looks at may be too deep for that. */
export function isDeeper(value: unknown, depth: number): boolean {
  let level = [value].filter(isNested);
  for (let below = depth; level.length > 0; below -= 1) {
    if (below === 0) return true;
    level = level.flatMap((node) => Object.values(node).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
