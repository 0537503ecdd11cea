/** What the Anthropic SDK throws, as a failure of the provider. */
import { APIConnectionError, APIError } from "@anthropic-ai/sdk";

import { isRecord } from "../domain/items.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";
import { answeredFailure, disconnected, unreachable } from "./provider-call.ts";

/** An error inside a stream that began well has no status of its own, but says which one it would have had. */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

export function failureOf(thrown: unknown): ProviderFailure {
  if (thrown instanceof APIConnectionError) return unreachable(thrown);
  if (!(thrown instanceof APIError)) return disconnected();
  const { status, headers } = thrown as APIError;
  const body: unknown = (thrown as APIError).error;
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const { type, message } = error;
  const known = typeof type === "string" ? (STATUS_OF[type] ?? 500) : 500;
  return answeredFailure({
    status: status ?? null,
    meant: known,
    text: typeof message === "string" ? message : thrown.message,
    code: typeof type === "string" ? type : "",
    headers,
  });
}
