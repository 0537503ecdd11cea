/** Opens what the services of one process share: embedded on SQLite and memory, or distributed on MongoDB and Redis. */
import { join } from "node:path";

import { MainspringError, systemClock, systemRandom } from "@mainspring/kernel";

import { FileArtifacts } from "../artifacts/file-artifacts.ts";
import { MemoryArtifacts } from "../artifacts/memory-artifacts.ts";
import { MongoArtifacts } from "../artifacts/mongo-artifacts.ts";
import { InProcessBus } from "../bus/in-process-bus.ts";
import { RedisBus } from "../bus/redis-bus.ts";
import { IN_MEMORY } from "../config/config.ts";
import type { LogLevel } from "../logs/logger.ts";
import { createLogger } from "../logs/logger.ts";
import { Metrics } from "../metrics/metrics.ts";
import { MongoConnection } from "../mongo/mongo-connection.ts";
import { BullmqQueue } from "../queue/bullmq-queue.ts";
import { InProcessQueue } from "../queue/in-process-queue.ts";
import type { Job } from "../queue/job-queue.ts";
import { openSqliteThread } from "../sqlite/sqlite-thread.ts";
import { MongoTraceStore } from "../telemetry/mongo-trace-store.ts";
import { openSqliteTraceStore } from "../telemetry/sqlite-trace-store.ts";
import { startTelemetry } from "../telemetry/telemetry.ts";
import type { TraceStore } from "../telemetry/trace-store.ts";
import type { Platform, Stores } from "./compose.ts";
import { lockDataDir } from "./data-lock.ts";
import type { DataLock } from "./data-lock.ts";
import { Lifecycle } from "./lifecycle.ts";
import { Readiness } from "./readiness.ts";

const NAMESPACE = "mainspring";

export interface PlatformConfig {
  readonly logLevel: LogLevel;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly mongoUrl: string | undefined;
}

export interface OpenedPlatform extends Platform {
  /** Of an embedded server with a data directory, else null. */
  readonly lock: DataLock | null;
}

/**
 * `service` names the process in its logs. Embedded unless both URLs are given; `distributedOnly` refuses that, since a
 * service that runs alone shares nothing with its peers then. Everything is closed again when it throws.
 */
export async function openPlatform(
  service: string,
  config: PlatformConfig,
  distributedOnly: boolean,
): Promise<OpenedPlatform> {
  checkUrls(config, distributedOnly);
  const logger = createLogger(service, config.logLevel);
  const lifecycle = new Lifecycle(logger);
  const base = {
    clock: systemClock,
    random: systemRandom,
    logger,
    lifecycle,
    readiness: new Readiness(systemClock),
    metrics: new Metrics(),
    onFatal: (error: unknown): void => {
      logger.error({ error }, "a promise of our own code is broken; this process ends");
      process.exit(70);
    },
  };
  base.metrics.countProcess();
  try {
    const parts = config.mongoUrl === undefined ? await openEmbedded(base, config) : openDistributed(base, config);
    const telemetry = await startTelemetry(service, base.clock, () => openTraces(lifecycle, config, parts.stores));
    // Closed before the stores that its last spans are written to.
    lifecycle.onClose("telemetry", () => telemetry.close());
    return { ...base, ...parts, traces: telemetry.traces };
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

/** Traces have a file of their own, so that writing them delays no session. */
async function openTraces(lifecycle: Lifecycle, config: PlatformConfig, stores: Stores): Promise<TraceStore> {
  if (stores.kind === "mongo") return new MongoTraceStore(stores.connection);
  const path = config.dataDir === IN_MEMORY ? ":memory:" : join(config.dataDir, "traces.db");
  const thread = await openSqliteThread({ path, relaxed: true });
  lifecycle.onClose("traces", () => thread.close());
  return openSqliteTraceStore(thread);
}

function checkUrls(config: PlatformConfig, distributedOnly: boolean): void {
  const missing = [
    config.redisUrl === undefined ? "MAINSPRING_REDIS_URL" : null,
    config.mongoUrl === undefined ? "MAINSPRING_MONGO_URL" : null,
  ].filter((name) => name !== null);
  if (missing.length === 0 || (missing.length === 2 && !distributedOnly)) return;
  throw new MainspringError(
    "invalid_argument",
    `${missing.join(" and ")} must be set: services of their own share Redis and MongoDB`,
    { reason: "invalid_configuration" },
  );
}

/** What a log may show of a job: the rest is the user's, such as the arguments of a tool. */
export function idsOf({ session, run, call, attempt }: Job): Job {
  const ids = Object.entries({ session, run, call, attempt }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(ids) as Job;
}

type Base = Pick<Platform, "logger" | "lifecycle" | "readiness" | "onFatal">;
type Parts = Pick<OpenedPlatform, "queue" | "bus" | "artifacts" | "alone" | "stores" | "lock">;

async function openEmbedded(base: Base, config: PlatformConfig): Promise<Parts> {
  const { logger, lifecycle, readiness, onFatal } = base;
  const inMemory = config.dataDir === IN_MEMORY;
  if (inMemory) logger.warn({}, "MAINSPRING_DATA_DIR is `memory`: everything is lost when this process ends");
  const lock = inMemory ? null : lockDataDir(config.dataDir);
  if (lock !== null) lifecycle.onClose("data directory lock", () => lock.release());
  const path = inMemory ? ":memory:" : join(config.dataDir, "mainspring.db");
  // Without its store the process answers nothing any more; one that a supervisor restarts does.
  const thread = await openSqliteThread({ path, onDeath: onFatal });
  lifecycle.onClose("store", () => thread.close());
  readiness.add("store", async () => void (await thread.get("SELECT 1")));
  const artifacts = inMemory ? new MemoryArtifacts() : new FileArtifacts(join(config.dataDir, "artifacts"));
  lifecycle.onClose("artifacts", () => artifacts.close());
  const queue = new InProcessQueue((name, job, error) =>
    logger.error({ queue: name, ...idsOf(job), error }, "a job failed"),
  );
  lifecycle.onClose("queue", () => queue.close());
  const bus = new InProcessBus({ onError: (error) => logger.warn({ error }, "a listener failed") });
  lifecycle.onClose("bus", () => bus.close());
  return { queue, bus, artifacts, alone: true, stores: { kind: "sqlite", thread }, lock };
}

function openDistributed(base: Base, config: PlatformConfig): Parts {
  const { logger, lifecycle, readiness } = base;
  const connection = new MongoConnection({ url: config.mongoUrl! });
  const beats = new MongoConnection({ url: config.mongoUrl!, connectionsMax: 2 });
  lifecycle.onClose("MongoDB", async () => void (await Promise.all([connection.close(), beats.close()])));
  readiness.add("MongoDB", () => connection.ping());
  const url = config.redisUrl!;
  const onError = (error: unknown): void => logger.debug({ error }, "Redis cannot be reached");
  const queue = new BullmqQueue({
    url,
    prefix: NAMESPACE,
    onError,
    onFailed: (name, job, error) => logger.error({ queue: name, ...idsOf(job), error }, "a job failed"),
  });
  lifecycle.onClose("queue", () => queue.close());
  const bus = new RedisBus({ url, prefix: NAMESPACE, onError });
  lifecycle.onClose("bus", () => bus.close());
  readiness.add("Redis", async () => {
    await Promise.all([queue.ping(), bus.ping()]);
  });
  const artifacts = new MongoArtifacts(connection);
  return { queue, bus, artifacts, alone: false, stores: { kind: "mongo", connection, beats }, lock: null };
}
