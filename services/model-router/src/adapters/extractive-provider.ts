/** Runs what `offline/extractive` decides. */
import { derivedId } from "@mainspring/kernel";

import { extractiveStep } from "../domain/extractive-model.ts";
import type { OutputItem } from "../domain/items.ts";
import { isRecord } from "../domain/items.ts";
import { piecesOf } from "../domain/script-model.ts";
import type { ModelRequest, OutputDelta, Provider, ProviderResult, ProviderSession } from "../ports/provider.ts";
import { aborted, completedOffline } from "./offline-result.ts";

export class ExtractiveProvider implements Provider {
  open(): ProviderSession {
    return { generate };
  }
}

async function* generate(
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<OutputDelta, ProviderResult, undefined> {
  if (signal.aborted) return aborted();
  const names = request.tools.flatMap((tool) =>
    isRecord(tool) && typeof tool["name"] === "string" ? [tool["name"]] : [],
  );
  const step = extractiveStep(request.items, names);
  const output: OutputItem[] = [];
  if (step.kind === "call") {
    const callId = derivedId("call", request.requestId, 0);
    output.push({ type: "function_call", call_id: callId, name: step.tool, arguments: step.args });
    yield { item: 0, kind: "arguments", text: step.args, callId, name: step.tool };
  } else {
    output.push({ type: "message", role: "assistant", text: step.text });
    for (const piece of piecesOf(step.text)) yield { item: 0, kind: "text", text: piece, callId: "", name: "" };
  }
  return signal.aborted ? aborted() : completedOffline("offline/extractive", request, output);
}
