/** A first-in-first-out queue with a named limit. Amortised constant time at both ends. */
import { MainspringError } from "./errors.ts";

export class BoundedQueue<T> {
  #items: T[] = [];
  #head = 0;
  readonly #name: string;
  readonly #max: number;

  constructor(name: string, max: number) {
    this.#name = name;
    this.#max = max;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  get isFull(): boolean {
    return this.length >= this.#max;
  }

  /** Throws `resource_exhausted` when the queue is full. */
  push(item: T): void {
    if (this.isFull) {
      throw new MainspringError("resource_exhausted", `${this.#name} is full (limit ${this.#max})`, { retry: "safe" });
    }
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#head >= this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined as T;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
