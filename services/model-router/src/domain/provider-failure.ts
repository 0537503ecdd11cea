/**
 * Failures of a provider, classified by what to do next. There is one retry loop in the project for a model call, and
 * it is the router's: at most RETRIES_MAX times, and only while nobody has seen any output.
 */
import { backoffMs, MainspringError } from "@mainspring/kernel";
import type { ErrorCode } from "@mainspring/kernel";

export const RETRIES_MAX = 3;
const BACKOFF = { firstMs: 250, maxMs: 8_000 };
/** A provider that asks for a longer wait is not waited for here: the call fails and says when to come back. */
export const RETRY_AFTER_MS_MAX = 60_000;

export interface ProviderFailure {
  /** HTTP status, 0 when there was none: the connection failed, timed out or broke off. */
  readonly status: number;
  /** Safe to show. */
  readonly message: string;
  /** What the provider calls it, e.g. `insufficient_quota`. */
  readonly providerCode: string;
  readonly retryAfterMs: number | null;
  /** The caller stopped the call. */
  readonly aborted: boolean;
}

interface Class {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly retryable: boolean;
}

const BY_STATUS: Readonly<Record<number, Class>> = {
  0: { code: "unavailable", reason: "provider_unreachable", retryable: true },
  400: { code: "invalid_argument", reason: "provider_refused_request", retryable: false },
  401: { code: "failed_precondition", reason: "provider_credentials", retryable: false },
  402: { code: "failed_precondition", reason: "provider_payment", retryable: false },
  403: { code: "failed_precondition", reason: "provider_credentials", retryable: false },
  404: { code: "not_found", reason: "provider_model_not_found", retryable: false },
  408: { code: "deadline_exceeded", reason: "provider_timeout", retryable: true },
  409: { code: "aborted", reason: "provider_conflict", retryable: true },
  413: { code: "invalid_argument", reason: "provider_request_too_large", retryable: false },
  422: { code: "invalid_argument", reason: "provider_refused_request", retryable: false },
  425: { code: "unavailable", reason: "provider_too_early", retryable: true },
  429: { code: "resource_exhausted", reason: "provider_rate_limit", retryable: true },
};
const OTHER_4XX: Class = { code: "failed_precondition", reason: "provider_refused_request", retryable: false };
const SERVER_ERROR: Class = { code: "unavailable", reason: "provider_error", retryable: true };
const QUOTA: Class = { code: "resource_exhausted", reason: "provider_quota", retryable: false };

function classOf({ status, providerCode }: ProviderFailure): Class {
  if (status === 429 && providerCode === "insufficient_quota") return QUOTA;
  return BY_STATUS[status] ?? (status >= 400 && status < 500 ? OTHER_4XX : SERVER_ERROR);
}

/** How long to wait before retry number `retry` (from 0), or null for no retry. `random` is in [0, 1). */
export function retryDelayMs(failure: ProviderFailure, retry: number, random: number): number | null {
  if (failure.aborted || retry >= RETRIES_MAX || !classOf(failure).retryable) return null;
  const backoff = backoffMs(BACKOFF, retry, random);
  if (failure.retryAfterMs === null) return backoff;
  return failure.retryAfterMs > RETRY_AFTER_MS_MAX ? null : Math.max(backoff, failure.retryAfterMs);
}

/** What the caller is told once the router has given up. */
export function toError(failure: ProviderFailure): MainspringError {
  if (failure.aborted) return new MainspringError("aborted", "the model call was stopped", { retry: "never" });
  const { code, reason, retryable } = classOf(failure);
  const { retryAfterMs } = failure;
  const retry = !retryable ? "never" : retryAfterMs === null ? "safe" : { afterMs: retryAfterMs };
  return new MainspringError(code, failure.message, { reason, retry });
}
