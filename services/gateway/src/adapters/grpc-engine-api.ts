/** The engine over its contract. */
import type { CallOptions, EngineClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { parseTraceparent } from "@mainspring/service-kit";
import type { ArtifactStore } from "@mainspring/service-kit";

import type { FeedDelta, FeedEvent, FeedItem } from "../domain/run-feed.ts";
import type {
  AgentInfo,
  Caller,
  EngineApi,
  EventsPage,
  Page,
  RunInfo,
  RunWithSpec,
  SessionInfo,
  Submitted,
  SubmitRequest,
  SubscribeRequest,
} from "../ports/engine-api.ts";

const CALL_TIMEOUT_MS = 15_000;
/** Longer than the engine's own wait for an effective cancel. */
const CANCEL_TIMEOUT_MS = 20_000;
/** Items larger than this travel as an artifact. */
const ITEMS_CHARS_MAX = 512 * 1024;

type Answer<M extends keyof EngineClient> = EngineClient[M] extends (...args: never[]) => Promise<infer R> ? R : never;
type WireSession = NonNullable<Answer<"GetSession">["session"]>;
type WireRun = NonNullable<Answer<"GetRun">["run"]>;
type WireEvent = Answer<"ReadEvents">["events"][number];

export class GrpcEngineApi implements EngineApi {
  readonly #engine: EngineClient;
  readonly #artifacts: ArtifactStore;

  constructor(engine: EngineClient, artifacts: ArtifactStore) {
    this.#engine = engine;
    this.#artifacts = artifacts;
  }

  async createSession(caller: Caller, agent: string, title: string, idempotencyKey: string): Promise<SessionInfo> {
    const request = { agent, title, idempotency_key: idempotencyKey };
    return toSession((await this.#engine.CreateSession(request, options(caller))).session);
  }

  async submit(caller: Caller, request: SubmitRequest): Promise<Submitted> {
    const itemsJson = JSON.stringify(request.items);
    const large = itemsJson.length > ITEMS_CHARS_MAX;
    const artifact = large ? await this.#artifacts.put(caller.tenant, new TextEncoder().encode(itemsJson)) : "";
    const submitted = this.#engine.SubmitInput(
      {
        session_id: request.sessionId,
        client_run_id: request.clientRunId,
        mode: request.mode,
        items_json: large ? "" : itemsJson,
        items_artifact: artifact,
        spec_json: JSON.stringify(request.spec),
        title: request.title,
        idempotency_key: request.idempotencyKey,
      },
      options(caller),
    );
    const answer = await submitted.catch(rethrowNamed);
    const { session_id, run_id, after_seq, created } = answer;
    return { sessionId: session_id, runId: run_id, afterSeq: after_seq, created };
  }

  async cancelRun(caller: Caller, runId: string, reason: string, waitEffective: boolean): Promise<string> {
    const request = { run_id: runId, reason, wait_effective: waitEffective };
    return (await this.#engine.CancelRun(request, options(caller, CANCEL_TIMEOUT_MS))).receipt;
  }

  async getSession(caller: Caller, sessionId: string): Promise<SessionInfo> {
    return toSession((await this.#engine.GetSession({ session_id: sessionId }, options(caller))).session);
  }

  async listSessions(caller: Caller, pageSize: number, pageToken: string): Promise<Page<SessionInfo>> {
    const request = { page_size: pageSize, page_token: pageToken };
    const answer = await this.#engine.ListSessions(request, options(caller)).catch(rethrowNamed);
    return { items: answer.sessions.map(toSession), nextToken: answer.next_page_token };
  }

  async deleteSession(caller: Caller, sessionId: string): Promise<void> {
    await this.#engine.DeleteSession({ session_id: sessionId }, options(caller));
  }

  async reopenSession(caller: Caller, sessionId: string): Promise<void> {
    await this.#engine.ReopenSession({ session_id: sessionId }, options(caller));
  }

  async getRun(caller: Caller, runId: string): Promise<RunWithSpec> {
    const answer = await this.#engine.GetRun({ run_id: runId }, options(caller));
    return { ...toRun(answer.run!), spec: JSON.parse(answer.spec_json) as RunWithSpec["spec"] };
  }

  async listRuns(caller: Caller, sessionId: string, pageSize: number, pageToken: string): Promise<Page<RunInfo>> {
    const request = { session_id: sessionId, page_size: pageSize, page_token: pageToken };
    const answer = await this.#engine.ListRuns(request, options(caller)).catch(rethrowNamed);
    return { items: answer.runs.map(toRun), nextToken: answer.next_page_token };
  }

  async readEvents(
    caller: Caller,
    sessionId: string,
    afterSeq: number,
    pageSize: number,
    runId: string,
  ): Promise<EventsPage> {
    const request = { session_id: sessionId, after_seq: afterSeq, page_size: pageSize, run_id: runId };
    const answer = await this.#engine.ReadEvents(request, options(caller));
    return { events: answer.events.map(toEvent), lastSeq: answer.last_seq, atTip: answer.at_tip };
  }

  async *subscribe(caller: Caller, request: SubscribeRequest, signal: AbortSignal): AsyncIterable<FeedItem> {
    const { sessionId, afterSeq, runId, follow, deltas } = request;
    const stream = this.#engine.SubscribeEvents(
      { session_id: sessionId, after_seq: afterSeq, run_id: runId, follow, deltas },
      { ...callerOptions(caller), signal },
    );
    for await (const message of stream) {
      if (message.event) yield { event: toEvent(message.event) };
      else if (message.delta) yield { delta: toDelta(message.delta) };
      else if (message.gap) yield { gap: { lastSeq: message.gap.last_seq } };
      else if (message.caught_up) yield { caughtUp: { lastSeq: message.caught_up.last_seq } };
    }
  }

  async listAgents(caller: Caller): Promise<readonly AgentInfo[]> {
    return (await this.#engine.ListAgents({}, options(caller))).agents;
  }

  async getAgent(caller: Caller, name: string): Promise<AgentInfo> {
    return (await this.#engine.GetAgent({ name }, options(caller))).agent!;
  }

  async putAgent(
    caller: Caller,
    definition: unknown,
    replaces: boolean,
  ): Promise<{ agent: AgentInfo; created: boolean }> {
    const request = { definition_json: JSON.stringify(definition), replace: replaces };
    const { agent, created } = await this.#engine.PutAgent(request, options(caller));
    return { agent: agent!, created };
  }

  async deleteAgent(caller: Caller, name: string): Promise<void> {
    await this.#engine.DeleteAgent({ name }, options(caller));
  }
}

const NAMES: readonly (readonly [wire: RegExp, sent: string])[] = [
  [/\bitems_json\b/, "input"],
  [/\bspec_json\.client_tools\b/, "tools"],
  [/\bspec_json\./, ""],
  [/\bspec_json\b/, "the request body"],
  [/\bclient_run_id\b/, "the Idempotency-Key or client_run_id"],
  [/\bpage_token\b/, "after"],
];

/** Fields by the names under which callers send them. */
function inCallersNames(text: string): string {
  return NAMES.reduce((renamed, [wire, sent]) => renamed.replace(wire, sent), text);
}

function rethrowNamed(error: unknown): never {
  if (!(error instanceof MainspringError)) throw error;
  const { code, reason, param, retry } = error;
  throw new MainspringError(code, inCallersNames(error.message), {
    cause: error,
    retry,
    ...(reason === undefined ? {} : { reason }),
    ...(param === undefined ? {} : { param: inCallersNames(param) }),
  });
}

function callerOptions({ tenant, subject, scopes, traceparent }: Caller): CallOptions {
  return { principal: { tenant, subject, scopes }, traceparent };
}

function options(caller: Caller, timeoutMs = CALL_TIMEOUT_MS): CallOptions {
  return { ...callerOptions(caller), timeoutMs };
}

function toSession(session: WireSession | null): SessionInfo {
  const { session_id, agent, title, status, status_reason, last_run_id, created_at_ms, updated_at_ms } = session!;
  return {
    id: session_id,
    agent,
    title,
    status,
    statusReason: status_reason,
    lastRunId: last_run_id,
    createdAt: created_at_ms,
    updatedAt: updated_at_ms,
  };
}

function toRun(run: WireRun): RunInfo {
  return {
    id: run.run_id,
    sessionId: run.session_id,
    status: run.status,
    clientRunId: run.client_run_id,
    agent: run.agent,
    model: run.model,
    createdAt: run.created_at_ms,
    endedAt: run.ended_at_ms,
    error: run.error_json === "" ? null : (JSON.parse(run.error_json) as RunInfo["error"]),
    usage: { ...run.usage },
    steps: run.steps,
    firstSeq: run.first_seq,
    lastSeq: run.last_seq,
    traceId: parseTraceparent(run.traceparent)?.traceId ?? "",
  };
}

function toEvent({ seq, type, at_ms, run_id, step, origin, data_json }: WireEvent): FeedEvent {
  return { seq, type, at: at_ms, run: run_id, step, origin, data: JSON.parse(data_json) as FeedEvent["data"] };
}

interface WireDelta {
  readonly run_id: string;
  readonly step: number;
  readonly attempt: number;
  readonly chunk: number;
  readonly item: number;
  readonly kind: string;
  readonly offset: number;
  readonly text: string;
  readonly call_id: string;
  readonly name: string;
}

function toDelta({ run_id, step, attempt, chunk, item, kind, offset, text, call_id, name }: WireDelta): FeedDelta {
  const base = { run: run_id, step, attempt, chunk, item, offset, text, callId: call_id, name };
  return { ...base, kind: kind as FeedDelta["kind"] };
}
