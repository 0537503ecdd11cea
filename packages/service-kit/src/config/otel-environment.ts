/** The standard variables of OpenTelemetry, as far as it must be known here what they say: the SDK reads the rest. */

export interface OtelEnvironment {
  /** Whether they send traces somewhere. */
  readonly isExported: boolean;
  /** Empty when none is given. */
  readonly serviceName: string;
}

export function otelEnvironment(): OtelEnvironment {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all = "", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces = "" } = process.env;
  const { OTEL_TRACES_EXPORTER: named = "", OTEL_SERVICE_NAME: serviceName = "" } = process.env;
  return { isExported: all !== "" || traces !== "" || (named !== "" && named !== "none"), serviceName };
}
