/** Sessions, runs, agents, Spaces and traces. */
import type { ApiClient } from "./api-client.ts";
import { followSession } from "./follow.ts";
import type { FollowOptions } from "./follow.ts";
import { spacePath } from "./views.ts";
import type {
  AgentView,
  EventRow,
  ListPage,
  RecallView,
  RememberedView,
  RunView,
  SessionMessage,
  SessionView,
  SpaceView,
  TraceView,
} from "./views.ts";

export interface CallSettings {
  readonly signal?: AbortSignal;
}
export interface WriteSettings extends CallSettings {
  /** A repeat under the same key finds what the first one made. */
  readonly idempotencyKey?: string;
}
export interface PageSettings extends CallSettings {
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

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
    return followSession(this.#api, id, { run, after, signal });
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

export class Spaces {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  create(id: string, settings: CallSettings = {}): Promise<SpaceView> {
    return this.#api.post("/v1/spaces", { id }, settings);
  }

  get(id: string, settings: CallSettings = {}): Promise<SpaceView> {
    return this.#api.get(spacePath(id), settings);
  }

  list(settings: PageSettings = {}): Promise<ListPage<SpaceView>> {
    return this.#api.get("/v1/spaces", paged(settings));
  }

  /** The passages that fit best, with what they come from. */
  async recall(id: string, query: string, settings: PageSettings = {}): Promise<RecallView["data"]> {
    const { query: page, ...call } = paged(settings);
    return (await this.#api.get<RecallView>(spacePath(id, "/memories"), { ...call, query: { ...page, query } })).data;
  }

  /** Keeps a text as evidence. `user`: who said it, default whose key it is. */
  remember(
    id: string,
    text: string,
    settings: WriteSettings & { readonly user?: string } = {},
  ): Promise<RememberedView> {
    const body = { text, ...given({ user: settings.user }) };
    return this.#api.post(spacePath(id, "/memories"), body, written(settings));
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

function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

export function written({ signal, idempotencyKey }: WriteSettings) {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
  };
}

export function paged({ signal, limit, after }: PageSettings) {
  const query = given({ limit: limit === undefined ? undefined : String(limit), after });
  return { query, ...(signal === undefined ? {} : { signal }) };
}
