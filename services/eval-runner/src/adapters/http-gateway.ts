/** The public API of a gateway over HTTP. */
import type { ErrorCode } from "@mainspring/kernel";
import { ERROR_CODES, MainspringError } from "@mainspring/kernel";

import type { Usage } from "../domain/attempt.ts";
import type { Owner } from "../domain/experiment.ts";
import type { Answer, Gateway, RunState, Submission, Submitted } from "../ports/gateway.ts";

/** Cancels are answered when they are effective. */
const ANSWER_TIMEOUT_MS = 60_000;
const PING_TIMEOUT_MS = 1_500;
/** An answer of the gateway that is larger is not read, 64 MiB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled", "exhausted"]);

export interface GatewayAddress {
  readonly url: string;
  /** Of an admin, who may act for tenants; empty where nobody needs a key. */
  readonly key: string;
  /** What carries the requests; the global `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly owner?: Owner;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

interface WireResponse {
  readonly id: string;
  readonly output: readonly {
    readonly type: string;
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly incomplete_details: { readonly reason: string } | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly input_tokens_details?: { readonly cached_tokens: number };
    readonly output_tokens: number;
    readonly output_tokens_details?: { readonly reasoning_tokens: number };
  } | null;
}

interface WireRun {
  readonly status: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly trace_id: string | null;
  readonly error: RunState["error"];
}

export class HttpGateway implements Gateway {
  readonly #address: () => GatewayAddress;

  /** `address` is asked at every call: one's own gateway has none before it listens, and throws `unavailable` then. */
  constructor(address: () => GatewayAddress) {
    this.#address = address;
  }

  async submit(owner: Owner, { key, params, instructions, ...rest }: Submission): Promise<Submitted> {
    const body = { ...params, ...rest, ...(instructions === "" ? {} : { instructions }), background: true };
    const headers = { "idempotency-key": key };
    const response = await this.#json<WireResponse>({ method: "POST", path: "/v1/responses", owner, body, headers });
    return { responseId: response.id, runId: response.id.replace(/^resp_/, "run_") };
  }

  async run(owner: Owner, runId: string): Promise<RunState> {
    const run = await this.#json<WireRun>({ method: "GET", path: `/v1/runs/${encodeURIComponent(runId)}`, owner });
    const { status, created_at, ended_at, trace_id, error } = run;
    const durationMs = ended_at === null ? 0 : Math.max(0, Date.parse(ended_at) - Date.parse(created_at));
    return { ended: ENDED.has(status), status, durationMs, traceId: trace_id ?? "", error };
  }

  async answer(owner: Owner, responseId: string): Promise<Answer> {
    const path = `/v1/responses/${encodeURIComponent(responseId)}`;
    const { output, usage, incomplete_details } = await this.#json<WireResponse>({ method: "GET", path, owner });
    const texts = output
      .filter(({ type }) => type === "message")
      .flatMap(({ content }) => content ?? [])
      .flatMap(({ type, text }) => (type === "output_text" && text !== undefined ? [text] : []));
    return { text: texts.join(""), usage: usageOf(usage), incompleteReason: incomplete_details?.reason ?? "" };
  }

  async cancel(owner: Owner, responseId: string): Promise<void> {
    const path = `/v1/responses/${encodeURIComponent(responseId)}/cancel`;
    await this.#json({ method: "POST", path, owner, body: {} });
  }

  async ping(): Promise<void> {
    await this.#json({ method: "GET", path: "/livez", timeoutMs: PING_TIMEOUT_MS });
  }

  async #json<T>({ method, path, owner, body, headers, timeoutMs }: Call): Promise<T> {
    const { url, key, fetch: send = fetch } = this.#address();
    let status: number;
    let text: string;
    try {
      const response = await send(`${url}${path}`, {
        method,
        redirect: "error",
        headers: {
          ...headers,
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
          ...(owner === undefined ? {} : { "x-mainspring-act-as": actAs(owner) }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs ?? ANSWER_TIMEOUT_MS),
      });
      status = response.status;
      text = await bounded(response);
    } catch (cause) {
      if (cause instanceof MainspringError) throw cause;
      throw new MainspringError("unavailable", "the gateway does not answer", { cause, retry: "safe" });
    }
    if (status >= 400) throw problemOf(status, text);
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new MainspringError("unavailable", "the gateway's answer is not JSON", { cause });
    }
  }
}

/** An admin acts for a tenant; with the rights of an admin there only when the experiment has them. */
function actAs({ tenant, admin }: Owner): string {
  return admin ? `${tenant}; scope=admin` : tenant;
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new MainspringError("out_of_range", `an answer of more than ${ANSWER_BYTES_MAX} bytes is not read`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** What passes is `unavailable`; the rest keeps the code that its status stands for. */
function problemOf(status: number, text: string): MainspringError {
  if (status === 429 || (status >= 500 && status !== 501)) {
    return new MainspringError("unavailable", `the gateway answered ${status}: ${messageOf(text)}`, { retry: "safe" });
  }
  const match = Object.entries(ERROR_CODES).find(([, row]) => row.http === status);
  return new MainspringError((match?.[0] ?? "invalid_argument") as ErrorCode, messageOf(text));
}

function messageOf(text: string): string {
  try {
    const { detail, error } = JSON.parse(text) as { detail?: string; error?: { message?: string } };
    return detail ?? error?.message ?? "no reason given";
  } catch {
    return "no reason given";
  }
}

function usageOf(usage: WireResponse["usage"]): Usage | null {
  if (usage === null) return null;
  return {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}
