/** Queries that nothing was found for. Any write may change that, so it forgets them all. */

export const NEGATIVE_TTL_MS = 3_600_000;
const ENTRIES_MAX = 1_000;

export class NegativeCache {
  readonly #until = new Map<string, number>();
  #generation = 0;

  /** What is remembered was found out before this; to be taken before a search begins. */
  get generation(): number {
    return this.#generation;
  }

  forget(): void {
    this.#generation += 1;
    this.#until.clear();
  }

  has(query: string, now: number): boolean {
    return (this.#until.get(query) ?? -1) > now;
  }

  /** Nothing happens where a write came between. */
  add(query: string, generation: number, now: number): void {
    if (generation !== this.#generation) return;
    if (this.#until.size >= ENTRIES_MAX) this.#until.clear();
    this.#until.set(query, now + NEGATIVE_TTL_MS);
  }
}
