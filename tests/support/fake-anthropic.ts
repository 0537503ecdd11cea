/**
 * A server of the Anthropic Messages API for tests: an HTTP server of its own on a free port, which answers with what the
 * test has queued, keeps the requests that it got, and counts those that are still open.
 */
import type { FakeReply } from "./fake-provider.ts";
import { FakeProvider } from "./fake-provider.ts";

const USAGE = { input_tokens: 8, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 };

export interface FakeBlock {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
}

export function textBlock(...words: string[]): FakeBlock {
  return { start: { type: "text", text: "" }, deltas: words.map((text) => ({ type: "text_delta", text })) };
}

export function thinkingBlock(thinking: string, signature: string): FakeBlock {
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ],
  };
}

export function toolBlock(name: string, ...json: string[]): FakeBlock {
  return {
    start: { type: "tool_use", id: `toolu_${name}`, name, input: {} },
    deltas: json.map((partial) => ({ type: "input_json_delta", partial_json: partial })),
  };
}

/** The events of a message. */
export function messageEvents(blocks: readonly FakeBlock[], stopReason: string): object[] {
  return [
    { type: "message_start", message: { id: "m", type: "message", model: "claude-fake-1", usage: USAGE } },
    { type: "ping" },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 7, output_tokens_details: { thinking_tokens: 2 } },
    },
    { type: "message_stop" },
  ];
}

export function messageReply(blocks: readonly FakeBlock[], stopReason = "end_turn"): FakeReply {
  return { kind: "stream", chunks: messageEvents(blocks, stopReason) };
}

export class FakeAnthropic extends FakeProvider {
  static async start(): Promise<FakeAnthropic> {
    return new FakeAnthropic(await FakeProvider.listen());
  }

  get baseUrl(): string {
    return this.address;
  }

  protected override frame(chunk: unknown): string {
    return `event: ${(chunk as { readonly type: string }).type}\ndata: ${JSON.stringify(chunk)}\n\n`;
  }

  protected override readonly end = "";
}
