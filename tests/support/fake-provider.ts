/** What the fake providers have in common: an HTTP server on a free port that answers with what the test has queued. */
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
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
}

export abstract class FakeProvider {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;
  readonly #replies: FakeReply[] = [];
  readonly #open = new Set<ServerResponse>();
  #watchers: (() => void)[] = [];

  protected constructor(server: Server) {
    this.#server = server;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response));
  }

  protected static async listen(): Promise<Server> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** One chunk as it goes over the wire. */
  protected abstract frame(chunk: unknown): string;
  /** What comes after the last chunk of a good stream. */
  protected abstract readonly end: string;

  protected get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
    const body = JSON.parse(Buffer.concat(text).toString()) as FakeRequest["body"];
    this.requests.push({ path: request.url ?? "", body, headers: request.headers });
    this.#open.add(response);
    response.once("close", () => {
      this.#open.delete(response);
      this.#tell();
    });
    this.#tell();
    this.#answer(response, this.#replies.shift() ?? { kind: "status", status: 500 });
  }

  #answer(response: ServerResponse, reply: FakeReply): void {
    if (reply.kind === "silent") return;
    if (reply.kind === "status") {
      const { status, headers = {}, body = { error: { message: `refused with ${status}`, code: null } } } = reply;
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of reply.chunks) response.write(this.frame(chunk));
    if (reply.end === "hang") return;
    // What was written before reaches the client; the end of the stream does not.
    if (reply.end === "drop") response.write("", () => response.socket?.destroySoon());
    else response.end(this.end);
  }

  #tell(): void {
    for (const wake of this.#watchers.splice(0)) wake();
  }
}
