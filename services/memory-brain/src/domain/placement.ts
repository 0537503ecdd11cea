/** Which worker takes the calls of a Space. */

export interface PlacedSpace {
  readonly shard: number;
  /** Who holds it; null: nobody. */
  readonly holder: string | null;
}

export interface KnownWorkers {
  readonly self: string;
  readonly shard: number;
  isDead(worker: string): boolean;
  /** Empty: it cannot be reached. Undefined: it is not known to live. */
  addressOf(worker: string): string | undefined;
  ofShard(shard: number): { readonly address: string } | null;
}

/**
 * `here`, an address, or `nowhere` as long as its holder may live and cannot be reached. A Space that nobody alive holds
 * belongs on its shard; where that has no worker, any takes it.
 */
export function placeOf(space: PlacedSpace, workers: KnownWorkers): "here" | "nowhere" | { readonly address: string } {
  const { holder, shard } = space;
  if (holder === workers.self) return "here";
  if (holder !== null && !workers.isDead(holder)) {
    const address = workers.addressOf(holder);
    return address === undefined || address === "" ? "nowhere" : { address };
  }
  if (shard === workers.shard) return "here";
  return workers.ofShard(shard) ?? "here";
}
