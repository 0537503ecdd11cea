/** model-router's list of models over its contract. */
import type { ModelRouterClient } from "@mainspring/contracts";

import type { ModelCatalogue } from "../ports/model-catalogue.ts";

const TIMEOUT_MS = 5_000;

export function grpcModelCatalogue(router: ModelRouterClient): ModelCatalogue {
  return {
    async list() {
      const { models } = await router.ListModels({}, { timeoutMs: TIMEOUT_MS });
      return models.map(({ name, provider, labels, available, unavailable_reason }) => ({
        name,
        provider,
        labels,
        available,
        unavailableReason: unavailable_reason,
      }));
    },
  };
}
