/** What goes into `decide` and what comes out, and the draft that it writes into. */
import { assert } from "@mainspring/kernel";
import type { EventData, EventType, Origin, Recovery, SessionEvent, ToolOutcome, UsageCount } from "./events.ts";
import { checkEvent, EVENTS_PER_COMMIT_MAX } from "./events.ts";
import type { InputItem, OutputItem } from "./items.ts";
import { applyEvent } from "./project.ts";
import type { Mail } from "./records.ts";
import type { RunSpec } from "./run-spec.ts";
import type { SessionState } from "./state.ts";

export interface InputBody {
  readonly input_id: string;
  readonly client_run_id: string;
  readonly run: string;
  readonly items: readonly InputItem[];
  readonly spec: RunSpec;
}
export interface CancelBody {
  readonly run: string;
  readonly reason: string;
}
export interface ToolResultBody {
  readonly call_id: string;
  readonly attempt: number;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly output_ref: string;
  readonly output_bytes: number;
  readonly duration_ms: number;
  readonly late: boolean;
}

/** What the ledger says of one call. */
export interface CallReport {
  readonly callId: string;
  readonly attempt: number;
  readonly state: "absent" | "started" | "lost" | "settled" | "cancelled";
  readonly result: ToolResultBody | null;
}

export interface PartialOutcome {
  readonly items: OutputItem[];
  readonly chunks: [item: number, length: number][];
}

/** What the holder itself learned; unlike mail it is lost with the process, and asked for again. */
export type Outcome =
  | { readonly kind: "activated"; readonly takeover: boolean; readonly partial: PartialOutcome }
  | {
      readonly kind: "model_completed";
      readonly step: number;
      readonly attempt: number;
      readonly items: OutputItem[];
      readonly usage: UsageCount;
      readonly finish: string;
      readonly servedBy: string;
      readonly chunks: [item: number, length: number][];
    }
  | {
      readonly kind: "model_failed";
      readonly step: number;
      readonly attempt: number;
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly partial: PartialOutcome;
    }
  | { readonly kind: "calls_reported"; readonly reports: readonly CallReport[] };

export interface DecideInput {
  /** In order, from cursor + 1 on without a hole. */
  readonly mail: readonly Mail[];
  readonly outcomes: readonly Outcome[];
}

export interface ToolPolicy {
  readonly recovery: Recovery;
  /** Runs alone within its turn. */
  readonly exclusive: boolean;
}

export interface DecideEnv {
  /** Unix ms. */
  readonly now: number;
  readonly worker: string;
  readonly epoch: number;
  /** For the first commit of a session. */
  readonly birth: { readonly tenant: string; readonly agent: string; readonly title: string };
  readonly tools: ReadonlyMap<string, ToolPolicy>;
  /** What the model attempt in flight has put out so far. */
  readonly partial: PartialOutcome;
}

export type Effect =
  | { readonly type: "call_model"; readonly run: string; readonly step: number; readonly attempt: number }
  | { readonly type: "abort_model" }
  | { readonly type: "enqueue_tool"; readonly run: string; readonly callId: string; readonly attempt: number }
  | { readonly type: "cancel_calls"; readonly calls: readonly CallAttempt[] }
  | { readonly type: "resolve_calls"; readonly calls: readonly CallAttempt[] };

export interface CallAttempt {
  readonly callId: string;
  readonly attempt: number;
}

export interface Decision {
  readonly events: readonly SessionEvent[];
  readonly mailCursor: number;
  /** To be performed after the commit is known to be our own, and not before. */
  readonly effects: readonly Effect[];
  /** The commit is full and there is more to decide at once. */
  readonly more: boolean;
}

const EVENTS_PER_COMMIT_FULL = EVENTS_PER_COMMIT_MAX / 2;

export interface EmitOptions {
  readonly run?: string;
  readonly step?: number;
  readonly origin?: Origin;
}

/** Events of the commit being decided. Each is applied to the state as it is emitted. */
export class Draft {
  readonly state: SessionState;
  readonly env: DecideEnv;
  readonly events: SessionEvent[] = [];
  readonly effects: Effect[] = [];
  /** Why the model stopped, when this commit takes in its completion. */
  finish = "stop";
  /** Set when the run cannot go on. */
  failure: { readonly code: string; readonly message: string } | null = null;

  constructor(state: SessionState, env: DecideEnv) {
    this.state = state;
    this.env = env;
  }

  emit<T extends EventType>(type: T, data: EventData[T], options: EmitOptions = {}): void {
    assert(this.events.length < EVENTS_PER_COMMIT_MAX, "too many events in one commit");
    const event = {
      seq: (this.state.n + 1) * EVENTS_PER_COMMIT_MAX + this.events.length,
      type,
      at: Math.max(this.env.now, this.state.lastAt),
      ...(options.run === undefined ? {} : { run: options.run }),
      ...(options.step === undefined || options.step === 0 ? {} : { step: options.step }),
      origin: options.origin ?? "engine",
      data,
    } as unknown as SessionEvent;
    checkEvent(event);
    applyEvent(this.state, event);
    this.events.push(event);
  }

  /** Emits under the run and step that are under way. */
  emitInRun<T extends EventType>(type: T, data: EventData[T], origin: Origin = "engine"): void {
    const run = this.state.run;
    assert(run !== null, `${type} without a run`);
    this.emit(type, data, { run: run.run, step: run.step, origin });
  }

  /** Events stop being added by choice here; the rest is for what one decision still has to say. */
  get isFull(): boolean {
    return this.events.length >= EVENTS_PER_COMMIT_FULL;
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }
}
