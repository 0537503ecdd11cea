/** The models and agents that a caller may name. */
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import type { Caller, EngineApi } from "../ports/engine-api.ts";
import type { ModelCatalogue, ModelInfo } from "../ports/model-catalogue.ts";

/** How long the lists are kept. */
const FRESH_MS = 5_000;

export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  readonly created: number;
  readonly owned_by: string;
}

interface Known {
  readonly models: readonly ModelInfo[];
  readonly agents: readonly string[];
}

export class ModelList {
  readonly #catalogue: ModelCatalogue;
  readonly #engine: EngineApi;
  readonly #clock: Clock;
  #known: Known | null = null;
  #fetchedMs = -Infinity;

  constructor(catalogue: ModelCatalogue, engine: EngineApi, clock: Clock) {
    this.#catalogue = catalogue;
    this.#engine = engine;
    this.#clock = clock;
  }

  async list(caller: Caller): Promise<ListedModel[]> {
    const { models, agents } = await this.#look(caller);
    const available = models.filter((model) => model.available);
    const names = new Set(available.flatMap(({ name, labels }) => [name, ...labels]));
    return [
      ...agents.map((name) => listed(`agent/${name}`, "mainspring")),
      ...[...names].map((name) => listed(name, available.find((model) => model.name === name)?.provider ?? "label")),
    ];
  }

  /** Throws `not_found` with what there is when the agent or model is not known, `failed_precondition` when it has no key. */
  async check(caller: Caller, agent: string, model: string): Promise<void> {
    const { models, agents } = await this.#look(caller);
    if (agent !== "") {
      if (agents.includes(agent)) return;
      throw unknownModel(
        `agent/${agent}`,
        agents.map((name) => `agent/${name}`),
      );
    }
    const found = models.find(({ name, labels }) => name === model || labels.includes(model));
    if (found === undefined)
      throw unknownModel(
        model,
        models.map(({ name }) => name),
      );
    if (found.available) return;
    throw new MainspringError(
      "failed_precondition",
      `the model ${model} is not available: ${found.unavailableReason}`,
      {
        param: "model",
        reason: "model_not_available",
      },
    );
  }

  async #look(caller: Caller): Promise<Known> {
    const now = this.#clock.monotonicMs();
    if (this.#known !== null && now - this.#fetchedMs < FRESH_MS) return this.#known;
    const [models, agents] = await Promise.all([this.#catalogue.list(), this.#engine.listAgents(caller)]);
    this.#known = { models, agents: agents.map(({ name }) => name) };
    this.#fetchedMs = now;
    return this.#known;
  }
}

function listed(id: string, ownedBy: string): ListedModel {
  return { id, object: "model", created: 0, owned_by: ownedBy };
}

function unknownModel(name: string, known: readonly string[]): MainspringError {
  return new MainspringError("not_found", `there is no model ${JSON.stringify(name)}; there are ${known.join(", ")}`, {
    param: "model",
    reason: "model_not_found",
  });
}
