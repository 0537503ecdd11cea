/**
 * Ids. A fresh id is a prefix and a UUIDv7 without dashes (`ses_0198…`), so ids sort by time. An id that a retry
 * must find again is *derived*: a prefix and a hash of its parts.
 */
import { createHash, randomBytes } from "node:crypto";

export type IdPrefix =
  | "ses"
  | "run"
  | "call"
  | "cmt"
  | "wrk"
  | "tool"
  | "clm"
  | "key"
  | "req"
  | "msg"
  | "exp"
  | "cell"
  | "evl";

/** Source of randomness; a seeded one in simulations. */
export interface Random {
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
}

/** Bytes drawn from the system at a time: a draw costs as much for many as for a few. */
const POOL_BYTES = 4096;

class PooledRandom implements Random {
  #pool = Buffer.alloc(0);
  #used = 0;

  bytes(count: number): Uint8Array {
    if (count > POOL_BYTES) return randomBytes(count);
    if (this.#used + count > this.#pool.length) {
      this.#pool = randomBytes(POOL_BYTES);
      this.#used = 0;
    }
    const taken = Uint8Array.prototype.slice.call(this.#pool, this.#used, this.#used + count);
    this.#pool.fill(0, this.#used, this.#used + count);
    this.#used += count;
    return taken;
  }
}

export const systemRandom: Random = new PooledRandom();

/** UUIDv7 (RFC 9562 §5.7) as 32 hex digits. `nowMs` is Unix milliseconds. */
export function uuidV7Hex(nowMs: number, random: Random): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, "0");
  const bytes = random.bytes(10);
  bytes[0] = (bytes[0]! & 0x0f) | 0x70;
  bytes[2] = (bytes[2]! & 0x3f) | 0x80;
  return time + Buffer.from(bytes).toString("hex");
}

export function newId(prefix: IdPrefix, nowMs: number, random: Random): string {
  return `${prefix}_${uuidV7Hex(nowMs, random)}`;
}

/** The first `hexDigits` of SHA-256 over the parts, each preceded by its length so that no two lists collide. */
export function hashParts(parts: readonly (string | number)[], hexDigits = 32): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const text = String(part);
    hash.update(`${text.length}:`).update(text);
  }
  return hash.digest("hex").slice(0, hexDigits);
}

export function derivedId(prefix: IdPrefix, ...parts: (string | number)[]): string {
  return `${prefix}_${hashParts(parts)}`;
}

const SESSION_ID = /^ses_([0-9a-f]{32})$/;
const RUN_ID = /^run_([0-9a-f]{32})([0-9a-f]{16})$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** A run's id holds its session's id, so that a run is found without an index. */
export function runIdOf(sessionId: string, clientRunId: string): string {
  const match = SESSION_ID.exec(sessionId);
  if (match === null) throw new Error(`not a session id: ${sessionId}`);
  return `run_${match[1]}${hashParts([sessionId, clientRunId], 16)}`;
}

/** The session of a run id, or null when the text is no run id. */
export function sessionOfRun(runId: string): string | null {
  const match = RUN_ID.exec(runId);
  return match === null ? null : `ses_${match[1]}`;
}
