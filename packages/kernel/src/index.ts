export { backoffMs } from "./backoff.ts";
export type { BackoffPolicy } from "./backoff.ts";
export { BoundedQueue } from "./bounded-queue.ts";
export { sleep, systemClock, TIMER_DELAY_MAX_MS } from "./clock.ts";
export type { CancelTimer, Clock } from "./clock.ts";
export { assert, codeOfGrpc, ERROR_CODES, MainspringError } from "./errors.ts";
export type { CodeRow, ErrorCode, MainspringErrorOptions, Retry } from "./errors.ts";
export { derivedId, hashParts, isSessionId, newId, runIdOf, sessionOfRun, systemRandom, uuidV7Hex } from "./ids.ts";
export type { IdPrefix, Random } from "./ids.ts";
