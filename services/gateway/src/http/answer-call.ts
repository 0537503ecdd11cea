/** What the routes that answer one request with one message have in common. */
import { MainspringError } from "@mainspring/kernel";
import type { Request, Response } from "express";

import { RunningAnswer, startRun } from "../app/answer-run.ts";
import type { AnswerPorts } from "../app/answer-run.ts";
import type { AnswerEnd, AnswerPiece } from "../domain/answer.ts";
import type { Asked } from "../domain/asked.ts";
import type { Caller, Submitted } from "../ports/engine-api.ts";
import { callerOf } from "./context.ts";
import { checkSizes } from "./input-limits.ts";
import { SseWriter } from "./sse.ts";
import type { SseEvent } from "./sse.ts";

/** How one wire tells an answer. */
export interface Wire {
  /** The whole answer. */
  whole(running: RunningAnswer, end: AnswerEnd): object;
  /** Events of a piece. Of an end with an error: those that tell it. */
  events(piece: AnswerPiece): Iterable<SseEvent>;
  /** Events before the first piece, if the wire has some. */
  opening(): Iterable<SseEvent>;
  /** What is sent to keep the connection, as it goes over the wire. */
  readonly keepAlive?: string;
}

export async function answerCall(
  ports: AnswerPorts,
  request: Request,
  response: Response,
  asked: Asked,
  wireOf: (run: Submitted, running: RunningAnswer) => Wire,
): Promise<void> {
  const caller = callerOf(response);
  const key = request.header("idempotency-key") ?? "";
  checkSizes(asked.items, { ...asked, items: undefined });
  await ports.models.check(caller, asked.agent, asked.model);
  const run = await startRun(ports, caller, asked, key);
  setRunHeaders(response, run.sessionId, run.runId);
  const left = new AbortController();
  response.on("close", () => left.abort());
  const running = new RunningAnswer(ports, caller, run, left.signal);
  const wire = wireOf(run, running);
  try {
    if (asked.stream) await streamAnswer(running, wire, response, left.signal);
    else await sendAnswer(running, wire, response);
  } catch (error) {
    // What could be repeated without harm has been, many times.
    const ended = error instanceof MainspringError && RUN_ENDED.has(error.reason ?? "");
    if (ended && !response.headersSent) response.setHeader("x-should-retry", "false");
    throw error;
  } finally {
    if (left.signal.aborted && !response.writableFinished) await giveUp(ports, caller, asked, run, key);
  }
}

const RUN_ENDED: ReadonlySet<string> = new Set(["run_failed", "run_cancelled"]);

export function setRunHeaders(response: Response, sessionId: string, runId: string): void {
  response.setHeader("x-mainspring-session", sessionId);
  response.setHeader("x-mainspring-run", runId);
}

async function sendAnswer(running: RunningAnswer, wire: Wire, response: Response): Promise<void> {
  const end = await running.end();
  if (end !== null) response.json(wire.whole(running, end));
}

async function streamAnswer(
  running: RunningAnswer,
  wire: Wire,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  await running.begin(signal);
  if (signal.aborted) return;
  const writer = new SseWriter(response, wire.keepAlive);
  try {
    for (const event of wire.opening()) await writer.write(event);
    for await (const piece of running) for (const event of wire.events(piece)) await writer.write(event);
  } catch (thrown) {
    const end = { finish: "", calls: [], usage: NO_USAGE, error: MainspringError.from(thrown) };
    for (const event of wire.events({ kind: "ended", end })) await writer.write(event);
    throw thrown;
  } finally {
    writer.end();
  }
}

const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/**
 * The caller left. On these wires nobody can come back for the answer of a plain model, and leaving is the only way to stop
 * it: so it is stopped. An agent's work, and what has an idempotency key to come back with, goes on.
 */
async function giveUp(ports: AnswerPorts, caller: Caller, asked: Asked, run: Submitted, key: string): Promise<void> {
  if (asked.agent !== "" || key !== "") return;
  await ports.engine.cancelRun(caller, run.runId, "the caller left", false).catch(() => undefined);
}
