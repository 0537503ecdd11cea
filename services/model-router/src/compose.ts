/** Puts model-router together. It needs no store, queue or bus. */
import { setMaxListeners } from "node:events";

import { modelRouterContract, serve } from "@mainspring/contracts";
import { newId } from "@mainspring/kernel";
import type { Composed, Platform } from "@mainspring/service-kit";

import { AnthropicProvider } from "./adapters/anthropic-messages.ts";
import { ExtractiveProvider } from "./adapters/extractive-provider.ts";
import { OpenAiProvider } from "./adapters/openai-chat.ts";
import { ScriptProvider } from "./adapters/script-provider.ts";
import type { ObservedGenerate, RouterPorts } from "./app/conversation.ts";
import type { ModelRouterConfig } from "./config.ts";
import { modelsOf, SCRIPT_MODEL } from "./domain/registry.ts";
import { modelRouterService } from "./rpc/model-router-service.ts";

type Parts = Pick<Platform, "clock" | "random" | "logger" | "lifecycle" | "metrics">;

export function composeModelRouter(platform: Parts, config: ModelRouterConfig): Composed {
  const { clock, random, lifecycle } = platform;
  const { openAiKey, openAiBaseUrl, openAiModel, anthropicKey, anthropicBaseUrl, anthropicModel } = config;
  const models = modelsOf({
    openai: settingsOf(openAiModel, openAiKey, openAiBaseUrl),
    anthropic: settingsOf(anthropicModel, anthropicKey, anthropicBaseUrl),
  });
  const script = new ScriptProvider(clock);
  const extractive = new ExtractiveProvider();
  const openai = new OpenAiProvider({ baseUrl: openAiBaseUrl, apiKey: openAiKey, clock });
  const anthropic = new AnthropicProvider({ baseUrl: anthropicBaseUrl, apiKey: anthropicKey, clock });
  lifecycle.onClose("connections to OpenAI", () => openai.close());
  lifecycle.onClose("connections to Anthropic", () => anthropic.close());
  const draining = new AbortController();
  // One listener for each conversation that is open.
  setMaxListeners(0, draining.signal);
  const routing: RouterPorts = {
    clock,
    random: () => (random.bytes(1)[0] ?? 0) / 256,
    newRequestId: () => newId("req", clock.now(), random),
    models,
    providerOf: ({ name, provider }) =>
      ({ openai, anthropic, offline: name === SCRIPT_MODEL ? script : extractive })[provider],
    onGenerate: observer(platform),
  };
  const handlers = modelRouterService(routing, draining.signal);
  const named = models.map(({ name, unavailable }) => (unavailable === null ? name : `${name} (${unavailable})`));
  return {
    registrations: [serve(modelRouterContract, handlers)],
    start: () => platform.logger.info({ models: named }, "models"),
    drain: async () => draining.abort(),
  };
}

function settingsOf(model: string | undefined, key: string | undefined, baseUrl: string | undefined) {
  return { model: model ?? "", hasKey: key !== undefined, hasBaseUrl: baseUrl !== undefined };
}

function observer({ metrics, logger }: Parts): (observed: ObservedGenerate) => void {
  const labels = ["provider", "outcome"] as const;
  const calls = metrics.duration("mainspring_model_call_seconds", "Duration of model calls.", labels);
  const first = metrics.duration("mainspring_model_first_output_seconds", "Time to the first output.", ["provider"]);
  const requests = metrics.counter("mainspring_model_requests_total", "Requests made to providers.", ["provider"]);
  return ({ provider, outcome, durationMs, firstOutputMs, requests: made }) => {
    calls.observe({ provider, outcome }, durationMs / 1_000);
    if (firstOutputMs !== null) first.observe({ provider }, firstOutputMs / 1_000);
    requests.inc({ provider }, made);
    if (outcome !== "completed" && outcome !== "aborted") {
      logger.warn({ provider, outcome, requests: made, durationMs: Math.round(durationMs) }, "a model call failed");
    }
  };
}
