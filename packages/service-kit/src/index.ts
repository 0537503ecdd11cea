export { BeatWatch, startBeating } from "./beats/beats.ts";
export type { BeatingOptions, BeatRow } from "./beats/beats.ts";
export { MongoBeats } from "./beats/mongo-beats.ts";
export { isPassing, persist } from "./patience.ts";
export { ARTIFACT_BYTES_MAX } from "./artifacts/artifact-store.ts";
export type { ArtifactStore } from "./artifacts/artifact-store.ts";
export { FileArtifacts } from "./artifacts/file-artifacts.ts";
export { MemoryArtifacts } from "./artifacts/memory-artifacts.ts";
export { MongoArtifacts } from "./artifacts/mongo-artifacts.ts";
export { InProcessBus } from "./bus/in-process-bus.ts";
export { RedisBus } from "./bus/redis-bus.ts";
export type { RedisBusOptions } from "./bus/redis-bus.ts";
export { BUS_MESSAGE_BYTES_MAX } from "./bus/live-bus.ts";
export type { BusOptions, LiveBus, RetainOptions, Unsubscribe } from "./bus/live-bus.ts";
export { fromMongo, isDuplicateKey } from "./mongo/mongo-errors.ts";
export { MongoConnection, MongoStore } from "./mongo/mongo-connection.ts";
export type { MongoDatabase, MongoOptions } from "./mongo/mongo-connection.ts";
export { BullmqQueue } from "./queue/bullmq-queue.ts";
export type { BullmqQueueOptions } from "./queue/bullmq-queue.ts";
export { InProcessQueue, lendPlace } from "./queue/in-process-queue.ts";
export type { OnConnectionError, OpenRedis } from "./redis/redis-connection.ts";
export { openSqliteThread } from "./sqlite/sqlite-thread.ts";
export type { SqliteThread, SqliteThreadOptions } from "./sqlite/sqlite-thread.ts";
export type { SqliteRow, SqliteValue } from "./sqlite/protocol.ts";
export { JOB_BYTES_MAX } from "./queue/job-queue.ts";
export type { Consumer, ConsumeOptions, Job, JobQueue, OnJobFailed } from "./queue/job-queue.ts";
export {
  addressVariable,
  commonVariables,
  flagOf,
  httpListenVariable,
  IN_MEMORY,
  kinds,
  listenVariable,
  neededVariable,
  readConfig,
  shownConfig,
} from "./config/config.ts";
export type { ConfigOf, Environment, Variable, Variables } from "./config/config.ts";
export { createLogger, silentLogger } from "./logs/logger.ts";
export type { Logger, LogLevel } from "./logs/logger.ts";
export { endOnStray, Lifecycle, stopOnSignals } from "./lifecycle/lifecycle.ts";
export { Readiness } from "./lifecycle/readiness.ts";
export type { CheckResult } from "./lifecycle/readiness.ts";
export type { Composed, Platform } from "./lifecycle/compose.ts";
export { Metrics } from "./metrics/metrics.ts";
export { loadEnvFile } from "./config/env-file.ts";
export { unknownVariables } from "./config/unknown-variables.ts";
export { probeDirectory, usableDirectory } from "./files/data-directory.ts";
export { isDataDirLocked, lockDataDir, runningServer } from "./lifecycle/data-lock.ts";
export type { DataLock, RunningServer } from "./lifecycle/data-lock.ts";
export { openPlatform } from "./lifecycle/open-platform.ts";
export type { OpenedPlatform, PlatformConfig } from "./lifecycle/open-platform.ts";
export { watchHealth } from "./lifecycle/watch-health.ts";
export { runService, warnOfUnknown } from "./lifecycle/run-service.ts";
export type { ServiceDefinition } from "./lifecycle/run-service.ts";
export type { Stores } from "./lifecycle/compose.ts";
export { openSpan, parseTraceparent, TENANT_ATTRIBUTE } from "@mainspring/contracts";
export type { OpenSpan, SpanOptions } from "@mainspring/contracts";
export { MongoTraceStore } from "./telemetry/mongo-trace-store.ts";
export { openSqliteTraceStore } from "./telemetry/sqlite-trace-store.ts";
export type { SpanRecord, TraceStore } from "./telemetry/trace-store.ts";
