/** A request that brings its whole history along, as a run in a session of its own. */
import type { Clock } from "@mainspring/kernel";
import { newId, sleep, systemRandom } from "@mainspring/kernel";

import { Answer } from "../domain/answer.ts";
import type { AnswerEnd, AnswerPiece } from "../domain/answer.ts";
import type { Asked } from "../domain/asked.ts";
import type { Caller, Submitted } from "../ports/engine-api.ts";
import { follow } from "./follow-run.ts";
import type { FollowPorts } from "./follow-run.ts";
import type { ModelList } from "./model-list.ts";

export interface AnswerPorts extends FollowPorts {
  readonly models: ModelList;
}

/** How long a stream waits for its first output, so that a failure before it is an answer with its own status. */
export const FIRST_OUTPUT_WAIT_MS = 10_000;

export async function startRun(
  ports: AnswerPorts,
  caller: Caller,
  asked: Asked,
  idempotencyKey: string,
): Promise<Submitted> {
  const { name, agent, model, instructions, clientTools, params, items } = asked;
  const spec = { agent, model, instructions, client_tools: clientTools, params, echo: { model: name, store: false } };
  return ports.engine.submit(caller, {
    sessionId: "",
    clientRunId: idempotencyKey === "" ? newId("req", ports.clock.now(), systemRandom) : idempotencyKey,
    mode: "run",
    items,
    spec,
    title: "",
    idempotencyKey,
  });
}

/** The pieces of the answer as they come, up to `ended`, or to where the signal aborts. */
export class RunningAnswer {
  readonly answer = new Answer();
  readonly #clock: Clock;
  readonly #pieces: AsyncGenerator<AnswerPiece>;
  #next: Promise<IteratorResult<AnswerPiece>> | null = null;

  constructor(ports: FollowPorts, caller: Caller, run: Submitted, signal: AbortSignal) {
    this.#clock = ports.clock;
    this.#pieces = piecesOf(ports, caller, run, this.answer, signal);
  }

  /** Waits a while for the first piece. Throws what the run failed with when it failed before any output. */
  async begin(signal: AbortSignal): Promise<void> {
    this.#next = this.#pieces.next();
    // Whoever reads the pieces gets what it fails with.
    this.#next.catch(() => undefined);
    const waited = new AbortController();
    const wait = sleep(this.#clock, FIRST_OUTPUT_WAIT_MS, AbortSignal.any([signal, waited.signal])).then(
      () => null,
      () => null,
    );
    const first = await Promise.race([this.#next, wait]).finally(() => waited.abort());
    if (first?.done === false && first.value.kind === "ended" && first.value.end.error !== null) {
      throw first.value.end.error;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnswerPiece> {
    const first = await (this.#next ?? this.#pieces.next());
    if (first.done === true) return;
    yield first.value;
    yield* this.#pieces;
  }

  /** The end of the run; null where the signal aborted first. Throws what it failed with. */
  async end(): Promise<AnswerEnd | null> {
    for await (const piece of this) {
      if (piece.kind !== "ended") continue;
      if (piece.end.error !== null) throw piece.end.error;
      return piece.end;
    }
    return null;
  }
}

async function* piecesOf(
  ports: FollowPorts,
  caller: Caller,
  run: Submitted,
  answer: Answer,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  const { sessionId, runId, afterSeq } = run;
  for await (const item of follow(ports, caller, { sessionId, runId, afterSeq, follow: false, deltas: true }, signal)) {
    for (const piece of answer.take(item)) {
      yield piece;
      if (piece.kind === "ended") return;
    }
  }
}
