/**
 * Connections to Redis. Redis may go away and come back, or lose all its data, at any moment: a connection comes
 * back by itself within about a second, and no command waits longer than COMMAND_TIMEOUT_MS.
 */
import { MainspringError } from "@mainspring/kernel";
import { Redis } from "ioredis";
import type { RedisOptions } from "ioredis";

export const COMMAND_TIMEOUT_MS = 2_000;
const RECONNECT_INITIAL_MS = 50;
const RECONNECT_MAX_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;

/** Called with what went wrong with a connection, for logs; the connection mends itself. */
export type OnConnectionError = (error: Error) => void;

export interface OpenRedis {
  readonly url: string;
  readonly onError?: OnConnectionError | undefined;
}

function open({ url, onError }: OpenRedis, options: Omit<RedisOptions, "replyMapping">): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(RECONNECT_INITIAL_MS * 2 ** Math.min(attempt - 1, 10), RECONNECT_MAX_MS),
    ...options,
  });
  redis.on("error", (error: Error) => onError?.(error));
  return redis;
}

/** For commands that somebody waits for: each fails within COMMAND_TIMEOUT_MS. */
export function openCommandConnection(options: OpenRedis): Redis {
  return open(options, { enableAutoPipelining: true, commandTimeout: COMMAND_TIMEOUT_MS, maxRetriesPerRequest: 5 });
}

/** For commands that block or subscribe: they wait for Redis as long as it takes, and are repeated when it is back. */
export function openWaitingConnection(options: OpenRedis): Redis {
  return open(options, { maxRetriesPerRequest: null });
}

/** Any failure of a command. All that this project does in Redis may be done twice, so a retry is safe. */
export function redisUnavailable(cause: unknown): MainspringError {
  return new MainspringError("unavailable", "Redis cannot be reached", { cause, retry: "safe" });
}

/** The operation, or `unavailable` after COMMAND_TIMEOUT_MS. */
export async function withinTimeout<T>(operation: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(redisUnavailable(new Error("no answer in time"))), COMMAND_TIMEOUT_MS);
  });
  try {
    return await Promise.race([operation, timeout]);
  } catch (cause) {
    throw cause instanceof MainspringError ? cause : redisUnavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}
