/** Sessions, runs, agents and traces. */
import type { ApiClient } from "./api-client.ts";
import { followSession } from "./follow.ts";
import type { FollowOptions } from "./follow.ts";
import { given, paged, written } from "./settings.ts";
import type { CallSettings, PageSettings, WriteSettings } from "./settings.ts";
import type { AgentView, EventRow, ListPage, RunView, SessionMessage, SessionView, TraceView } from "./views.ts";

export class Sessions {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  create(session: { readonly agent?: string; readonly title?: string } = {}, settings: WriteSettings = {}) {
    return this.#api.post<SessionView>("/v1/sessions", session, written(settings));
  }

  get(id: string, settings: CallSettings = {}): Promise<SessionView> {
    return this.#api.get(`/v1/sessions/${id}`, settings);
  }

  /** The latest first. */
  list(settings: PageSettings = {}): Promise<ListPage<SessionView>> {
    return this.#api.get("/v1/sessions", paged(settings));
  }

  delete(id: string): Promise<void> {
    return this.#api.delete(`/v1/sessions/${id}`);
  }

  /** A page of the log. */
  log(id: string, settings: PageSettings & { readonly run?: string } = {}): Promise<ListPage<EventRow>> {
    const { query, ...call } = paged(settings);
    return this.#api.get(`/v1/sessions/${id}/events`, {
      ...call,
      query: { ...query, ...given({ run: settings.run }) },
    });
  }

  /**
   * Events as they happen and, between them, pieces of output that are not committed yet; across broken connections, none
   * missed and none twice. With `run` it ends with that run, else never.
   */
  events(id: string, options: Partial<FollowOptions> = {}): AsyncGenerator<SessionMessage> {
    const { run = "", after = "", signal = new AbortController().signal } = options;
    return followSession(this.#api, id, { ...options, run, after, signal });
  }
}

export interface NewRun {
  /** A text, or items in the shapes of the Responses API. */
  readonly input: string | readonly object[];
  readonly agent?: string;
  readonly model?: string;
  readonly instructions?: string;
  /** `run` (default): a turn of its own, after the one under way. `steer`: joins that. */
  readonly mode?: "run" | "steer";
  readonly steps_max?: number;
  readonly params?: Readonly<Record<string, unknown>>;
}

export class Runs {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Accepted, not ended: `sessions.events` follows it. */
  start(session: string, run: NewRun, settings: WriteSettings = {}): Promise<RunView> {
    return this.#api.post(`/v1/sessions/${session}/runs`, run, written(settings));
  }

  get(id: string, settings: CallSettings = {}): Promise<RunView> {
    return this.#api.get(`/v1/runs/${id}`, settings);
  }

  /** The latest first. */
  list(session: string, settings: PageSettings = {}): Promise<ListPage<RunView>> {
    return this.#api.get(`/v1/sessions/${session}/runs`, paged(settings));
  }

  /** Resolves when nothing of the run can start any more. */
  async cancel(id: string, reason = ""): Promise<void> {
    await this.#api.post(`/v1/runs/${id}/cancel`, { reason });
  }
}

export interface NewAgent {
  readonly description?: string;
  readonly model?: string;
  readonly instructions?: string;
  readonly tools?: "*" | readonly string[];
  readonly memory?: string;
  readonly exported?: boolean;
}

export class Agents {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async list(settings: CallSettings = {}): Promise<readonly AgentView[]> {
    return (await this.#api.get<ListPage<AgentView>>("/v1/agents", settings)).data;
  }

  get(name: string, settings: CallSettings = {}): Promise<AgentView> {
    return this.#api.get(`/v1/agents/${encodeURIComponent(name)}`, settings);
  }

  /** Makes it, or replaces one of the same name. Admins only. */
  put(name: string, agent: NewAgent, settings: CallSettings = {}): Promise<AgentView> {
    return this.#api.put(`/v1/agents/${encodeURIComponent(name)}`, agent, settings);
  }

  delete(name: string): Promise<void> {
    return this.#api.delete(`/v1/agents/${encodeURIComponent(name)}`);
  }
}

export class Traces {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** The spans of a recent run; its `trace_id` names them. */
  get(id: string, settings: CallSettings = {}): Promise<TraceView> {
    return this.#api.get(`/v1/traces/${id}`, settings);
  }
}
