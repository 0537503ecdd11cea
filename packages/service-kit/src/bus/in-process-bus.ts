/** The live bus of a single process. */
import { BUS_MESSAGE_BYTES_MAX } from "./live-bus.ts";
import type { BusOptions, LiveBus, RetainOptions, Unsubscribe } from "./live-bus.ts";

/** Channels with retained messages; the one that began first goes first. */
export const RETAINED_CHANNELS_MAX = 10_000;
/** Expired channels looked for with each new one. */
const SWEEP_CHANNELS = 8;

interface Retained {
  readonly messages: string[];
  expiresAt: number;
}

type Listener = (message: string) => void;

export class InProcessBus implements LiveBus {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #retained = new Map<string, Retained>();
  readonly #onError: (error: unknown) => void;
  #dropped = 0;

  constructor(options: BusOptions = {}) {
    this.#onError = options.onError ?? (() => undefined);
  }

  /** Messages that could not be sent since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  publish(channel: string, message: string): void {
    if (message.length > BUS_MESSAGE_BYTES_MAX) {
      this.#dropped += 1;
      return;
    }
    if (this.#listeners.has(channel)) queueMicrotask(() => this.#deliver(channel, message));
  }

  publishRetained(channel: string, message: string, retain: RetainOptions): void {
    if (message.length <= BUS_MESSAGE_BYTES_MAX) this.#retain(channel, message, retain);
    this.publish(channel, message);
  }

  async retained(channel: string): Promise<string[]> {
    const kept = this.#retained.get(channel);
    return kept === undefined || kept.expiresAt <= performance.now() ? [] : [...kept.messages];
  }

  forget(channel: string): void {
    this.#retained.delete(channel);
  }

  async subscribe(channel: string, listener: Listener): Promise<Unsubscribe> {
    // A function of its own, so that the same listener may subscribe twice.
    const own: Listener = (message) => listener(message);
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(own);
    this.#listeners.set(channel, listeners);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }

  async ping(): Promise<void> {
    // It is there as long as the process is.
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#retained.clear();
  }

  #deliver(channel: string, message: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #retain(channel: string, message: string, { entriesMax, ttlMs }: RetainOptions): void {
    const now = performance.now();
    let kept = this.#retained.get(channel);
    if (kept === undefined || kept.expiresAt <= now) {
      this.#retained.delete(channel);
      this.#sweep(now);
      this.#retained.set(channel, (kept = { messages: [], expiresAt: 0 }));
    }
    kept.messages.push(message);
    while (kept.messages.length > entriesMax) kept.messages.shift();
    kept.expiresAt = now + ttlMs;
  }

  #sweep(now: number): void {
    let looked = 0;
    for (const [channel, { expiresAt }] of this.#retained) {
      if (expiresAt <= now || this.#retained.size >= RETAINED_CHANNELS_MAX) this.#retained.delete(channel);
      looked += 1;
      if (looked >= SWEEP_CHANNELS) return;
    }
  }
}
