/** The engine as the gateway needs it. Calls are made on behalf of a principal; a foreign id is `not_found`. */
import type { FeedEvent, FeedItem } from "../domain/run-feed.ts";

export interface Caller {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** W3C traceparent, or empty. */
  readonly traceparent: string;
}

export interface SubmitRequest {
  /** Empty for a new session. */
  readonly sessionId: string;
  readonly clientRunId: string;
  readonly mode: "run" | "steer";
  readonly items: readonly unknown[];
  /** RunSpec request: agent, model, instructions, client_tools, params, steps_max, echo. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly idempotencyKey: string;
}

export interface Submitted {
  readonly sessionId: string;
  readonly runId: string;
  readonly afterSeq: number;
  readonly created: boolean;
}

export interface SessionInfo {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly status: string;
  readonly statusReason: string;
  readonly lastRunId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface RunInfo {
  readonly id: string;
  readonly sessionId: string;
  readonly status: string;
  readonly clientRunId: string;
  readonly agent: string;
  readonly model: string;
  readonly createdAt: number;
  readonly endedAt: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** 32 hex digits, or empty. */
  readonly traceId: string;
}

export interface RunWithSpec extends RunInfo {
  /** Null where the run has none yet. */
  readonly spec: {
    readonly echo?: Record<string, unknown>;
    readonly client_tools?: readonly { readonly name: string }[];
  } | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string;
}

export interface AgentInfo {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  /** One `*`: every tool. */
  readonly tools: readonly string[];
  readonly instructions: string;
  /** Space of its memory, or empty. */
  readonly memory: string;
  readonly exported: boolean;
  /** Comes with the server: nobody changes it. */
  readonly fixed: boolean;
  /** Why its runs would fail; empty when nothing is known to be wrong. */
  readonly problem: string;
}

export interface SubscribeRequest {
  readonly sessionId: string;
  readonly afterSeq: number;
  readonly runId: string;
  readonly follow: boolean;
  readonly deltas: boolean;
}

export interface EngineApi {
  createSession(caller: Caller, agent: string, title: string, idempotencyKey: string): Promise<SessionInfo>;
  submit(caller: Caller, request: SubmitRequest): Promise<Submitted>;
  cancelRun(caller: Caller, runId: string, reason: string, waitEffective: boolean): Promise<string>;
  getSession(caller: Caller, sessionId: string): Promise<SessionInfo>;
  listSessions(caller: Caller, pageSize: number, pageToken: string): Promise<Page<SessionInfo>>;
  deleteSession(caller: Caller, sessionId: string): Promise<void>;
  reopenSession(caller: Caller, sessionId: string): Promise<void>;
  getRun(caller: Caller, runId: string): Promise<RunWithSpec>;
  listRuns(caller: Caller, sessionId: string, pageSize: number, pageToken: string): Promise<Page<RunInfo>>;
  readEvents(caller: Caller, sessionId: string, afterSeq: number, pageSize: number, runId: string): Promise<EventsPage>;
  /** Ends when the engine ends it; throws `unavailable` when the engine that serves it goes away. */
  subscribe(caller: Caller, request: SubscribeRequest, signal: AbortSignal): AsyncIterable<FeedItem>;
  listAgents(caller: Caller): Promise<readonly AgentInfo[]>;
  getAgent(caller: Caller, name: string): Promise<AgentInfo>;
  /** `replaces`: else another definition under the same name is refused as `already_exists`. */
  putAgent(caller: Caller, definition: unknown, replaces: boolean): Promise<{ agent: AgentInfo; created: boolean }>;
  deleteAgent(caller: Caller, name: string): Promise<void>;
}

export interface EventsPage {
  readonly events: readonly FeedEvent[];
  readonly lastSeq: number;
  readonly atTip: boolean;
}
