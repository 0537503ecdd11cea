/** The best of many scores without sorting all of them: a heap of bounded size whose root is the worst that it keeps. */
export class TopK {
  readonly #max: number;
  readonly #items: { readonly eid: number; readonly score: number }[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Offers one; of equal scores the lower id is better. */
  add(eid: number, score: number): void {
    const items = this.#items;
    if (items.length < this.#max) {
      items.push({ eid, score });
      this.#up(items.length - 1);
    } else if (this.#max > 0 && this.#worse(items[0]!, { eid, score })) {
      items[0] = { eid, score };
      this.#down();
    }
  }

  /** What scores less is not kept; at first that is nothing. */
  get least(): number {
    return this.#items.length < this.#max ? -Infinity : (this.#items[0]?.score ?? Infinity);
  }

  /** Best first. */
  sorted(): readonly { readonly eid: number; readonly score: number }[] {
    return this.#items.toSorted((left, right) => right.score - left.score || left.eid - right.eid);
  }

  #worse(left: { eid: number; score: number }, right: { eid: number; score: number }): boolean {
    return left.score < right.score || (left.score === right.score && left.eid > right.eid);
  }

  #swap(left: number, right: number): void {
    const items = this.#items;
    [items[left], items[right]] = [items[right]!, items[left]!];
  }

  #up(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#worse(this.#items[at]!, this.#items[parent]!)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < items.length && this.#worse(items[child]!, items[worst]!)) worst = child;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }
}
