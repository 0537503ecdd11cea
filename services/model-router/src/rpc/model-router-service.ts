/** The ModelRouter contract: messages in, use cases, messages out. */
import { toErrorDetail } from "@mainspring/contracts";
import type { CallContext, ModelRouterHandlers } from "@mainspring/contracts";
import type { ConverseRequest__Output, ConverseResponse } from "@mainspring/contracts/model-router";
import { MainspringError } from "@mainspring/kernel";

import { Conversation } from "../app/conversation.ts";
import type { Answer, RouterPorts } from "../app/conversation.ts";
import { Outbox } from "../app/outbox.ts";

/** Longest text of one delta, in characters; a longer one is sent as several. */
export const DELTA_CHARS_MAX = 128 * 1024;
/** Largest list of output items, in bytes: a message has at most 4 MiB. */
export const OUTPUT_BYTES_MAX = 3 * 1024 * 1024;

/** `draining`: when it is aborted each conversation ends once its model call is over; callers open a new one elsewhere. */
export function modelRouterService(ports: RouterPorts, draining: AbortSignal): ModelRouterHandlers {
  return {
    ListModels: async () => ({
      models: ports.models.map(({ name, provider, labels, unavailable, contextWindowTokens }) => ({
        name,
        provider,
        labels: [...labels],
        available: unavailable === null,
        unavailable_reason: unavailable ?? "",
        context_window_tokens: contextWindowTokens,
      })),
    }),
    Converse: (requests, context) => converse(ports, requests, context, draining),
  };
}

function converse(
  ports: RouterPorts,
  requests: AsyncIterable<ConverseRequest__Output>,
  context: CallContext,
  draining: AbortSignal,
): AsyncIterable<ConverseResponse> {
  const outbox = new Outbox<ConverseResponse>(() => conversation.stop());
  const conversation = new Conversation(ports, context.principal.tenant, (answer) => send(outbox, answer));
  context.signal.addEventListener("abort", () => conversation.stop(), { once: true });
  const onDrain = (): void => void conversation.idle().then(() => outbox.end());
  if (draining.aborted) onDrain();
  else draining.addEventListener("abort", onDrain, { once: true });
  const read = async (): Promise<void> => {
    for await (const request of requests) await take(conversation, request);
    await conversation.idle();
  };
  // What ends the requests early is the end of the call, of which its context tells.
  read()
    .catch(() => conversation.stop())
    .finally(() => {
      draining.removeEventListener("abort", onDrain);
      outbox.end();
    });
  return outbox;
}

async function take(conversation: Conversation, request: ConverseRequest__Output): Promise<void> {
  const { open, append, generate, stop } = request;
  if (open) {
    const { model, instructions, tools_json: toolsJson, params_json: paramsJson } = open;
    conversation.open({ model, instructions, toolsJson, paramsJson });
  } else if (append) conversation.append(append.items_json);
  else if (generate) await conversation.generate(generate.attempt, generate.request_id, generate.traceparent);
  else if (stop) conversation.stop();
}

function send(outbox: Outbox<ConverseResponse>, answer: Answer): Promise<void> | undefined {
  if (answer.kind !== "delta" || answer.delta.text.length <= DELTA_CHARS_MAX) return outbox.push(toResponse(answer));
  const { attempt, delta } = answer;
  let room: Promise<void> | undefined;
  for (let from = 0; from < delta.text.length; from += DELTA_CHARS_MAX) {
    const text = delta.text.slice(from, from + DELTA_CHARS_MAX);
    const names = from === 0 ? {} : { callId: "", name: "" };
    room = outbox.push(toResponse({ kind: "delta", attempt, delta: { ...delta, ...names, text } }));
  }
  return room;
}

function toResponse(answer: Answer): ConverseResponse {
  const { attempt } = answer;
  switch (answer.kind) {
    case "delta": {
      const { item, kind, text, callId, name } = answer.delta;
      return { attempt, delta: { item, kind, text, call_id: callId, name } };
    }
    case "completed":
      return completed(answer);
    case "failed":
      return failed(attempt, answer.error, answer.status);
  }
}

function completed({ attempt, result, requests }: Extract<Answer, { kind: "completed" }>): ConverseResponse {
  const itemsJson = JSON.stringify(result.items);
  if (Buffer.byteLength(itemsJson) > OUTPUT_BYTES_MAX) {
    const message = `the model's answer is larger than ${OUTPUT_BYTES_MAX} bytes`;
    return failed(attempt, new MainspringError("out_of_range", message, { reason: "output_too_large" }), 0);
  }
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = result.usage;
  return {
    attempt,
    completed: {
      items_json: itemsJson,
      usage: {
        input_tokens: inputTokens,
        cached_input_tokens: cachedInputTokens,
        output_tokens: outputTokens,
        reasoning_tokens: reasoningTokens,
        requests,
      },
      finish_reason: result.finish,
      served_by: result.servedBy,
    },
  };
}

function failed(attempt: number, error: MainspringError, status: number): ConverseResponse {
  return { attempt, failed: { error: toErrorDetail(error), provider_status: status } };
}
