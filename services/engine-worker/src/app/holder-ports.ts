/** What a held session needs from outside, and its limits. */
import type { Clock, Random } from "@mainspring/kernel";
import type { ContentStore } from "../ports/content-store.ts";
import type { Hints } from "../ports/hints.ts";
import type { ModelClient } from "../ports/model-client.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ToolClient } from "../ports/tool-client.ts";

/** Told after the commit that makes it so. */
export interface EngineObserver {
  /** `completed`, `failed`, `cancelled` or `exhausted`. */
  runEnded(status: string): void;
  /** From one model call of a run to the next: the model, its tools, and everything between. */
  stepTook(durationMs: number): void;
  /** A session was taken over from a worker that died. */
  tookOver(): void;
}

export interface HolderPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: SessionStore;
  readonly hints: Hints;
  readonly models: ModelClient;
  readonly tools: ToolClient;
  readonly content: ContentStore;
  /** Told what happens, for metrics. */
  readonly observer?: EngineObserver;
  /** A broken promise of our own code: the process is expected to end. */
  readonly onFatal: (error: unknown) => void;
}

export interface HolderSettings {
  /** How long a session stays with its worker after its last progress while something is in flight. */
  readonly hotWindowMs: number;
  /** How often a waiting holder looks for mail whose wake-up was lost. */
  readonly mailPollMs: number;
  readonly snapshotEveryCommits: number;
  readonly snapshotCharsMax: number;
}

export const HOLDER_DEFAULTS: HolderSettings = {
  hotWindowMs: 10_000,
  mailPollMs: 1_000,
  snapshotEveryCommits: 64,
  snapshotCharsMax: 256 * 1024,
};
