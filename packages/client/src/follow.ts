/** A session's events as they happen, across broken connections: the stream goes on behind the last event seen. */
import type { EventSourceMessage } from "eventsource-parser";

import type { ApiClient } from "./api-client.ts";
import { isEndOf, persistently } from "./persistently.ts";
import type { SessionMessage } from "./views.ts";

export interface FollowOptions {
  /** Only this run; the stream then ends with it. Empty for everything, without an end. */
  readonly run: string;
  /** Cursor: a seq, or the id of an event of the stream. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** The stream broke off and is opened again: how often in a row without an event, from 1. */
  readonly onRetry?: (tries: number) => void;
}

export async function* followSession(
  client: ApiClient,
  session: string,
  { run, after, signal, onRetry }: FollowOptions,
): AsyncGenerator<SessionMessage> {
  const path = `/v1/sessions/${session}/events`;
  let cursor = after;
  let caughtUp = false;
  const open = (): AsyncGenerator<EventSourceMessage> =>
    client.stream(path, { query: run === "" ? {} : { run }, lastEventId: cursor, signal });
  for await (const { event, id, data } of persistently(client.url, open, signal, onRetry)) {
    if (id !== undefined) cursor = id;
    const message = { event: event ?? "", data: JSON.parse(data) } as SessionMessage;
    // A stream that is opened again says so again.
    if (message.event === "caught_up" && caughtUp) continue;
    caughtUp ||= message.event === "caught_up";
    yield message;
    if (isEndOf(run, message)) return;
  }
}
