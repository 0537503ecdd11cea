/** Sessions, runs and events as native routes show them. */
import type { FeedDelta, FeedEvent } from "../domain/run-feed.ts";
import type { RunInfo, SessionInfo } from "../ports/engine-api.ts";

export function sessionView(session: SessionInfo) {
  return {
    id: session.id,
    object: "session",
    agent: session.agent,
    title: session.title,
    status: session.status,
    ...(session.statusReason === "" ? {} : { status_reason: session.statusReason }),
    last_run_id: session.lastRunId === "" ? null : session.lastRunId,
    created_at: new Date(session.createdAt).toISOString(),
    updated_at: new Date(session.updatedAt).toISOString(),
  };
}

export function runView(run: RunInfo) {
  return {
    id: run.id,
    object: "run",
    session_id: run.sessionId,
    response_id: run.id.replace(/^run_/, "resp_"),
    status: run.status,
    client_run_id: run.clientRunId,
    agent: run.agent,
    model: run.model,
    steps: run.steps,
    usage: run.usage,
    error: run.error,
    trace_id: run.traceId === "" ? null : run.traceId,
    created_at: new Date(run.createdAt).toISOString(),
    ended_at: run.endedAt === 0 ? null : new Date(run.endedAt).toISOString(),
  };
}

export function eventView(event: FeedEvent) {
  return {
    seq: event.seq,
    type: event.type,
    at: new Date(event.at).toISOString(),
    ...(event.run === "" ? {} : { run_id: event.run, step: event.step }),
    origin: event.origin,
    data: event.data,
  };
}

export function deltaView(delta: FeedDelta) {
  return {
    run_id: delta.run,
    step: delta.step,
    attempt: delta.attempt,
    chunk: delta.chunk,
    item: delta.item,
    kind: delta.kind,
    offset: delta.offset,
    text: delta.text,
    ...(delta.callId === "" ? {} : { call_id: delta.callId, name: delta.name }),
  };
}
