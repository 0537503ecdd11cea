/** Logs: one JSON line each on standard error, with what must not be seen masked. */
import { trace } from "@opentelemetry/api";
import pino from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** What the project needs of a logger. Fields first, then a sentence. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

const SECRETS = ["apiKey", "api_key", "authorization", "password", "secret", "token", "key"];

export function createLogger(service: string, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { service },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "***" },
      serializers: { error: pino.stdSerializers.err },
      // What is logged while a call or a tool runs names its trace.
      mixin: activeTrace,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

function activeTrace(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
