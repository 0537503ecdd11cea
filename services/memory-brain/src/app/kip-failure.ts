/** KIP's errors in the words of the rest of the system. */
import { MainspringError } from "@mainspring/kernel";
import type { ErrorCode, Retry } from "@mainspring/kernel";
import { KipError, type KipCode } from "@mainspring/kip";

const CODES: Readonly<Partial<Record<KipCode, ErrorCode>>> = {
  NotFoundOrNotVisible: "not_found",
  IdempotencyConflict: "already_exists",
  ClientKeyConflict: "already_exists",
  IdentityConflict: "already_exists",
  NotAuthorized: "permission_denied",
  PurgeDenied: "failed_precondition",
  LegalHoldConflict: "failed_precondition",
  ResourceExhausted: "resource_exhausted",
  TransactionTooLarge: "resource_exhausted",
  RateLimited: "resource_exhausted",
  ExecutionTimeout: "deadline_exceeded",
  OutcomeUnknown: "unavailable",
  SerializationConflict: "unavailable",
  InternalError: "internal",
};

const RETRIES: Readonly<Partial<Record<KipCode, Retry>>> = {
  OutcomeUnknown: "unknownOutcome",
  SerializationConflict: "safe",
  RateLimited: "safe",
};

/** `reason` is KIP's code. What is neither of both kinds stays what it is. */
export function fromKip(thrown: unknown): unknown {
  if (!(thrown instanceof KipError)) return thrown;
  const retry = RETRIES[thrown.code];
  return new MainspringError(CODES[thrown.code] ?? "invalid_argument", thrown.message, {
    cause: thrown,
    reason: thrown.code,
    ...(retry === undefined ? {} : { retry }),
  });
}
