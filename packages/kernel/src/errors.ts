/**
 * Errors, classified by what the caller must do (not by what went wrong).
 *
 * One closed table maps each code to gRPC, HTTP and a log level; nothing else in the project does.
 * A broken invariant is not one of these: it is an `assert` that crashes. A cancelled operation is not one
 * either: it is an `AbortSignal`'s reason.
 */

/** gRPC's canonical codes without `OK`, `CANCELLED` (a signal) and `UNKNOWN` (an adapter must decide). */
export type ErrorCode =
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "failed_precondition"
  | "aborted"
  | "out_of_range"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "data_loss"
  | "unauthenticated";

export interface CodeRow {
  readonly grpc: number;
  readonly http: number;
  readonly title: string;
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** The one table of codes. gRPC numbers: grpc.io status codes; HTTP: the usual mapping of googleapis. */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeRow>> = {
  invalid_argument: { grpc: 3, http: 400, title: "Invalid request", logLevel: "debug" },
  deadline_exceeded: { grpc: 4, http: 504, title: "Deadline exceeded", logLevel: "warn" },
  not_found: { grpc: 5, http: 404, title: "Not found", logLevel: "debug" },
  already_exists: { grpc: 6, http: 409, title: "Already exists", logLevel: "debug" },
  permission_denied: { grpc: 7, http: 403, title: "Permission denied", logLevel: "info" },
  resource_exhausted: { grpc: 8, http: 429, title: "Limit exceeded", logLevel: "info" },
  failed_precondition: { grpc: 9, http: 409, title: "Not possible in this state", logLevel: "debug" },
  aborted: { grpc: 10, http: 409, title: "Conflict", logLevel: "info" },
  out_of_range: { grpc: 11, http: 400, title: "Out of range", logLevel: "debug" },
  unimplemented: { grpc: 12, http: 501, title: "Not implemented", logLevel: "info" },
  internal: { grpc: 13, http: 500, title: "Internal error", logLevel: "error" },
  unavailable: { grpc: 14, http: 503, title: "Unavailable", logLevel: "warn" },
  data_loss: { grpc: 15, http: 500, title: "Data loss", logLevel: "error" },
  unauthenticated: { grpc: 16, http: 401, title: "Unauthenticated", logLevel: "info" },
};

/**
 * What the caller may do next. `unknownOutcome`: the effect may have happened; look it up by its
 * idempotency key before anything else.
 */
export type Retry = "never" | "safe" | { readonly afterMs: number } | "unknownOutcome";

export interface MainspringErrorOptions {
  readonly retry?: Retry;
  /** A stable, machine-readable reason below the code, e.g. `previous_response_not_found`. */
  readonly reason?: string;
  /** The request field at fault, as a JSON path. */
  readonly param?: string;
  readonly cause?: unknown;
}

/** An expected operational failure. `message` is safe to show to callers: no secrets, no internals. */
export class MainspringError extends Error {
  readonly code: ErrorCode;
  readonly retry: Retry;
  readonly reason: string | undefined;
  readonly param: string | undefined;

  constructor(code: ErrorCode, message: string, options: MainspringErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MainspringError";
    this.code = code;
    this.retry = options.retry ?? (code === "unavailable" || code === "aborted" ? "safe" : "never");
    this.reason = options.reason;
    this.param = options.param;
  }

  /** Any thrown value as a MainspringError; what is not one already becomes `internal` with a neutral message. */
  static from(thrown: unknown): MainspringError {
    if (thrown instanceof MainspringError) return thrown;
    if (thrown instanceof Error && thrown.name === "AbortError") {
      return new MainspringError("aborted", "the operation was cancelled", { cause: thrown, retry: "never" });
    }
    return new MainspringError("internal", "an unexpected error occurred", { cause: thrown });
  }
}

const byGrpc = new Map(Object.entries(ERROR_CODES).map(([code, row]) => [row.grpc, code as ErrorCode]));

/** The code of a gRPC status number. 1 (cancelled) maps to `aborted`, 2 (unknown) to `internal`. */
export function codeOfGrpc(status: number): ErrorCode {
  if (status === 1) return "aborted";
  return byGrpc.get(status) ?? "internal";
}

/** Throws when a promise of our own code is broken. The process is expected to crash and be restarted. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
