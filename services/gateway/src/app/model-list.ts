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

/** Callers whose agents are kept. */
const CALLERS_MAX = 1_000;

interface Fresh<T> {
  readonly value: T;
  readonly fetchedMs: number;
}

export class ModelList {
  readonly #catalogue: ModelCatalogue;
  readonly #engine: EngineApi;
  readonly #clock: Clock;
  #models: Fresh<readonly ModelInfo[]> | null = null;
  /** Agents differ by tenant and by what the caller may see. */
  readonly #agents = new Map<string, Fresh<readonly string[]>>();

  constructor(catalogue: ModelCatalogue, engine: EngineApi, clock: Clock) {
    this.#catalogue = catalogue;
    this.#engine = engine;
    this.#clock = clock;
  }

  async list(caller: Caller): Promise<ListedModel[]> {
    const [models, agents] = await Promise.all([this.#allModels(), this.#agentsOf(caller)]);
    const available = models.filter((model) => model.available);
    const names = new Set(available.flatMap(({ name, labels }) => [name, ...labels]));
    return [
      ...agents.map((name) => listed(`agent/${name}`, "mainspring")),
      ...[...names].map((name) => listed(name, available.find((model) => model.name === name)?.provider ?? "label")),
    ];
  }

  /** Throws `not_found` with what there is when the agent or model is not known, `failed_precondition` when it has no key. */
  async check(caller: Caller, agent: string, model: string): Promise<void> {
    if (agent !== "") {
      if ((await this.#agentsOf(caller)).includes(agent)) return;
      // It may be new.
      this.#agents.delete(keyOf(caller));
      const agents = await this.#agentsOf(caller);
      if (agents.includes(agent)) return;
      throw unknownModel(
        `agent/${agent}`,
        agents.map((name) => `agent/${name}`),
      );
    }
    const models = await this.#allModels();
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

  /** Agents were changed here: what is kept is old. */
  forgetAgents(): void {
    this.#agents.clear();
  }

  async #allModels(): Promise<readonly ModelInfo[]> {
    if (this.#models !== null && this.#isFresh(this.#models)) return this.#models.value;
    const value = await this.#catalogue.list();
    this.#models = { value, fetchedMs: this.#clock.monotonicMs() };
    return value;
  }

  async #agentsOf(caller: Caller): Promise<readonly string[]> {
    const key = keyOf(caller);
    const kept = this.#agents.get(key);
    if (kept !== undefined && this.#isFresh(kept)) return kept.value;
    const value = (await this.#engine.listAgents(caller)).map(({ name }) => name);
    if (this.#agents.size >= CALLERS_MAX) this.#agents.clear();
    this.#agents.set(key, { value, fetchedMs: this.#clock.monotonicMs() });
    return value;
  }

  #isFresh({ fetchedMs }: Fresh<unknown>): boolean {
    return this.#clock.monotonicMs() - fetchedMs < FRESH_MS;
  }
}

function keyOf({ tenant, scopes }: Caller): string {
  return `${tenant} ${scopes.includes("admin")}`;
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
