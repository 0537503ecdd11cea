/** What eval-runner sees of a gateway: runs that are asked for under keys and end as the test says. */
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type FakeEnd =
  | { readonly status: "completed"; readonly text: string }
  | { readonly status: "failed"; readonly code: string }
  | { readonly status: "exhausted" }
  /** Runs until it is cancelled or `release` is called. */
  | { readonly status: "held" };

export interface FakeRun {
  readonly id: string;
  readonly key: string;
  readonly actAs: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly input: string; readonly model: string };
  /** How often it was asked for. */
  asked: number;
  end: FakeEnd | { readonly status: "cancelled" };
}

const ENDED_AFTER_MS = 1_500;

export class FakeGateway {
  readonly runs = new Map<string, FakeRun>();
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();
  /** Answers this status to everything while it is set. */
  broken: number | null = null;
  url = "";
  /** Most runs that were held at once. */
  heldMost = 0;

  private constructor(decide: (run: Omit<FakeRun, "end">, ofInput: number) => FakeEnd | number) {
    this.#server = createServer((request, response) => {
      void this.#answer(request, decide).then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        for (const watch of this.#watchers) watch();
      });
    });
  }

  /** `decide` says how a new run ends, or with which status asking for it is refused; `ofInput` counts from 1. */
  static async start(decide: (run: Omit<FakeRun, "end">, ofInput: number) => FakeEnd | number): Promise<FakeGateway> {
    const gateway = new FakeGateway(decide);
    await new Promise<void>((resolve) => gateway.#server.listen(0, "127.0.0.1", resolve));
    gateway.url = `http://127.0.0.1:${(gateway.#server.address() as AddressInfo).port}`;
    return gateway;
  }

  of(input: string): FakeRun[] {
    return [...this.runs.values()].filter(({ body }) => body.input === input);
  }

  /** Resolves once it is so after some request. */
  async until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const watch = (): void => {
        if (!isSo()) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  release(text: string): void {
    for (const run of this.runs.values()) if (run.end.status === "held") run.end = { status: "completed", text };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(
    request: IncomingMessage,
    decide: (run: Omit<FakeRun, "end">, ofInput: number) => FakeEnd | number,
  ): Promise<{ status: number; body: object }> {
    const path = request.url ?? "";
    const sent = request.method === "POST" ? await json(request) : null;
    if (this.broken !== null) return refusal(this.broken);
    if (path === "/livez") return { status: 200, body: {} };
    if (request.headers.authorization !== "Bearer secret") return refusal(401);
    if (path === "/v1/responses") return this.#submit(request, sent as FakeRun["body"], decide);
    const [, kind, id, action] = /^\/v1\/(runs|responses)\/(?:run|resp)_([0-9a-f]+)(\/cancel)?$/.exec(path) ?? [];
    const run = [...this.runs.values()].find((each) => each.id === id);
    if (run === undefined) return refusal(404);
    if (action !== undefined && run.end.status === "held") run.end = { status: "cancelled" };
    return { status: 200, body: kind === "runs" ? runView(run) : responseView(run) };
  }

  #submit(
    { headers }: IncomingMessage,
    body: FakeRun["body"],
    decide: (run: Omit<FakeRun, "end">, ofInput: number) => FakeEnd | number,
  ): { status: number; body: object } {
    const [key, actAs] = [String(headers["idempotency-key"]), String(headers["x-mainspring-act-as"])];
    const known = this.runs.get(`${actAs} ${key}`);
    if (known !== undefined) {
      known.asked += 1;
      return { status: 200, body: responseView(known) };
    }
    const made = { id: (this.runs.size + 1).toString(16).padStart(48, "0"), key, actAs, body, asked: 1 };
    const end = decide(made, this.of(body.input).length + 1);
    if (typeof end === "number") return refusal(end);
    const run: FakeRun = { ...made, end };
    this.runs.set(`${actAs} ${key}`, run);
    this.heldMost = Math.max(
      this.heldMost,
      [...this.runs.values()].filter((each) => each.end.status === "held").length,
    );
    return { status: 200, body: responseView(run) };
  }
}

function refusal(status: number) {
  return { status, body: { error: { message: `refused with ${status}`, code: "x" } } };
}

function runView({ end }: FakeRun) {
  const status = end.status === "held" ? "running" : end.status;
  return {
    status,
    created_at: new Date(0).toISOString(),
    ended_at: status === "running" ? null : new Date(ENDED_AFTER_MS).toISOString(),
    trace_id: "f".repeat(32),
    error: end.status === "failed" ? { code: end.code, message: "broken" } : null,
  };
}

function responseView({ id, end }: FakeRun) {
  const text = end.status === "completed" ? end.text : "";
  return {
    id: `resp_${id}`,
    output: [
      { type: "reasoning", content: [{ type: "reasoning_text", text: "hm" }] },
      { type: "message", content: [{ type: "output_text", text }] },
    ],
    incomplete_details: end.status === "exhausted" ? { reason: "max_steps" } : null,
    usage: { input_tokens: 5, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } },
  };
}
