/** The names of model-router's models over its contract, cached. */
import type { ModelRouterClient } from "@mainspring/contracts";
import type { Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import type { ModelNames } from "../ports/model-names.ts";

/** Age at which the names are fetched again. */
const FRESH_MS = 5_000;
const TIMEOUT_MS = 5_000;

export class RouterModelNames implements ModelNames {
  readonly #router: ModelRouterClient;
  readonly #clock: Clock;
  #names: readonly string[] | null = null;
  #fetchedMs = -Infinity;

  constructor(router: ModelRouterClient, clock: Clock) {
    this.#router = router;
    this.#clock = clock;
  }

  async list(): Promise<readonly string[]> {
    const now = this.#clock.monotonicMs();
    if (this.#names !== null && now - this.#fetchedMs < FRESH_MS) return this.#names;
    try {
      const { models } = await this.#router.ListModels({}, { timeoutMs: TIMEOUT_MS });
      this.#names = [...new Set(models.flatMap(({ name, labels }) => [name, ...labels]))];
      this.#fetchedMs = this.#clock.monotonicMs();
      return this.#names;
    } catch (cause) {
      throw new MainspringError("unavailable", "model-router gave no answer", { cause, retry: "safe" });
    }
  }
}
