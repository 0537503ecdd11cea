/**
 * Starts tracing in this process. With one of the standard variables (OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER) spans go where they say; else recent ones are kept in the
 * given store. The SDK reads all OTEL_* variables itself, OTEL_SDK_DISABLED and the sampler among them.
 */
import { context, trace } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import type { ExportResult } from "@opentelemetry/core";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { CancelTimer, Clock } from "@mainspring/kernel";

import { otelEnvironment } from "../config/otel-environment.ts";
import { ChosenIds } from "./span-ids.ts";
import { toSpanRecord } from "./span-record.ts";
import type { TraceStore } from "./trace-store.ts";
import { SPANS_KEPT_MAX, SPANS_KEPT_MS } from "./trace-store.ts";

/** Spans are written this often. */
const FLUSH_EVERY_MS = 200;
/** Spans that wait to be written; more are dropped. */
const SPANS_WAITING_MAX = 8_192;
const PRUNE_EVERY_MS = 60_000;

export interface Telemetry {
  /** Where this process keeps its traces; null when they are sent to a collector. */
  readonly traces: TraceStore | null;
  /** Writes or sends what waits, and stops. */
  close(): Promise<void>;
}

export async function startTelemetry(
  service: string,
  clock: Clock,
  open: () => Promise<TraceStore>,
): Promise<Telemetry> {
  const { isExported, serviceName } = otelEnvironment();
  const traces = isExported ? null : await open();
  const sdk = new NodeSDK({
    serviceName: serviceName === "" ? service : serviceName,
    idGenerator: new ChosenIds(),
    metricReaders: [],
    logRecordProcessors: [],
    ...(traces === null ? {} : { spanProcessors: [localProcessor(traces)] }),
  });
  sdk.start();
  const stopPruning = traces === null ? () => undefined : startPruning(clock, traces);
  return {
    traces,
    close: async () => {
      stopPruning();
      await sdk.shutdown().catch(() => undefined);
      // The SDK registers once in a process; a server that is started after this one registers its own.
      trace.disable();
      context.disable();
    },
  };
}

function localProcessor(traces: TraceStore): BatchSpanProcessor {
  return new BatchSpanProcessor({
    exporter: new LocalExporter(traces),
    scheduledDelayMillis: FLUSH_EVERY_MS,
    maxQueueSize: SPANS_WAITING_MAX,
    maxExportBatchSize: 512,
  });
}

class LocalExporter implements SpanExporter {
  readonly #traces: TraceStore;

  constructor(traces: TraceStore) {
    this.#traces = traces;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    // eslint-disable-next-line promise/no-callback-in-promise -- the SDK's interface has a callback
    void this.#write(spans).then(done);
  }

  /** A store that is away costs traces, nothing else. */
  async #write(spans: readonly ReadableSpan[]): Promise<ExportResult> {
    try {
      await this.#traces.put(spans.map(toSpanRecord));
      return { code: ExportResultCode.SUCCESS };
    } catch (error) {
      return { code: ExportResultCode.FAILED, error: error as Error };
    }
  }

  async shutdown(): Promise<void> {
    // The store is closed by whoever opened it.
  }
}

function startPruning(clock: Clock, traces: TraceStore): CancelTimer {
  let cancel: CancelTimer = () => undefined;
  let stopped = false;
  const prune = (): void => {
    traces
      .prune(clock.now() - SPANS_KEPT_MS, SPANS_KEPT_MAX)
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancel = clock.after(PRUNE_EVERY_MS, prune);
      });
  };
  cancel = clock.after(PRUNE_EVERY_MS, prune);
  return () => {
    stopped = true;
    cancel();
  };
}
