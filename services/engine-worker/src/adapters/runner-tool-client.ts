/** tool-runner over its contract, with the catalogue cached. */
import type { CallOptions, ToolRunnerClient } from "@mainspring/contracts";
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import type { CallAttempt, CallReport } from "../domain/decision.ts";
import type { Recovery, ToolOutcome } from "../domain/events.ts";
import type { ToolClient, ToolDefinition } from "../ports/tool-client.ts";

/** Age at which the catalogue is fetched again, behind the call that noticed. */
const CATALOGUE_FRESH_MS = 30_000;
const ASK_TIMEOUT_MS = 10_000;
const RECOVERIES: ReadonlySet<string> = new Set<Recovery>(["replay_safe", "idempotent", "reconcile", "never_retry"]);

type Ask = "ResolveCalls" | "CancelCalls";
type State = Awaited<ReturnType<ToolRunnerClient["ResolveCalls"]>>["calls"][number];

export class RunnerToolClient implements ToolClient {
  readonly #runner: ToolRunnerClient;
  readonly #clock: Clock;
  #catalogue: ReadonlyMap<string, ToolDefinition> | null = null;
  #fetchedMs = -Infinity;
  #fetching: Promise<ReadonlyMap<string, ToolDefinition>> | null = null;

  constructor(runner: ToolRunnerClient, clock: Clock) {
    this.#runner = runner;
    this.#clock = clock;
  }

  async catalogue(): Promise<ReadonlyMap<string, ToolDefinition>> {
    const stale = this.#clock.monotonicMs() - this.#fetchedMs > CATALOGUE_FRESH_MS;
    if (this.#catalogue === null) return this.#fetch();
    if (stale) this.#fetch().catch(() => undefined);
    return this.#catalogue;
  }

  resolve(session: string, calls: readonly CallAttempt[]): Promise<CallReport[]> {
    return this.#ask("ResolveCalls", session, calls);
  }

  cancel(session: string, calls: readonly CallAttempt[]): Promise<CallReport[]> {
    return this.#ask("CancelCalls", session, calls);
  }

  #fetch(): Promise<ReadonlyMap<string, ToolDefinition>> {
    this.#fetching ??= this.#runner
      .ListTools({}, serviceCall())
      .then(({ tools }) => {
        const definitions = tools.map((tool): [string, ToolDefinition] => [
          tool.name,
          {
            name: tool.name,
            description: tool.description,
            parameters: JSON.parse(tool.parameters_json) as unknown,
            recovery: RECOVERIES.has(tool.recovery) ? (tool.recovery as Recovery) : "never_retry",
            exclusive: tool.exclusive,
          },
        ]);
        this.#catalogue = new Map(definitions);
        this.#fetchedMs = this.#clock.monotonicMs();
        return this.#catalogue;
      })
      .catch((error: unknown) => {
        throw asUnavailable(error);
      })
      .finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #ask(method: Ask, session: string, calls: readonly CallAttempt[]): Promise<CallReport[]> {
    const refs = calls.map(({ callId, attempt }) => ({ session_id: session, call_id: callId, attempt }));
    try {
      const answer = await this.#runner[method]({ calls: refs }, serviceCall());
      return answer.calls.map(reportOf);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

function serviceCall(): CallOptions {
  return {
    timeoutMs: ASK_TIMEOUT_MS,
    principal: { tenant: "", subject: "service:engine-worker", scopes: ["service"] },
  };
}

/** Whatever went wrong with asking, asking again is right: nothing is changed by a question. */
function asUnavailable(error: unknown): MainspringError {
  return new MainspringError("unavailable", "tool-runner gave no answer", { cause: error });
}

function reportOf(state: State): CallReport {
  const callId = state.call?.call_id ?? "";
  const attempt = state.call?.attempt ?? 0;
  const settled = state.state === "settled";
  return {
    callId,
    attempt,
    state: state.state as CallReport["state"],
    result: settled
      ? {
          call_id: callId,
          attempt,
          outcome: state.outcome as ToolOutcome,
          output: state.output,
          output_ref: state.output_artifact,
          output_bytes: state.output_bytes,
          duration_ms: state.duration_ms,
          late: false,
        }
      : null,
  };
}
