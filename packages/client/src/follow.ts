/** A session's events as they happen, across broken connections: the stream goes on behind the last event seen. */
import { backoffMs, MainspringError, sleep, systemClock } from "@mainspring/kernel";

import type { EventSourceMessage } from "eventsource-parser";

import type { ApiClient } from "./api-client.ts";
import type { EventRow, SessionMessage } from "./views.ts";

const RETRY = { firstMs: 100, maxMs: 2_000, jitter: 0 };
/** Tries in a row without an event before the server counts as gone; about half a minute. */
const RETRIES_MAX = 20;

export interface FollowOptions {
  /** Only this run; the stream then ends with it. Empty for everything, without an end. */
  readonly run: string;
  /** Cursor: a seq, or the id of an event of the stream. */
  readonly after: string;
  readonly signal: AbortSignal;
}

export async function* followSession(
  client: ApiClient,
  session: string,
  { run, after, signal }: FollowOptions,
): AsyncGenerator<SessionMessage> {
  const path = `/v1/sessions/${session}/events`;
  let cursor = after;
  const open = (): AsyncGenerator<EventSourceMessage> =>
    client.stream(path, { query: run === "" ? {} : { run }, lastEventId: cursor, signal });
  for await (const { event, id, data } of persistently(client, open, signal)) {
    if (id !== undefined) cursor = id;
    const message = { event: event ?? "", data: JSON.parse(data) } as SessionMessage;
    yield message;
    if (run !== "" && isEnd(message, run)) return;
  }
}

/** Opens a stream again and again: its reader leaves when it has seen the end. Throws when nothing comes any more. */
export async function* persistently(
  client: ApiClient,
  open: () => AsyncGenerator<EventSourceMessage>,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  for (let retry = 0; ; retry += 1) {
    try {
      for await (const event of open()) {
        retry = 0;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof MainspringError) || error.code !== "unavailable" || retry >= RETRIES_MAX) throw error;
    }
    if (retry >= RETRIES_MAX) throw new MainspringError("unavailable", `${client.url} keeps ending the stream`);
    await sleep(systemClock, backoffMs(RETRY, retry, 0), signal);
  }
}

const ENDS: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled", "run.exhausted"]);

function isEnd({ event, data }: SessionMessage, run: string): boolean {
  return ENDS.has(event) && (data as EventRow).run_id === run;
}
