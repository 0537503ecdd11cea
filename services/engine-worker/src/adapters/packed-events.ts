/**
 * Events as the stores keep them: what follows from the commit or from the event before is left out. `seq` follows from
 * the commit's number; `at` is the commit's, `run` and `step` those of the event before, `origin` the engine, unless said.
 */
import { EVENTS_PER_COMMIT_MAX } from "../domain/events.ts";
import type { Origin, SessionEvent } from "../domain/events.ts";
import type { Commit } from "../domain/records.ts";

interface PackedEvent {
  readonly type: string;
  readonly at?: number;
  /** Empty: the event has none though the one before had. */
  readonly run?: string;
  /** 0: likewise. */
  readonly step?: number;
  readonly origin?: Origin;
  readonly data: unknown;
}

export function packEvents({ events, at }: Pick<Commit, "events" | "at">): PackedEvent[] {
  let run = "";
  let step = 0;
  return events.map((event) => {
    const packed: PackedEvent = {
      type: event.type,
      ...(event.at === at ? {} : { at: event.at }),
      ...((event.run ?? "") === run ? {} : { run: event.run ?? "" }),
      ...((event.step ?? 0) === step ? {} : { step: event.step ?? 0 }),
      ...(event.origin === "engine" ? {} : { origin: event.origin }),
      data: event.data,
    };
    run = event.run ?? "";
    step = event.step ?? 0;
    return packed;
  });
}

export function unpackEvents(packed: readonly PackedEvent[], n: number, commitAt: number): SessionEvent[] {
  let run = "";
  let step = 0;
  return packed.map((event, index) => {
    run = event.run ?? run;
    step = event.step ?? step;
    return {
      seq: n * EVENTS_PER_COMMIT_MAX + index,
      type: event.type,
      at: event.at ?? commitAt,
      ...(run === "" ? {} : { run }),
      ...(step === 0 ? {} : { step }),
      origin: event.origin ?? "engine",
      data: event.data,
    } as unknown as SessionEvent;
  });
}
