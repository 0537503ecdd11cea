/**
 * Errors on the wire: a thrown value becomes an `ErrorDetail` in a trailer beside the gRPC status, and back. A peer
 * decides by the detail, never by text. The in-process transport passes the same bytes.
 */
import { Metadata, status as grpcStatus } from "@grpc/grpc-js";
import type { StatusObject } from "@grpc/grpc-js";
import { codeOfGrpc, ERROR_CODES, MainspringError } from "@mainspring/kernel";
import type { ErrorCode, Retry } from "@mainspring/kernel";

import type { ErrorDetail, ErrorDetail__Output } from "./gen/mainspring/common/v1/ErrorDetail.ts";
import { messageDefinition } from "./package-definition.ts";

export const ERROR_TRAILER = "mainspring-error-bin";
/** Trailers have to fit HTTP/2's header limits. */
export const ERROR_MESSAGE_CHARS_MAX = 1024;
export const ERROR_REASON_CHARS_MAX = 256;
const STATUS_DETAILS_CHARS_MAX = 256;

const detailDefinition = () => messageDefinition<ErrorDetail, ErrorDetail__Output>("mainspring.common.v1.ErrorDetail");

export function toErrorDetail(thrown: unknown): Required<ErrorDetail> {
  const error = MainspringError.from(thrown);
  return {
    code: error.code,
    retry: retryName(error.retry),
    retry_after_ms: typeof error.retry === "object" ? Math.max(0, Math.round(error.retry.afterMs)) : 0,
    reason: (error.reason ?? "").slice(0, ERROR_REASON_CHARS_MAX),
    param: (error.param ?? "").slice(0, ERROR_REASON_CHARS_MAX),
    message: error.message.slice(0, ERROR_MESSAGE_CHARS_MAX),
  };
}

export function fromErrorDetail(detail: ErrorDetail__Output): MainspringError {
  const code = Object.hasOwn(ERROR_CODES, detail.code) ? (detail.code as ErrorCode) : "internal";
  return new MainspringError(code, detail.message, {
    retry: retryOf(detail),
    ...(detail.reason === "" ? {} : { reason: detail.reason }),
    ...(detail.param === "" ? {} : { param: detail.param }),
  });
}

function retryName(retry: Retry): string {
  if (typeof retry === "object") return "after";
  return retry === "unknownOutcome" ? "unknown_outcome" : retry;
}

function retryOf(detail: ErrorDetail__Output): Retry {
  switch (detail.retry) {
    case "safe":
      return "safe";
    case "after":
      return { afterMs: detail.retry_after_ms };
    case "unknown_outcome":
      return "unknownOutcome";
    default:
      return "never";
  }
}

/** What the caller sees of a value thrown by a handler. */
export function throughWire(thrown: unknown): MainspringError {
  const definition = detailDefinition();
  return fromErrorDetail(definition.deserialize(definition.serialize(toErrorDetail(thrown))));
}

export interface StatusError extends Error {
  code: number;
  details: string;
  metadata: Metadata;
}

/** The error object that grpc-js sends as status and trailers. */
export function toStatusError(thrown: unknown): StatusError {
  const detail = toErrorDetail(thrown);
  const metadata = new Metadata();
  metadata.set(ERROR_TRAILER, detailDefinition().serialize(detail));
  const details = detail.message.slice(0, STATUS_DETAILS_CHARS_MAX);
  const code = ERROR_CODES[detail.code as ErrorCode].grpc;
  return Object.assign(new Error(details), { code, details, metadata });
}

/**
 * The error of a failed gRPC call. `sent` is false only when the call surely never left this process: then, and
 * only then, a lost connection is safe to retry.
 */
export function fromStatus(
  status: Partial<StatusObject> & Pick<StatusObject, "code" | "details">,
  sent: boolean,
): MainspringError {
  const trailer = status.metadata?.get(ERROR_TRAILER)[0];
  if (trailer instanceof Uint8Array) return fromErrorDetail(detailDefinition().deserialize(Buffer.from(trailer)));
  const retry: Retry = sent ? "unknownOutcome" : "safe";
  const { code } = status;
  if (code === grpcStatus.UNAVAILABLE || code === grpcStatus.CANCELLED) return unavailable(retry);
  // A server that stopped in the middle of a call: grpc-js calls that INTERNAL. Our own servers send a trailer with it.
  if (code === grpcStatus.INTERNAL && status.details.startsWith("Received RST_STREAM")) return unavailable(retry);
  if (code === grpcStatus.DEADLINE_EXCEEDED) return deadlineExceeded(retry);
  return new MainspringError(codeOfGrpc(code), status.details.slice(0, ERROR_MESSAGE_CHARS_MAX), {
    retry: "never",
  });
}

export function unavailable(retry: Retry): MainspringError {
  return new MainspringError("unavailable", "the service cannot be reached", { retry });
}

export function deadlineExceeded(retry: Retry = "unknownOutcome"): MainspringError {
  return new MainspringError("deadline_exceeded", "the service did not answer in time", { retry });
}

/** Why the context of a served call is aborted when its caller went away. */
export function callerGone(): DOMException {
  return new DOMException("the caller cancelled the call", "AbortError");
}
