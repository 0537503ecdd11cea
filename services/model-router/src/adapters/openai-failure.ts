/** What the OpenAI SDK throws, as a failure of the provider. */
import { APIConnectionError, APIError } from "openai";

import { isRecord } from "../domain/items.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";
import { answeredFailure, disconnected, unreachable } from "./provider-call.ts";

export function failureOf(thrown: unknown): ProviderFailure {
  if (thrown instanceof APIConnectionError) return unreachable(thrown);
  if (!(thrown instanceof APIError)) return disconnected();
  const { status, code, headers } = thrown as APIError;
  const body: unknown = (thrown as APIError).error;
  return answeredFailure({
    status: status ?? null,
    meant: statusIn(body),
    text: isRecord(body) && typeof body["message"] === "string" ? body["message"] : thrown.message,
    code: typeof code === "string" ? code : "",
    headers,
  });
}

function statusIn(body: unknown): number {
  const code = isRecord(body) ? body["code"] : undefined;
  return typeof code === "number" && code >= 400 && code <= 599 ? code : 500;
}
