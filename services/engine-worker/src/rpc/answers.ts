/** Domain values in the shapes of the contract. */
import type { RunView } from "../domain/run-view.ts";
import type { SessionEvent } from "../domain/events.ts";
import type { StreamItem } from "../app/subscribe.ts";
import type { Head } from "../ports/session-store.ts";

export function toSessionInfo(head: Head) {
  return {
    session_id: head.session,
    agent: head.agent,
    title: head.title,
    status: head.status,
    created_at_ms: head.createdAt,
    updated_at_ms: head.updatedAt,
    last_run_id: head.lastRun,
    status_reason: head.statusReason,
  };
}

export function toRunInfo(session: string, view: RunView) {
  return {
    run_id: view.run,
    session_id: session,
    status: view.status,
    client_run_id: view.clientRunId,
    agent: view.spec?.agent ?? "",
    model: view.spec?.model ?? "",
    created_at_ms: view.createdAt,
    ended_at_ms: view.endedAt,
    error_json: view.error === null ? "" : JSON.stringify(view.error),
    usage: { ...view.usage },
    steps: view.steps,
    first_seq: view.firstSeq,
    last_seq: view.lastSeq,
    traceparent: view.trace,
  };
}

export function toEventRecord(event: SessionEvent) {
  return {
    seq: event.seq,
    type: event.type,
    at_ms: event.at,
    run_id: event.run ?? "",
    step: event.step ?? 0,
    origin: event.origin,
    data_json: JSON.stringify(event.data),
  };
}

export function toStreamItem(item: StreamItem) {
  if ("event" in item) return { event: toEventRecord(item.event) };
  if ("gap" in item) return { gap: { last_seq: item.gap.lastSeq } };
  if ("caughtUp" in item) return { caught_up: { last_seq: item.caughtUp.lastSeq } };
  const { run, step, attempt, chunk, item: ordinal, kind, offset, text, callId, name } = item.delta;
  return {
    delta: {
      run_id: run,
      step,
      attempt,
      chunk,
      item: ordinal,
      kind,
      offset,
      text,
      call_id: callId ?? "",
      name: name ?? "",
    },
  };
}
