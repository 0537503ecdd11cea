/** How a call of an offline model ends. */
import type { OutputItem } from "../domain/items.ts";
import type { ModelRequest, ProviderResult, Usage } from "../ports/provider.ts";

/** Estimate for texts of which nobody counted the tokens. */
const CHARS_PER_TOKEN = 4;

export function completedOffline(
  servedBy: string,
  request: ModelRequest,
  items: readonly OutputItem[],
): ProviderResult {
  const calls = items.some((item) => item.type === "function_call");
  return {
    kind: "completed",
    items,
    usage: usageOf(request, items),
    finish: calls ? "tool_calls" : "stop",
    servedBy,
  };
}

function usageOf(request: ModelRequest, items: readonly OutputItem[]): Usage {
  let output = 0;
  let reasoning = 0;
  for (const item of items) {
    const chars = item.type === "function_call" ? item.arguments.length : item.text.length;
    output += chars;
    if (item.type === "reasoning") reasoning += chars;
  }
  return {
    inputTokens: tokens(request.itemChars + request.instructions.length),
    cachedInputTokens: 0,
    outputTokens: tokens(output),
    reasoningTokens: tokens(reasoning),
  };
}

const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

export function aborted(): ProviderResult {
  const message = "the model call was stopped";
  return { kind: "failed", failure: { status: 0, message, providerCode: "", retryAfterMs: null, aborted: true } };
}
