/**
 * The span of one activation: a worker's work on one run, from taking it up until it ends, parks or is lost. It lies
 * under the context that the run was accepted in. One that died with its worker is never sent, though model and tool
 * calls lie under it: whoever takes the run over sends it in its place, as failed, and links its own to it.
 */
import { openSpan, TENANT_ATTRIBUTE } from "@mainspring/service-kit";
import type { OpenSpan } from "@mainspring/service-kit";
import type { RunState } from "../domain/state.ts";

const SERVICE = "engine-worker";

export interface ActivationPlace {
  readonly session: string;
  readonly tenant: string;
  readonly worker: string;
}

/** What the log knows of the activation before. */
export interface DeadActivation {
  readonly trace: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export class ActivationSpan {
  readonly #place: ActivationPlace;
  #span: OpenSpan | null = null;
  #run = "";
  #dead: DeadActivation | null = null;

  constructor(place: ActivationPlace) {
    this.#place = place;
  }

  /** What model and tool calls lie under. Empty when there is no run and no trace. */
  get traceparent(): string {
    return this.#span?.traceparent ?? "";
  }

  /** Sends the span of the holder that died on this run. */
  replace(dead: DeadActivation | null, run: RunState | null): void {
    if (dead === null || dead.trace === "" || run === null) return;
    this.#dead = dead;
    const { startedAt, endedAt, trace } = dead;
    const span = openSpan(SERVICE, nameOf(run), {
      parent: run.trace,
      startedAt,
      standsFor: trace,
      attributes: this.#attributes(run),
    });
    span.end("its worker died", Math.max(startedAt, endedAt));
  }

  /** Goes with the run under way: begins its span, and ends the one of a run before. */
  follow(run: RunState | null): void {
    if (run === null || run.run === this.#run) return;
    this.end();
    this.#run = run.run;
    const links = this.#dead === null ? [] : [this.#dead.trace];
    this.#dead = null;
    this.#span = openSpan(SERVICE, nameOf(run), { parent: run.trace, links, attributes: this.#attributes(run) });
  }

  end(failure?: unknown): void {
    this.#span?.end(failure);
    this.#span = null;
    this.#run = "";
  }

  #attributes({ run, spec }: RunState): Record<string, string> {
    const { session, tenant, worker } = this.#place;
    return {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": spec.agent,
      "gen_ai.request.model": spec.model,
      "gen_ai.conversation.id": session,
      "mainspring.run.id": run,
      "mainspring.worker": worker,
      [TENANT_ATTRIBUTE]: tenant,
    };
  }
}

function nameOf({ spec }: RunState): string {
  return spec.agent === "" ? "invoke_agent" : `invoke_agent ${spec.agent}`;
}
