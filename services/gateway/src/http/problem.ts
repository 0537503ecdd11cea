/** Errors as answers: problem details (RFC 9457) on native routes, their protocol's own shape on the others. */
import { ERROR_CODES, MainspringError } from "@mainspring/kernel";
import { parseTraceparent } from "@mainspring/service-kit";
import type { Logger } from "@mainspring/service-kit";
import type { NextFunction, Request, RequestHandler, Response } from "express";

/** A handler that may be asynchronous; what it throws becomes an answer. */
export function handle(work: (request: Request, response: Response) => Promise<void> | void): RequestHandler {
  return (request, response, next) => {
    void settle(async () => work(request, response), next);
  };
}

/** Runs it; what it throws goes to the error handler. */
export async function settle(work: () => Promise<void> | void, next: NextFunction): Promise<void> {
  try {
    await work();
  } catch (error) {
    next(error);
  }
}

/** `problem`: RFC 9457; `rpc`: the envelope of Spaces; the others: what clients of that API know. */
export type ErrorShape = "problem" | "rpc" | "openai" | "anthropic";

/** Says in which shape the errors of what follows come. */
export function errorsAs(shape: ErrorShape): RequestHandler {
  return (_request, response, next) => {
    response.locals["errors"] = shape;
    next();
  };
}

export const rpcErrors: RequestHandler = errorsAs("rpc");

interface HttpProblem {
  readonly type?: string;
  readonly status?: number;
  readonly expose?: boolean;
  readonly message?: string;
}

/** What body parsing and routing throw, in our own terms. */
export function toMainspringError(thrown: unknown): MainspringError {
  if (thrown instanceof MainspringError) return thrown;
  const { type, status, message } = thrown as HttpProblem;
  if (type === "entity.too.large") {
    return new MainspringError("invalid_argument", "the request body is too large", {
      reason: "body_too_large",
      cause: thrown,
    });
  }
  if (type === "entity.parse.failed") {
    return new MainspringError("invalid_argument", `the request body is not JSON: ${message ?? ""}`, {
      reason: "invalid_json",
      cause: thrown,
    });
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new MainspringError("invalid_argument", message ?? "the request cannot be read", { cause: thrown });
  }
  return MainspringError.from(thrown);
}

const TOO_LARGE: ReadonlySet<string> = new Set(["body_too_large", "input_too_large"]);

function statusOf(error: MainspringError): number {
  return TOO_LARGE.has(error.reason ?? "") ? 413 : ERROR_CODES[error.code].http;
}

function traceOf(response: Response): { readonly trace_id?: string } {
  const context = parseTraceparent(String(response.getHeader("traceparent") ?? ""));
  return context === null ? {} : { trace_id: context.traceId };
}

export function problemHandler(logger: Logger) {
  return (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const error = toMainspringError(thrown);
    const level = ERROR_CODES[error.code].logLevel;
    const cause = level === "error" ? { error: thrown } : {};
    logger[level](
      { method: request.method, path: request.path, code: error.code, ...traceOf(response), ...cause },
      error.message,
    );
    // The answer has begun: all that is left is to break it off.
    if (response.headersSent) return void (response.writableEnded || response.destroy());
    if (typeof error.retry === "object") response.setHeader("retry-after", Math.ceil(error.retry.afterMs / 1000));
    send(response, error, request.originalUrl);
  };
}

function send(response: Response, error: MainspringError, instance: string): void {
  switch (response.locals["errors"] as ErrorShape | undefined) {
    case "rpc":
      return sendRpcError(response, error);
    case "openai":
      return void response.status(statusOf(error)).json({ error: openAiError(error) });
    case "anthropic":
      return void response.status(statusOf(error)).json(anthropicError(error, response));
    default:
      return sendProblem(response, error, instance);
  }
}

function sendProblem(response: Response, error: MainspringError, instance: string): void {
  const status = statusOf(error);
  response
    .status(status)
    .type("application/problem+json")
    .send(
      JSON.stringify({
        type: `https://mainspring.dev/problems/${error.reason ?? error.code}`,
        title: ERROR_CODES[error.code].title,
        status,
        detail: error.message,
        instance,
        code: error.code,
        ...(error.reason === undefined ? {} : { reason: error.reason }),
        ...(error.param === undefined ? {} : { param: error.param }),
      }),
    );
}

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};

export function openAiError(error: MainspringError) {
  const status = statusOf(error);
  return {
    message: error.message,
    type: OPENAI_TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
    param: error.param ?? null,
    code: error.reason ?? error.code,
  };
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/** The id of the request is its trace, which `/v1/traces` knows. */
export function anthropicError(error: MainspringError, response: Response) {
  const status = statusOf(error);
  const type = ANTHROPIC_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return { type: "error", error: { type, message: error.message }, request_id: traceOf(response).trace_id ?? null };
}

function sendRpcError(response: Response, error: MainspringError): void {
  const { code, reason, param, message } = error;
  const data = { code, ...(reason === undefined ? {} : { reason }), ...(param === undefined ? {} : { param }) };
  response.status(statusOf(error)).json({ error: { message, data } });
}
