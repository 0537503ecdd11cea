/** How a call of a provider fails, whatever the provider speaks. */
import type { ProviderFailure } from "../domain/provider-failure.ts";
import type { ProviderResult } from "../ports/provider.ts";

const MESSAGE_CHARS_MAX = 1_000;

export function failed(failure: ProviderFailure): ProviderResult {
  return { kind: "failed", failure };
}

/** No connection, by what the SDK threw. */
export function unreachable(thrown: Error): ProviderFailure {
  return failure(0, `the provider cannot be reached: ${causeOf(thrown)}`);
}

export function disconnected(): ProviderFailure {
  return failure(0, "the provider broke the connection off");
}

export function brokenOff(): ProviderFailure {
  return failure(0, "the provider ended the stream before the answer was complete");
}

export function tooLate(): ProviderFailure {
  return failure(408, "the provider did not answer in time");
}

export function tooLong(charsMax: number): ProviderFailure {
  return failure(400, `the provider's answer is longer than ${charsMax} characters`);
}

export function stopped(): ProviderFailure {
  return { ...failure(0, "the model call was stopped"), aborted: true };
}

export interface ProviderAnswer {
  /** Null inside a stream that began well. */
  readonly status: number | null;
  /** What the status would have been there. */
  readonly meant: number;
  readonly text: string;
  readonly code: string;
  readonly headers: Headers | undefined;
}

/** An answer that is an error. */
export function answeredFailure({ status, meant, text, code, headers }: ProviderAnswer): ProviderFailure {
  const shown = status === null ? `the provider failed: ${text}` : `the provider answered ${status}: ${text}`;
  return {
    status: status ?? meant,
    message: withoutKeys(shown).slice(0, MESSAGE_CHARS_MAX),
    providerCode: code,
    retryAfterMs: headers === undefined ? null : retryAfterMs(headers, Date.now()),
    aborted: false,
  };
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. Null when there is none that makes sense. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const text = headers.get("retry-after");
  if (text === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function causeOf({ message, cause }: Error): string {
  for (let inner = cause, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
  }
  return message;
}

/** Some providers repeat the key that they refuse. */
function withoutKeys(text: string): string {
  return text.replaceAll(/\b(sk|key|pk)-[\w*.-]{4,}/gi, "$1-***");
}

function failure(status: number, message: string): ProviderFailure {
  return { status, message, providerCode: "", retryAfterMs: null, aborted: false };
}
