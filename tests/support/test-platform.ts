/** What a service is composed on, in memory and in this process: real adapters, no logs. */
import { systemClock, systemRandom } from "@mainspring/kernel";
import {
  InProcessBus,
  InProcessQueue,
  Lifecycle,
  MemoryArtifacts,
  Metrics,
  openSqliteThread,
  Readiness,
  silentLogger,
} from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

/** Programming errors that the code under test found; a test that expects none looks here. */
export type TestPlatform = Platform & { readonly fatal: unknown[]; close(): Promise<void> };

export async function testPlatform(more: Partial<Platform> = {}): Promise<TestPlatform> {
  const fatal: unknown[] = [];
  const lifecycle = new Lifecycle(silentLogger);
  const thread = more.stores === undefined ? await openSqliteThread({ path: ":memory:" }) : null;
  if (thread !== null) lifecycle.onClose("store", () => thread.close());
  const platform: Platform = {
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    lifecycle,
    readiness: new Readiness(systemClock),
    metrics: new Metrics(),
    traces: null,
    queue: new InProcessQueue((_queue, _job, error) => fatal.push(error)),
    bus: new InProcessBus(),
    artifacts: new MemoryArtifacts(),
    stores: { kind: "sqlite", thread: thread! },
    alone: true,
    onFatal: (error) => fatal.push(error),
    ...more,
  };
  return { ...platform, fatal, close: () => lifecycle.close() };
}
