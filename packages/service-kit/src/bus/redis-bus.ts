/**
 * The live bus on Redis: pub/sub on one subscriber connection, and a stream per channel for what is retained.
 * While Redis is away messages are dropped and counted; subscriptions come back with it.
 */
import type { ChainableCommander, Redis } from "ioredis";

import {
  COMMAND_TIMEOUT_MS,
  openCommandConnection,
  openWaitingConnection,
  withinTimeout,
} from "../redis/redis-connection.ts";
import type { OpenRedis } from "../redis/redis-connection.ts";
import { BUS_MESSAGE_BYTES_MAX } from "./live-bus.ts";
import type { LiveBus, RetainOptions, Unsubscribe } from "./live-bus.ts";

/** Messages on their way to Redis; the next one is dropped. */
export const PUBLISHES_IN_FLIGHT_MAX = 10_000;
/** Most messages that `retained` returns. */
export const RETAINED_READ_MAX = 10_000;

export interface RedisBusOptions extends OpenRedis {
  /** Namespace of all channels and keys. */
  readonly prefix: string;
}

type Listener = (message: string) => void;

interface Subscription {
  readonly listeners: Set<Listener>;
  readonly confirmed: Promise<unknown>;
}

export class RedisBus implements LiveBus {
  readonly #prefix: string;
  readonly #onError: (error: Error) => void;
  readonly #commands: Redis;
  readonly #subscriber: Redis;
  readonly #subscriptions = new Map<string, Subscription>();
  #batch: ChainableCommander | undefined;
  #batchSize = 0;
  #inFlight = 0;
  #dropped = 0;

  constructor(options: RedisBusOptions) {
    this.#prefix = `${options.prefix}:bus:`;
    this.#onError = options.onError ?? (() => undefined);
    this.#commands = openCommandConnection(options);
    this.#subscriber = openWaitingConnection(options);
    this.#subscriber.on("message", (name: string, message: string) => this.#deliver(name, message));
  }

  /** Messages that could not be sent since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  publish(channel: string, message: string): void {
    if (this.#canSend(message)) this.#outgoing().publish(this.#prefix + channel, message);
  }

  publishRetained(channel: string, message: string, { entriesMax, ttlMs }: RetainOptions): void {
    if (!this.#canSend(message)) return;
    const key = this.#prefix + channel;
    const pipeline = this.#outgoing();
    pipeline.xadd(key, "MAXLEN", "=", entriesMax, "*", "m", message);
    pipeline.pexpire(key, ttlMs);
    pipeline.publish(key, message);
  }

  async retained(channel: string): Promise<string[]> {
    const read = this.#commands.xrange(this.#prefix + channel, "-", "+", "COUNT", RETAINED_READ_MAX);
    const entries = await withinTimeout(read);
    return entries.map(([_id, fields]) => fields[1] ?? "");
  }

  forget(channel: string): void {
    if (this.#canSend("")) this.#outgoing().unlink(this.#prefix + channel);
  }

  async subscribe(channel: string, listener: Listener): Promise<Unsubscribe> {
    const name = this.#prefix + channel;
    const own: Listener = (message) => listener(message);
    let subscription = this.#subscriptions.get(name);
    if (subscription === undefined) {
      const confirmed = this.#subscriber.subscribe(name).catch((error: Error) => this.#onError(error));
      subscription = { listeners: new Set(), confirmed };
      this.#subscriptions.set(name, subscription);
    }
    subscription.listeners.add(own);
    await settledOrAway(subscription.confirmed);
    const { listeners } = subscription;
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#subscriptions.get(name)?.listeners !== listeners) return;
      this.#subscriptions.delete(name);
      this.#subscriber.unsubscribe(name).catch((error: Error) => this.#onError(error));
    };
  }

  async ping(): Promise<void> {
    await withinTimeout(this.#commands.ping());
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    this.#subscriber.disconnect();
    this.#commands.disconnect();
  }

  #canSend(message: string): boolean {
    const fits = message.length <= BUS_MESSAGE_BYTES_MAX && this.#inFlight < PUBLISHES_IN_FLIGHT_MAX;
    if (fits && this.#commands.status === "ready") return true;
    this.#dropped += 1;
    return false;
  }

  /** What is sent in one tick goes out together and in order. */
  #outgoing(): ChainableCommander {
    this.#inFlight += 1;
    this.#batchSize += 1;
    if (this.#batch === undefined) {
      this.#batch = this.#commands.pipeline();
      process.nextTick(() => this.#flush());
    }
    return this.#batch;
  }

  #flush(): void {
    const batch = this.#batch;
    const size = this.#batchSize;
    this.#batch = undefined;
    this.#batchSize = 0;
    batch?.exec().then(
      () => (this.#inFlight -= size),
      () => {
        this.#inFlight -= size;
        this.#dropped += size;
      },
    );
  }

  #deliver(name: string, message: string): void {
    for (const listener of this.#subscriptions.get(name)?.listeners ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.#onError(error as Error);
      }
    }
  }
}

/** A subscriber does not wait for a Redis that is away: it has another way to learn what it missed. */
async function settledOrAway(confirmed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const away = new Promise<void>((resolve) => (timer = setTimeout(resolve, COMMAND_TIMEOUT_MS)));
  await Promise.race([confirmed, away]);
  clearTimeout(timer);
}
