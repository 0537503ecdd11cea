/** What the composition root of every service is given, and gives back. */
import type { Registration } from "@mainspring/contracts";
import type { Clock, Random } from "@mainspring/kernel";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { LiveBus } from "../bus/live-bus.ts";
import type { Logger } from "../logs/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { MongoConnection } from "../mongo/mongo-connection.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { SqliteThread } from "../sqlite/sqlite-thread.ts";
import type { TraceStore } from "../telemetry/trace-store.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Readiness } from "./readiness.ts";

export type Stores =
  | { readonly kind: "sqlite"; readonly thread: SqliteThread }
  | {
      readonly kind: "mongo";
      readonly connection: MongoConnection;
      /** For beats alone. */
      readonly beats: MongoConnection;
    };

/** Shared by the services of one process. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Recent traces; null when they are sent to a collector. */
  readonly traces: TraceStore | null;
  readonly queue: JobQueue;
  readonly bus: LiveBus;
  readonly artifacts: ArtifactStore;
  /** Where each service keeps its own records. */
  readonly stores: Stores;
  /** The lock on the data directory proves that no other process of this deployment lives. */
  readonly alone: boolean;
  /** A broken promise of our own code: logs it and ends the process. */
  readonly onFatal: (error: unknown) => void;
}

/** A service that was composed: its gRPC services, to be served on a listener or in process. */
export interface Composed {
  readonly registrations: readonly Registration[];
  /**
   * Begins to take work: consumers, beats, sweeps. Called when its peers can be reached. `address` is where it serves gRPC,
   * if it does.
   */
  start(address?: string): void | Promise<void>;
  /** Told whether stores and peers answer, for doors that it has opened itself. */
  tellReady?(ready: boolean): void;
  /** Takes no new work and lets go of what it has. */
  drain(graceMs: number): Promise<void>;
}
