/** The response object: what a run is to an OpenAI client. */
import type { ResponseItem } from "./output-items.ts";

export type ResponseStatus = "queued" | "in_progress" | "completed" | "failed" | "cancelled" | "incomplete";

export interface ResponseUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

/** Fields of the request that the response shows again; kept with the run. */
export interface ResponseEcho {
  readonly background?: boolean;
  readonly instructions?: string | null;
  readonly max_output_tokens?: number | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly model?: string;
  readonly parallel_tool_calls?: boolean;
  readonly previous_response_id?: string | null;
  readonly reasoning?: unknown;
  readonly store?: boolean;
  readonly temperature?: number | null;
  readonly text?: unknown;
  readonly tool_choice?: unknown;
  readonly tools?: readonly unknown[];
  readonly top_p?: number | null;
  readonly user?: string;
}

export interface ResponseState {
  readonly id: string;
  readonly createdAt: number;
  readonly echo: ResponseEcho;
  status: ResponseStatus;
  error: { readonly code: string; readonly message: string } | null;
  incompleteReason: string | null;
  readonly output: ResponseItem[];
  usage: ResponseUsage | null;
  completedAt: number | null;
}

export function responseIdOf(runId: string): string {
  return runId.replace(/^run_/, "resp_");
}

/** Null when the text is no response id. */
export function runIdOfResponse(responseId: string): string | null {
  return /^resp_[0-9a-f]{48}$/.test(responseId) ? responseId.replace(/^resp_/, "run_") : null;
}

export function responseObject(state: ResponseState) {
  const { echo, usage } = state;
  return {
    id: state.id,
    object: "response",
    created_at: Math.floor(state.createdAt / 1000),
    status: state.status,
    background: echo.background ?? false,
    completed_at: state.completedAt === null ? null : Math.floor(state.completedAt / 1000),
    error: state.error,
    incomplete_details: state.incompleteReason === null ? null : { reason: state.incompleteReason },
    instructions: echo.instructions ?? null,
    max_output_tokens: echo.max_output_tokens ?? null,
    model: echo.model ?? "",
    output: structuredClone(state.output),
    parallel_tool_calls: echo.parallel_tool_calls ?? true,
    previous_response_id: echo.previous_response_id ?? null,
    reasoning: echo.reasoning ?? { effort: null, summary: null },
    store: echo.store ?? true,
    temperature: echo.temperature ?? null,
    text: echo.text ?? { format: { type: "text" } },
    tool_choice: echo.tool_choice ?? "auto",
    tools: echo.tools ?? [],
    top_p: echo.top_p ?? null,
    truncation: "disabled",
    usage: usage === null ? null : usageObject(usage),
    ...(echo.user === undefined ? {} : { user: echo.user }),
    metadata: echo.metadata ?? {},
  };
}

function usageObject(usage: ResponseUsage) {
  return {
    input_tokens: usage.input_tokens,
    input_tokens_details: { cached_tokens: usage.cached_input_tokens },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
    total_tokens: usage.input_tokens + usage.output_tokens,
  };
}

/** Error codes of the Responses API for our own. */
export function responseErrorCode(code: string): string {
  if (code === "resource_exhausted") return "rate_limit_exceeded";
  return code === "invalid_argument" ? "invalid_prompt" : "server_error";
}
