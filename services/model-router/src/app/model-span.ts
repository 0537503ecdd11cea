/** The span of one model call, in the words of OpenTelemetry's GenAI conventions. Prompts and answers are not in it. */
import type { MainspringError } from "@mainspring/kernel";
import { openSpan, TENANT_ATTRIBUTE } from "@mainspring/service-kit";
import type { OpenSpan } from "@mainspring/service-kit";

import type { ModelEntry } from "../domain/registry.ts";
import type { ProviderResult } from "../ports/provider.ts";

export function modelSpan(
  { provider, providerModel }: ModelEntry,
  tenant: string,
  asked: { readonly parent: string; readonly requestId: string },
): OpenSpan {
  return openSpan("model-router", `chat ${providerModel}`, {
    parent: asked.parent,
    kind: "client",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": providerModel,
      "mainspring.request.id": asked.requestId,
      [TENANT_ATTRIBUTE]: tenant,
    },
  });
}

export function endModelSpan(span: OpenSpan, result: ProviderResult, error: MainspringError | null): void {
  if (result.kind === "completed") {
    span.set({
      "gen_ai.usage.input_tokens": result.usage.inputTokens,
      "gen_ai.usage.output_tokens": result.usage.outputTokens,
      "gen_ai.response.finish_reasons": [result.finish],
      "gen_ai.response.model": result.servedBy,
    });
  }
  span.end(error ?? undefined);
}
