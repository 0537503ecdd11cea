/** Spaces: what is remembered in them, what they are called, and who may use them. */
import type { ApiClient } from "./api-client.ts";
import { given, paged, written } from "./settings.ts";
import type { CallSettings, PageSettings, WriteSettings } from "./settings.ts";
import { spacePath } from "./views.ts";
import type {
  ForgottenView,
  KipRequest,
  KipResponseView,
  ListPage,
  PinnedView,
  RecallView,
  RememberedView,
  SpaceTokenView,
  SpaceView,
} from "./views.ts";

export interface NewSpace {
  /** Default: whose key it is. */
  readonly owner?: string;
  /** 0 to 12: formation takes up to 10^(tier+2) concepts or conversations; default 2. */
  readonly tier?: number;
  /** Default: the least loaded one. */
  readonly shard?: number;
}

/** What is left out stays as it is. */
export interface SpaceChange {
  readonly name?: string;
  readonly description?: string;
  /** Whether anybody may read. */
  readonly public?: boolean;
  /** 0 to 12; takes an admin key. */
  readonly tier?: number;
}

export interface KipSettings extends WriteSettings {
  /** Let it write; takes a CWT with the scope `*`, or an admin key. */
  readonly write?: boolean;
}

export interface NewSpaceToken {
  readonly name: string;
  /** Scopes do not nest: only `*` reads and writes. */
  readonly scope: "read" | "write" | "*";
  /** Unix milliseconds; default never. */
  readonly expires_at?: number;
  readonly labels?: readonly string[];
}

interface Envelope<T> {
  readonly result: T;
}

export class Spaces {
  readonly #api: ApiClient;
  /** Takes a CWT with the scope `write` or `*`, or an admin key. */
  readonly tokens: SpaceTokens;

  constructor(api: ApiClient) {
    this.#api = api;
    this.tokens = new SpaceTokens(api);
  }

  create(id: string, settings: CallSettings & NewSpace = {}): Promise<SpaceView> {
    const { signal, ...wish } = settings;
    return this.#api.post("/v1/spaces", { id, ...wish }, signalled(signal));
  }

  get(id: string, settings: CallSettings = {}): Promise<SpaceView> {
    return this.#api.get(spacePath(id), settings);
  }

  list(settings: PageSettings = {}): Promise<ListPage<SpaceView>> {
    return this.#api.get("/v1/spaces", paged(settings));
  }

  /** Changes what is given, the tier first. Takes a CWT with the scope `write` or `*`, or an admin key. */
  async update(id: string, { tier, ...change }: SpaceChange, settings: CallSettings = {}): Promise<SpaceView> {
    if (tier !== undefined) {
      await this.#api.post(`/admin/${encodeURIComponent(id)}/update_space_tier`, { tier }, settings);
    }
    if (Object.values(change).some((value) => value !== undefined)) {
      await this.#api.patch(spacePath(id, "/management/update_space"), change, settings);
    }
    return this.get(id, settings);
  }

  /** Removes it with everything in it. Takes an admin key. */
  delete(id: string, settings: CallSettings = {}): Promise<void> {
    return this.#api.delete(spacePath(id), settings);
  }

  /** A command, or a whole KIP request. One that fails is an answer, with `status` and `error`. */
  async kip(id: string, request: KipRequest, settings: KipSettings = {}): Promise<KipResponseView> {
    const { write = false, ...call } = settings;
    return this.#api.post(spacePath(id, write ? "/execute_kip" : "/execute_kip_readonly"), request, written(call));
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

  /** Erases elements for good, at most 1,000; with `dryRun` it says what would be erased. */
  async forget(
    id: string,
    entities: readonly string[],
    settings: CallSettings & { readonly dryRun?: boolean } = {},
  ): Promise<ForgottenView> {
    const body = { entities, dry_run: settings.dryRun ?? false };
    const path = spacePath(id, "/memory/forget");
    return (await this.#api.post<Envelope<ForgottenView>>(path, body, signalled(settings.signal))).result;
  }

  /** Keeps an element out of archival, or (`pinned: false`) lets it in again. */
  async pin(
    id: string,
    entity: string,
    settings: CallSettings & { readonly pinned?: boolean } = {},
  ): Promise<PinnedView> {
    const body = { entity, pinned: settings.pinned ?? true };
    const path = spacePath(id, "/memory/pin");
    return (await this.#api.post<Envelope<PinnedView>>(path, body, signalled(settings.signal))).result;
  }
}

export class SpaceTokens {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Of each token the first characters only. */
  async list(space: string, settings: CallSettings = {}): Promise<readonly SpaceTokenView[]> {
    const path = spacePath(space, "/management/space_tokens");
    return (await this.#api.get<Envelope<readonly SpaceTokenView[]>>(path, settings)).result;
  }

  /** The only answer with the whole token. */
  async add(space: string, token: NewSpaceToken, settings: CallSettings = {}): Promise<SpaceTokenView> {
    const path = spacePath(space, "/management/add_space_token");
    return (await this.#api.post<Envelope<SpaceTokenView>>(path, token, settings)).result;
  }

  /** By its value or its name. False: there was none. */
  async revoke(
    space: string,
    token: { readonly token: string } | { readonly name: string },
    settings: CallSettings = {},
  ): Promise<boolean> {
    const path = spacePath(space, "/management/revoke_space_token");
    return (await this.#api.post<Envelope<boolean>>(path, token, settings)).result;
  }
}

const signalled = (signal: AbortSignal | undefined): CallSettings => (signal === undefined ? {} : { signal });
