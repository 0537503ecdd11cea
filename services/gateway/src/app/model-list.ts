/** The models and agents that a caller may name. */
import type { Clock } from "@mainspring/kernel";
import { MainspringError, nearest, noSuch } from "@mainspring/kernel";

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
      if ((await this.#agentsOf(caller)).includes(agent)) return;
      throw await this.unknown(caller, `agent/${agent}`);
    }
    const models = await this.#allModels();
    const found = models.find(({ name, labels }) => name === model || labels.includes(model));
    if (found === undefined) throw await this.unknown(caller, model);
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

  /** What to throw for a name that means nothing to the caller: with the nearest that does, and what else there is. */
  async unknown(caller: Caller, name: string): Promise<MainspringError> {
    const [models, agents] = await Promise.all([this.#allModels(), this.#agentsOf(caller).catch(() => [])]);
    const known = [
      ...new Set([
        ...agents.map((agent) => `agent/${agent}`),
        ...models.filter(({ available }) => available).flatMap((model) => [model.name, ...model.labels]),
      ]),
    ];
    const agent = nearest(name, agents);
    const near = nearest(name, known) ?? (agent === undefined ? undefined : `agent/${agent}`);
    return new MainspringError("not_found", noSuch("model", name, known, near), {
      param: "model",
      reason: "model_not_found",
    });
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
