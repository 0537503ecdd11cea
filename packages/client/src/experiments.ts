/** Experiments: models and agents over tasks, and what came of them. */
import type { EventSourceMessage } from "eventsource-parser";

import type { ApiClient } from "./api-client.ts";
import { persistently } from "./persistently.ts";
import { paged } from "./settings.ts";
import type { CallSettings, PageSettings } from "./settings.ts";
import type { AttemptView, ExperimentView, ListPage, ReportView } from "./views.ts";

export class Experiments {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /**
   * Runs an experiment: `name`, `subjects`, `tasks`, `repetitions`, as in a file of `mainspring eval run`. The same definition
   * is the same experiment, and only what it lacks is run. `concurrency`: cells at once, 1 to 1,000; default as many as
   * the server runs. Accepted, not ended: `follow` waits.
   */
  run(
    definition: Readonly<Record<string, unknown>>,
    settings: CallSettings & { readonly concurrency?: number } = {},
  ): Promise<ExperimentView> {
    const { concurrency, ...call } = settings;
    const body = { ...definition, ...(concurrency === undefined ? {} : { concurrency }) };
    return this.#api.post("/v1/experiments", body, call);
  }

  get(id: string, settings: CallSettings = {}): Promise<ExperimentView> {
    return this.#api.get(pathOf(id), settings);
  }

  /** The latest first. */
  list(settings: PageSettings = {}): Promise<ListPage<ExperimentView>> {
    return this.#api.get("/v1/experiments", paged(settings));
  }

  /** The experiment again whenever it has got further, across broken connections, until it has ended. */
  async *follow(
    id: string,
    { signal = new AbortController().signal }: CallSettings = {},
  ): AsyncGenerator<ExperimentView> {
    const open = (): AsyncGenerator<EventSourceMessage> =>
      this.#api.stream(pathOf(id), { query: { stream: "true" }, signal });
    for await (const { data } of persistently(this.#api.url, open, signal)) {
      const experiment = JSON.parse(data) as ExperimentView;
      yield experiment;
      if (hasEnded(experiment)) return;
    }
  }

  /** Nothing further of it starts, and its runs are cancelled. What has a result keeps it. */
  cancel(id: string, settings: CallSettings = {}): Promise<ExperimentView> {
    return this.#api.post(pathOf(id, "/cancel"), {}, settings);
  }

  /** Of what has a result so far. `baseline`: subject that the others are compared with, default the first. */
  report(id: string, settings: CallSettings & { readonly baseline?: string } = {}): Promise<ReportView> {
    const { baseline, ...call } = settings;
    return this.#api.get(pathOf(id, "/report"), { ...call, query: baseline === undefined ? {} : { baseline } });
  }

  /** Every attempt, by cell and number. */
  attempts(id: string, settings: PageSettings = {}): Promise<ListPage<AttemptView>> {
    return this.#api.get(pathOf(id, "/attempts"), paged(settings));
  }
}

const pathOf = (id: string, below = ""): string => `/v1/experiments/${encodeURIComponent(id)}${below}`;

const hasEnded = ({ status }: ExperimentView): boolean => status === "completed" || status === "cancelled";
