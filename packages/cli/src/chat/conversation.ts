/** One session with an agent, as a chat needs it: say something, say something while it works, stop it, watch it. */
import { followSession } from "@mainspring/client";
import type { ApiClient, RunView, SessionMessage, SessionView } from "@mainspring/client";

import { brief } from "../output.ts";

const TITLE_CHARS = 80;

export interface ChatSettings {
  /** Agent that answers; the session's own when it is undefined and a session is continued. */
  readonly agent: string | undefined;
  /** In place of the agent's own. */
  readonly model: string | undefined;
  /** Session to continue. */
  readonly session: string | undefined;
}

export class Conversation {
  readonly #client: ApiClient;
  readonly #settings: ChatSettings;
  #session: string;
  /** The server knows it: it made it, or took words for it. */
  #known = false;

  constructor(client: ApiClient, settings: ChatSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#session = settings.session ?? "";
  }

  /** Empty before the first words. */
  get session(): string {
    return this.#session;
  }

  /** There is something to go on with. */
  get isKnown(): boolean {
    return this.#known;
  }

  /** The next words begin a new session. */
  begin(): void {
    this.#session = "";
    this.#known = false;
  }

  /** Starts a run, or with `steer` joins the one under way. Resolves with the run that it is part of. */
  async say(input: string, mode: "run" | "steer"): Promise<string> {
    const { agent, model } = this.#settings;
    if (this.#session === "") {
      const title = brief(input, TITLE_CHARS);
      this.#session = (await this.#client.post<SessionView>("/v1/sessions", { agent, title })).id;
      this.#known = true;
    }
    const started = await this.#client.post<RunView>(`/v1/sessions/${this.#session}/runs`, {
      input,
      mode,
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
    });
    this.#known = true;
    return started.id;
  }

  async cancel(run: string): Promise<void> {
    await this.#client.post(`/v1/runs/${run}/cancel`, { reason: "interrupted" });
  }

  /** Everything of the run from its first event to its end. */
  follow(run: string): AsyncGenerator<SessionMessage> {
    return followSession(this.#client, this.#session, { run, after: "", signal: new AbortController().signal });
  }
}
