/**
 * The effect ledger: one row per (session, call, attempt), written before an effect starts and after it ends.
 *
 *     absent → started(runner) → settled → delivered
 *        └→ cancelled (tombstone)   └→ lost (its runner died) → late outcome stored
 *
 * Claiming is the insert; only the inserter executes. Each method is one operation on one document and may be done,
 * done with its reply lost, or not done; it throws `unavailable` when the outcome is not known.
 */
/** Most keys that one keyed read may name. */
export const KEYS_PER_READ_MAX = 64;

export interface CallKey {
  readonly session: string;
  readonly call: string;
  readonly attempt: number;
}

export type Outcome = "completed" | "failed" | "cancelled" | "unknown";

export interface CallOutcome {
  readonly outcome: Outcome;
  /** Text for the model; a preview when `artifact` is set. */
  readonly output: string;
  /** Digest of the whole output when it is larger than 32 KiB, else empty. */
  readonly artifact: string;
  readonly outputBytes: number;
  readonly durationMs: number;
}

export type LedgerState = "started" | "settled" | "delivered" | "cancelled" | "lost";

export interface LedgerRow extends CallKey {
  readonly state: LedgerState;
  /** Runner process that started it; empty for a tombstone. */
  readonly runner: string;
  /** Random; tells a runner whose reply was lost that the claim is its own. */
  readonly claimId: string;
  readonly tool: string;
  readonly stopRequested: boolean;
  readonly outcome: CallOutcome | null;
  /** An outcome that came after the call was given up as lost. */
  readonly lateOutcome: CallOutcome | null;
  /** Unix ms. */
  readonly startedAt: number;
  readonly settledAt: number;
  readonly tenant: string;
  /** W3C traceparent, or empty. */
  readonly trace: string;
}

export interface RunnerBeat {
  readonly runner: string;
  readonly count: number;
}

export interface EffectLedger {
  /** Inserts a row in state `started` or `cancelled`. `duplicate`: the key exists, whoever made it. */
  insert(row: LedgerRow): Promise<"inserted" | "duplicate">;
  get(key: CallKey): Promise<LedgerRow | null>;
  /** At most 64 keys; absent rows are left out. */
  getMany(keys: readonly CallKey[]): Promise<LedgerRow[]>;
  /** started by this runner → settled. False: it was not in that state (lost, settled before, another's). */
  settle(key: CallKey, runner: string, outcome: CallOutcome, settledAt: number): Promise<boolean>;
  /** started → lost. False: it was not started any more. */
  markLost(key: CallKey): Promise<boolean>;
  /** Sets stopRequested on a started row. False: it was not started. */
  requestStop(key: CallKey): Promise<boolean>;
  /** Stores the outcome beside a lost row, once. False: it was not lost or has one. */
  storeLate(key: CallKey, outcome: CallOutcome): Promise<boolean>;
  /** settled → delivered, and empties the output (the log has it). One operation a row; order does not matter. */
  markDelivered(keys: readonly CallKey[]): Promise<void>;
  /** Settled rows of that runner (every runner when null), oldest first, settled before that time. */
  scanUndelivered(runner: string | null, settledBefore: number, limit: number): Promise<LedgerRow[]>;
  /** Keys among these that have a stop request. */
  scanStopRequested(runner: string, limit: number): Promise<LedgerRow[]>;

  writeBeat(beat: RunnerBeat): Promise<void>;
  readBeats(): Promise<RunnerBeat[]>;
  deleteBeat(runner: string): Promise<void>;

  ping(): Promise<void>;
  close(): Promise<void>;
}
