/**
 * An OpenAI-compatible server for tests: an HTTP server of its own on a free port, which answers Chat Completions with
 * what the test has queued, keeps the requests that it got, and counts those that are still open.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type FakeReply =
  /** An event stream; it ends as a good one does, breaks off, or stays open and silent. */
  | { readonly kind: "stream"; readonly chunks: readonly unknown[]; readonly end?: "done" | "drop" | "hang" }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: object;
    }
  /** Takes the request and never answers. */
  | { readonly kind: "silent" };

export interface FakeRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
}

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

export class FakeOpenAi {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;
  readonly #replies: FakeReply[] = [];
  readonly #open = new Set<ServerResponse>();
  #watchers: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeOpenAi> {
    const server = createServer();
    const fake = new FakeOpenAi(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Requests whose answer is not at its end and whose connection is there. */
  get open(): number {
    return this.#open.size;
  }

  /** Answers for the next requests, in order. A request without one gets status 500. */
  next(...replies: readonly FakeReply[]): void {
    this.#replies.push(...replies);
  }

  /** Resolves as soon as the condition holds; it is looked at when a request comes or ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text: Buffer[] = [];
    for await (const part of request) text.push(part as Buffer);
    this.requests.push({ body: JSON.parse(Buffer.concat(text).toString()), headers: request.headers });
    this.#open.add(response);
    response.once("close", () => {
      this.#open.delete(response);
      this.#tell();
    });
    this.#tell();
    answer(response, this.#replies.shift() ?? { kind: "status", status: 500 });
  }

  #tell(): void {
    for (const wake of this.#watchers.splice(0)) wake();
  }
}

function answer(response: ServerResponse, reply: FakeReply): void {
  if (reply.kind === "silent") return;
  if (reply.kind === "status") {
    const { status, headers = {}, body = { error: { message: `refused with ${status}`, code: null } } } = reply;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of reply.chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  if (reply.end === "hang") return;
  // What was written before reaches the client; the end of the stream does not.
  if (reply.end === "drop") response.write("", () => response.socket?.destroySoon());
  else response.end("data: [DONE]\n\n");
}
