/**
 * The live bus: deltas, wake-ups, stop requests. Everything on it may be lost or doubled; nothing but latency may
 * change. Messages of one publisher on one channel arrive in order.
 */
export const BUS_MESSAGE_BYTES_MAX = 256 * 1024;

export interface RetainOptions {
  /** Messages kept per channel; older ones go first. */
  readonly entriesMax: number;
  /** A channel without new messages is forgotten after this long. */
  readonly ttlMs: number;
}

export interface LiveBus {
  /** Fire and forget: never throws, never waits; what cannot be sent is dropped and counted. */
  publish(channel: string, message: string): void;
  /** As publish, and keeps the message so that `retained` finds it. */
  publishRetained(channel: string, message: string, retain: RetainOptions): void;
  /**
   * Retained messages of the channel, oldest first; rejects with `unavailable`. A subscriber subscribes first, reads
   * this, and drops doubles.
   */
  retained(channel: string): Promise<string[]>;
  /** Forgets what is retained. */
  forget(channel: string): void;
  /**
   * Resolves once messages published from now on will be seen. When the bus cannot be reached it resolves after two
   * seconds all the same, and messages come once it is back.
   */
  subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface BusOptions {
  /** Told of listeners that threw, for logs. */
  readonly onError?: (error: unknown) => void;
}

export type Unsubscribe = () => void;
