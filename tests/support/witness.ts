/**
 * An outside witness of tool effects: an HTTP server that the test owns. A tool reports to it at the moment of its
 * effect; the witness counts, and can keep the tool waiting for its answer so that a test kills it in between.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** Tools that report here: witness_never, witness_keyed, witness_safe. Each takes {id, hold?}. */
export const WITNESS_TOOLS_DIR = fileURLToPath(new URL("./witness-tools", import.meta.url));

export interface Effect {
  readonly tool: string;
  /** What the caller named the call. */
  readonly id: string;
  readonly call: string;
  readonly attempt: number;
  readonly key: string;
}

export class Witness {
  readonly effects: Effect[] = [];
  readonly #server: Server;
  readonly #held: { readonly id: string; readonly response: ServerResponse }[] = [];
  readonly #waiting: { readonly passes: () => boolean; readonly resolve: () => void }[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Witness> {
    const server = createServer();
    const witness = new Witness(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += String(chunk)));
      request.on("end", () => witness.#see(JSON.parse(body) as Effect & { readonly hold: boolean }, response));
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return witness;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #see({ hold, ...effect }: Effect & { readonly hold: boolean }, response: ServerResponse): void {
    this.effects.push(effect);
    if (hold) this.#held.push({ id: effect.id, response });
    else response.end("seen");
    for (const waiter of this.#waiting.filter(({ passes }) => passes())) waiter.resolve();
  }

  of(id: string): Effect[] {
    return this.effects.filter((effect) => effect.id === id);
  }

  /** Resolves when the effect of that id was seen `count` times. */
  async seen(id: string, count = 1): Promise<void> {
    const passes = (): boolean => this.of(id).length >= count;
    if (passes()) return;
    await new Promise<void>((resolve) => this.#waiting.push({ passes, resolve }));
  }

  /** Answers the tools that wait. */
  release(): void {
    for (const { response } of this.#held.splice(0)) response.end("released");
  }

  async stop(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
