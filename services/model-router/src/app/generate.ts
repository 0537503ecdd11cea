/** One model call with the router's retries: silent before the first output, never after it. */
import type { Clock } from "@mainspring/kernel";
import { sleep } from "@mainspring/kernel";

import { retryDelayMs } from "../domain/provider-failure.ts";
import type { ProviderFailure } from "../domain/provider-failure.ts";
import type { ModelRequest, OutputDelta, ProviderResult, ProviderSession } from "../ports/provider.ts";

export interface GenerateOutcome {
  readonly result: ProviderResult;
  /** Requests that were made to the provider. */
  readonly requests: number;
}

export interface GeneratePorts {
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
}

/** Yields deltas, returns the outcome. Never throws. */
export async function* generate(
  ports: GeneratePorts,
  session: ProviderSession,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<OutputDelta, GenerateOutcome, undefined> {
  for (let retry = 0; ; retry += 1) {
    let seen = false;
    const attempt = session.generate(request, signal);
    let step = await attempt.next();
    while (step.done !== true) {
      seen = true;
      yield step.value;
      step = await attempt.next();
    }
    const result = step.value;
    const outcome: GenerateOutcome = { result, requests: retry + 1 };
    if (result.kind === "completed" || seen) return outcome;
    const delayMs = retryDelayMs(result.failure, retry, ports.random());
    if (delayMs === null) return outcome;
    try {
      await sleep(ports.clock, delayMs, signal);
    } catch {
      return { result: { kind: "failed", failure: stopped(result.failure) }, requests: retry + 1 };
    }
  }
}

function stopped(failure: ProviderFailure): ProviderFailure {
  return { ...failure, aborted: true };
}
