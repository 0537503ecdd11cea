/** Performs the effects of committed decisions. What it learns comes back as outcomes; what it cannot do, timers repeat. */
import type { CallAttempt, CallReport, Effect, Outcome } from "../domain/decision.ts";
import type { SessionState, ToolCall } from "../domain/state.ts";
import type { Transcript } from "../domain/transcript.ts";
import type { ToolJob } from "../ports/hints.ts";
import type { ActivationPlace, ActivationSpan } from "./activation-span.ts";
import type { HolderPorts } from "./holder-ports.ts";
import type { ModelCaller } from "./model-caller.ts";
import { isPassing, JOB_BYTES_MAX, persist } from "@mainspring/service-kit";

/** Arguments up to this many bytes (as JSON text) travel with the job; the runner asks for longer ones. */
export const JOB_ARGUMENT_BYTES_MAX = 320;

export class EffectRunner {
  readonly #ports: HolderPorts;
  readonly #models: ModelCaller;
  readonly #session: string;
  readonly #tenant: string;
  readonly #worker: string;
  readonly #activation: ActivationSpan;
  readonly #signal: AbortSignal;
  readonly #deliver: (outcome: Outcome) => void;
  /** Model calls and questions to the ledger under way: the session must not park on them. */
  #inFlight = 0;

  constructor(
    ports: HolderPorts,
    models: ModelCaller,
    at: ActivationPlace & { readonly activation: ActivationSpan },
    signal: AbortSignal,
    deliver: (outcome: Outcome) => void,
  ) {
    this.#ports = ports;
    this.#models = models;
    this.#session = at.session;
    this.#tenant = at.tenant;
    this.#worker = at.worker;
    this.#activation = at.activation;
    this.#signal = signal;
    this.#deliver = deliver;
  }

  get busy(): boolean {
    return this.#inFlight > 0;
  }

  perform(effects: readonly Effect[], state: SessionState, transcript: Transcript): void {
    for (const effect of effects) this.#perform(effect, state, transcript);
  }

  #perform(effect: Effect, state: SessionState, transcript: Transcript): void {
    switch (effect.type) {
      case "call_model":
        this.#track(this.#callModel(effect, state, transcript));
        break;
      case "abort_model":
        this.#models.abort();
        break;
      case "enqueue_tool": {
        const call = state.run?.calls.find((candidate) => candidate.callId === effect.callId);
        if (call === undefined) break;
        // A job that cannot be added is added by the call's timer.
        this.#ports.hints.enqueueTool(this.#jobOf(effect, call, state)).catch(() => undefined);
        break;
      }
      case "cancel_calls":
        this.#track(this.#report(() => this.#ports.tools.cancel(this.#session, effect.calls), effect.calls));
        break;
      case "resolve_calls":
        this.#track(this.#report(() => this.#ports.tools.resolve(this.#session, effect.calls), effect.calls));
        break;
    }
  }

  #track(work: Promise<Outcome | null>): void {
    this.#inFlight += 1;
    work
      .then(
        (outcome) => {
          this.#inFlight -= 1;
          if (outcome !== null) this.#deliver(outcome);
        },
        (error: unknown) => {
          this.#inFlight -= 1;
          if (!this.#signal.aborted) this.#ports.onFatal(error);
        },
      )
      .catch((error: unknown) => this.#ports.onFatal(error));
  }

  async #callModel(
    effect: Extract<Effect, { type: "call_model" }>,
    state: SessionState,
    transcript: Transcript,
  ): Promise<Outcome | null> {
    const run = state.run;
    if (run === null) return null;
    this.#ports.hints.forgetDeltas(this.#session);
    const { step, attempt } = effect;
    try {
      return await this.#models.call({
        session: this.#session,
        tenant: this.#tenant,
        run: effect.run,
        step,
        attempt,
        spec: run.spec,
        trace: this.#activation.traceparent,
        items: transcript.items,
      });
    } catch (error) {
      if (!isPassing(error)) throw error;
      const message = "a store or service that the model call needs is unavailable";
      const partial = { items: [], chunks: [] };
      return { kind: "model_failed", step, attempt, code: "unavailable", message, retryable: true, partial };
    }
  }

  async #report(ask: () => Promise<CallReport[]>, calls: readonly CallAttempt[]): Promise<Outcome | null> {
    if (calls.length === 0) return null;
    return { kind: "calls_reported", reports: await persist(this.#ports.clock, this.#signal, ask) };
  }

  #jobOf(effect: Extract<Effect, { type: "enqueue_tool" }>, call: ToolCall, state: SessionState): ToolJob {
    const job = {
      session: this.#session,
      run: effect.run,
      call: effect.callId,
      attempt: effect.attempt,
      tenant: this.#tenant,
      tool: call.name,
      ...memoryOf(state),
      trace: this.#activation.traceparent,
      holder: this.#worker,
      k: state.cursor,
    };
    const isSmall = call.argumentsRef === "" && bytesOf(call.arguments) <= JOB_ARGUMENT_BYTES_MAX;
    const whole = { ...job, args: call.arguments };
    return isSmall && Buffer.byteLength(JSON.stringify(whole)) <= JOB_BYTES_MAX ? whole : job;
  }
}

function memoryOf({ run }: SessionState): Pick<ToolJob, "memory" | "agent" | "caller"> {
  const { memory = "", agent = "", caller = "" } = run?.spec ?? {};
  return memory === "" ? {} : { memory, agent, caller };
}

/** Size of the text within a job. */
function bytesOf(text: string): number {
  return text.length > JOB_ARGUMENT_BYTES_MAX ? text.length : Buffer.byteLength(JSON.stringify(text));
}
