/**
 * An OpenAI-compatible server for tests: an HTTP server of its own on a free port, which answers Chat Completions with
 * what the test has queued, keeps the requests that it got, and counts those that are still open.
 */
import { FakeProvider } from "./fake-provider.ts";
import type { FakeReply } from "./fake-provider.ts";

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

export function chunkOf(delta: object, finish: string | null = null): object {
  return {
    id: "x",
    object: "chat.completion.chunk",
    model: "fake-1",
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** A piece of a call. `name` comes with the first one. */
export function callChunk(index: number, args: string, name?: string): object {
  return chunkOf({
    tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: args } }],
  });
}

/** The last two chunks of a good stream. */
export function ending(finish: string): object[] {
  return [chunkOf({}, finish), { id: "x", model: "fake-1", choices: [], usage: USAGE }];
}

export function textReply(...words: string[]): FakeReply {
  return { kind: "stream", chunks: [...words.map((content) => chunkOf({ content })), ...ending("stop")] };
}

export class FakeOpenAi extends FakeProvider {
  static async start(): Promise<FakeOpenAi> {
    return new FakeOpenAi(await FakeProvider.listen());
  }

  get baseUrl(): string {
    return `${this.address}/v1`;
  }

  protected override frame(chunk: unknown): string {
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  protected override readonly end = "data: [DONE]\n\n";
}
