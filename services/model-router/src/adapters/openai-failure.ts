/** What the SDK throws, as a failure of the provider. */
import { APIConnectionError, APIError } from "openai";

import { isRecord } from "../domain/items.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";

const MESSAGE_CHARS_MAX = 1_000;

export function failureOf(thrown: unknown): ProviderFailure {
  if (thrown instanceof APIConnectionError) return failure(0, `the provider cannot be reached: ${causeOf(thrown)}`);
  if (!(thrown instanceof APIError)) return failure(0, "the provider broke the connection off");
  const { status, code, headers } = thrown as APIError;
  const body: unknown = (thrown as APIError).error;
  const text = isRecord(body) && typeof body["message"] === "string" ? body["message"] : thrown.message;
  // An error inside a stream that began well has no status of its own.
  const shown =
    typeof status === "number" ? `the provider answered ${status}: ${text}` : `the provider failed: ${text}`;
  return {
    status: status ?? statusIn(body),
    message: withoutKeys(shown).slice(0, MESSAGE_CHARS_MAX),
    providerCode: typeof code === "string" ? code : "",
    retryAfterMs: headers === undefined ? null : retryAfterMs(headers, Date.now()),
    aborted: false,
  };
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

function statusIn(body: unknown): number {
  const code = isRecord(body) ? body["code"] : undefined;
  return typeof code === "number" && code >= 400 && code <= 599 ? code : 500;
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
