/** Runs what `offline/script` decides: pauses, counted failures, and text in small pieces. */
import { derivedId, sleep } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";

import type { OutputItem } from "../domain/items.ts";
import { nextSteps, piecesOf, placeIn, ProgramCache } from "../domain/script-model.ts";
import type { ScriptPlace } from "../domain/script-model.ts";
import type { ScriptStep } from "../domain/script-program.ts";
import type { ModelRequest, OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { aborted, completedOffline } from "./offline-result.ts";

export class ScriptProvider implements Provider {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): ProviderSession {
    return new ScriptSession(this.#clock);
  }
}

class ScriptSession implements ProviderSession {
  readonly #clock: Clock;
  readonly #programs = new ProgramCache();
  /** Failures so far, by message and directive. */
  readonly #failures = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<OutputDelta, ProviderResult, undefined> {
    const place = placeIn(request.items);
    const steps = nextSteps(request.items, place, this.#programs);
    const output: OutputItem[] = [];
    for (const step of steps) {
      if (signal.aborted) return aborted();
      const failed = await this.#pause(step, place, signal);
      if (failed !== null) return failed;
      yield* emit(step, output, request.requestId);
    }
    return signal.aborted ? aborted() : completedOffline("offline/script", request, output);
  }

  async #pause(step: ScriptStep, place: ScriptPlace, signal: AbortSignal): Promise<ProviderResult | null> {
    if (step.kind === "wait") {
      try {
        await sleep(this.#clock, step.ms, signal);
      } catch {
        return aborted();
      }
    }
    if (step.kind !== "fail") return null;
    const key = `${place.userIndex}/${step.id}`;
    const before = this.#failures.get(key) ?? 0;
    if (step.times !== null && before >= step.times) return null;
    this.#failures.set(key, before + 1);
    const message = `offline/script was told to fail with status ${step.status}`;
    return {
      kind: "failed",
      failure: { status: step.status, message, providerCode: "", retryAfterMs: null, aborted: false },
    };
  }
}

function* emit(step: ScriptStep, output: OutputItem[], requestId: string): Generator<OutputDelta, void, undefined> {
  const item = output.length;
  if (step.kind === "say" || step.kind === "think") {
    const kind = step.kind === "say" ? "text" : "reasoning";
    const { text } = step;
    output.push(step.kind === "say" ? { type: "message", role: "assistant", text } : { type: "reasoning", text });
    for (const piece of piecesOf(text)) yield { item, kind, text: piece, callId: "", name: "" };
  } else if (step.kind === "call") {
    const callId = derivedId("call", requestId, item);
    output.push({ type: "function_call", call_id: callId, name: step.tool, arguments: step.args });
    yield { item, kind: "arguments", text: step.args, callId, name: step.tool };
  }
}
