/** The live shard with the fewest Spaces; among equals the lowest. `live` is not empty. */
export function leastLoaded(live: readonly number[], spaces: ReadonlyMap<number, number>): number {
  const load = (shard: number): number => spaces.get(shard) ?? 0;
  return live.toSorted((left, right) => load(left) - load(right) || left - right)[0]!;
}
