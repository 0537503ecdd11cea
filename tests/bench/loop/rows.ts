/** The loop as a client of the engine sees it. */
import type { EngineClient } from "@mainspring/contracts";

import { median, quantile } from "../statistics.ts";

const CALLER = { principal: { tenant: "bench", subject: "bench", scopes: [] } };

export function rounds(count: number, bytes = 2): string {
  return `${Array.from({ length: count }, () => `call noop {"bytes":${bytes}}\nthen`).join("\n")}\nsay done`;
}

export interface RunTimes {
  readonly session: string;
  readonly firstRequestMs: number;
  readonly totalMs: number;
  /** Between one model request and the next. */
  readonly roundsMs: readonly number[];
}

export async function timeRun(engine: EngineClient, input: string, session = ""): Promise<RunTimes> {
  const started = performance.now();
  const submitted = await engine.SubmitInput(
    {
      session_id: session,
      items_json: JSON.stringify([{ type: "message", role: "user", text: input }]),
      spec_json: JSON.stringify({ agent: "script" }),
    },
    CALLER,
  );
  const requested: number[] = [];
  const { session_id, run_id, after_seq } = submitted;
  let last = "";
  for await (const { event } of engine.SubscribeEvents({ session_id, run_id, after_seq }, CALLER)) {
    if (event?.type === "model.requested") requested.push(performance.now());
    last = event?.type ?? last;
  }
  if (last !== "run.completed") throw new Error(`a run of the benchmark ended with ${last}`);
  const roundsMs = requested.slice(1).map((at, index) => at - requested[index]!);
  return {
    session: session_id,
    firstRequestMs: requested[0]! - started,
    totalMs: performance.now() - started,
    roundsMs,
  };
}

/** Median of one round, within one run of `count`. */
export async function roundMs(engine: EngineClient, count: number): Promise<number> {
  return median((await timeRun(engine, rounds(count))).roundsMs);
}

export async function acceptMs(engine: EngineClient, count: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push((await timeRun(engine, "say hi")).firstRequestMs);
  return median(times);
}

/** Runs of three rounds a second, 16 in flight. */
export async function runsPerSecond(engine: EngineClient, count: number): Promise<number> {
  let left = count;
  const started = performance.now();
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) await timeRun(engine, rounds(3));
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return count / ((performance.now() - started) / 1000);
}

/** A round late in a long run against an early one, the floor taken off. */
export async function lateAgainstEarly(engine: EngineClient, floorMs: number): Promise<number> {
  const { roundsMs } = await timeRun(engine, rounds(620));
  const around = (step: number): number => median(roundsMs.slice(step - 10, step + 10));
  return Math.max(0.01, around(600) - floorMs) / Math.max(0.01, around(20) - floorMs);
}

/** Continues random ones of `known` parked sessions. */
export async function continueParkedMs(engine: EngineClient, known: number, asked: number): Promise<number> {
  const ids: string[] = [];
  let left = known;
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) {
      const created = await engine.CreateSession({ agent: "script", title: "parked" }, CALLER);
      ids.push(created.session!.session_id);
    }
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  const times: number[] = [];
  for (let index = 0; index < asked; index += 1) {
    times.push((await timeRun(engine, "say hi", ids[(index * 7919) % ids.length]!)).totalMs);
  }
  return quantile(times, 0.5);
}
