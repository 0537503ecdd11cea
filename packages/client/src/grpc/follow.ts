/** A session's events over gRPC, across broken connections. Over HTTP the gateway knows what was seen; here the reader does. */
import { isSeen, parseCursor } from "@mainspring/kernel";
import type { DeltaPlace, StreamCursor } from "@mainspring/kernel";
import type { Delta__Output, EventRecord__Output, SubscribeEventsResponse__Output } from "@mainspring/contracts/engine";

import type { FollowOptions } from "../follow.ts";
import { isEndOf, persistently } from "../persistently.ts";
import type { DeltaRow, EventRow, SessionMessage } from "../views.ts";
import type { EngineApi } from "./services.ts";

/** `server`: as errors name it. */
export async function* followSession(
  engine: Pick<EngineApi, "SubscribeEvents">,
  server: string,
  session: string,
  { run, after, signal, onRetry }: FollowOptions,
): AsyncGenerator<SessionMessage> {
  const reader = new Reader(parseCursor(after));
  const asked = { session_id: session, run_id: run, follow: run === "", deltas: true };
  const open = () => engine.SubscribeEvents({ ...asked, after_seq: reader.seq }, { signal });
  for await (const item of persistently(server, open, signal, onRetry)) {
    const message = reader.take(item);
    if (message === null) continue;
    yield message;
    if (isEndOf(run, message)) return;
  }
}

/** Where the reader stands. A gap needs nothing: the stream ends with it and is opened again from there. */
class Reader {
  #cursor: StreamCursor;
  #caughtUp = false;

  constructor(cursor: StreamCursor) {
    this.#cursor = cursor;
  }

  get seq(): number {
    return this.#cursor.seq;
  }

  /** Null for what was seen before. */
  take({ event, delta, caught_up }: SubscribeEventsResponse__Output): SessionMessage | null {
    if (event) return this.#event(event);
    if (delta) return this.#delta(delta);
    if (!caught_up || this.#caughtUp) return null;
    this.#caughtUp = true;
    return { event: "caught_up", data: { last_seq: caught_up.last_seq } };
  }

  #event(event: EventRecord__Output): SessionMessage | null {
    if (event.seq <= this.#cursor.seq) return null;
    this.#cursor = { seq: event.seq, delta: null };
    return { event: event.type, data: eventRow(event) };
  }

  #delta(delta: Delta__Output): SessionMessage | null {
    if (isSeen(this.#cursor, delta)) return null;
    const { step, attempt, chunk }: DeltaPlace = delta;
    this.#cursor = { seq: this.#cursor.seq, delta: { step, attempt, chunk } };
    return { event: "delta", data: deltaRow(delta) };
  }
}

function eventRow({ seq, type, at_ms, run_id, step, origin, data_json }: EventRecord__Output): EventRow {
  return {
    seq,
    type,
    at: new Date(at_ms).toISOString(),
    ...(run_id === "" ? {} : { run_id, step }),
    origin,
    data: JSON.parse(data_json) as EventRow["data"],
  };
}

function deltaRow({ call_id, name, kind, ...delta }: Delta__Output): DeltaRow {
  return { ...delta, kind: kind as DeltaRow["kind"], ...(call_id === "" ? {} : { call_id, name }) };
}
