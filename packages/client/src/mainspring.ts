/**
 * A Mainspring server as a program uses it. The same interface is there without a server: `createMainspring` of
 * `@mainspring/cli` runs all of it in the process.
 */
import { ApiClient } from "./api-client.ts";
import type { ApiClientOptions } from "./api-client.ts";
import { Experiments } from "./experiments.ts";
import { Agents, Runs, Sessions, Traces } from "./resources.ts";
import { Responses } from "./responses.ts";
import { Spaces } from "./spaces.ts";

export interface MainspringOptions extends ApiClientOptions {
  /** Called by `close`. */
  readonly onClose?: () => Promise<void>;
}

/** Every method rejects with a MainspringError: `code`, `reason` and `message` as the server said. */
export class Mainspring {
  /** For routes that have no method here. */
  readonly api: ApiClient;
  readonly responses: Responses;
  readonly sessions: Sessions;
  readonly runs: Runs;
  readonly agents: Agents;
  readonly spaces: Spaces;
  readonly experiments: Experiments;
  readonly traces: Traces;
  readonly #onClose: () => Promise<void>;

  constructor(options: MainspringOptions) {
    const api = new ApiClient(options);
    this.api = api;
    this.responses = new Responses(api);
    this.sessions = new Sessions(api);
    this.runs = new Runs(api);
    this.agents = new Agents(api);
    this.spaces = new Spaces(api);
    this.experiments = new Experiments(api);
    this.traces = new Traces(api);
    this.#onClose = options.onClose ?? (async () => undefined);
  }

  /** Ends what was started for it; nothing for a server that runs by itself. */
  close(): Promise<void> {
    return this.#onClose();
  }
}
