/** The engine over its contract. */
import type { CallOptions, EngineClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import type { CallKey, CallOutcome } from "../ports/effect-ledger.ts";
import type { DispatchedCall, Engine, ResultHint } from "../ports/engine.ts";

const TIMEOUT_MS = 10_000;
/** Failures that trying again does not mend. Whatever else goes wrong may pass. */
const FINAL: ReadonlySet<string> = new Set(["not_found", "invalid_argument", "permission_denied", "unauthenticated"]);

export class ContractEngine implements Engine {
  readonly #client: EngineClient;

  constructor(client: EngineClient) {
    this.#client = client;
  }

  async getToolCall(key: CallKey, tenant: string): Promise<DispatchedCall> {
    try {
      const answer = await this.#client.GetToolCall(refOf(key), asService(tenant));
      return { name: answer.name, argumentsJson: answer.arguments_json, open: answer.open };
    } catch (error) {
      throw passing(error);
    }
  }

  async postToolResult(
    key: CallKey,
    tenant: string,
    outcome: CallOutcome,
    late: boolean,
    { holder, k, trace }: ResultHint,
  ): Promise<void> {
    const { outcome: name, output, artifact, outputBytes, durationMs } = outcome;
    const result = {
      ...refOf(key),
      outcome: name,
      output,
      output_artifact: artifact,
      output_bytes: outputBytes,
      duration_ms: durationMs,
      late,
      traceparent: trace,
      known_mail: k,
      holder,
    };
    try {
      await this.#client.PostToolResult(result, asService(tenant));
    } catch (error) {
      // The session is gone: nobody waits for the result any more.
      if (error instanceof MainspringError && error.code === "not_found") return;
      throw passing(error);
    }
  }
}

function refOf({ session, call, attempt }: CallKey): { session_id: string; call_id: string; attempt: number } {
  return { session_id: session, call_id: call, attempt };
}

function asService(tenant: string): CallOptions {
  return { timeoutMs: TIMEOUT_MS, principal: { tenant, subject: "service:tool-runner", scopes: ["service"] } };
}

/** Both calls may be repeated whatever became of the one before. What is no answer of the engine is a fault of ours. */
function passing(error: unknown): unknown {
  if (!(error instanceof MainspringError) || FINAL.has(error.code)) return error;
  return new MainspringError("unavailable", "the engine gave no answer", { cause: error, retry: "safe" });
}
