/** One conversation with model-router, as its callers have it. */
import type { ModelRouterClient } from "@mainspring/contracts";
import type { ConverseResponse__Output } from "@mainspring/contracts/model-router";

export interface Told {
  readonly deltas: { item: number; kind: string; text: string; call_id: string; name: string }[];
  readonly completed: { items: unknown[]; finish: string; servedBy: string; usage: Record<string, number> } | null;
  readonly failed: { code: string; reason: string; retry: string; message: string; status: number } | null;
}

export class Talk {
  readonly #call: ReturnType<ModelRouterClient["Converse"]>;
  readonly #responses: AsyncIterator<unknown>;
  readonly #abort = new AbortController();
  #attempt = 0;

  constructor(router: ModelRouterClient) {
    this.#call = router.Converse({ signal: this.#abort.signal });
    this.#responses = (this.#call.responses as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  }

  async open(model: string, more: { instructions?: string; tools?: unknown[]; params?: object } = {}): Promise<void> {
    const { instructions = "", tools = [], params = {} } = more;
    const open = { model, instructions, tools_json: JSON.stringify(tools), params_json: JSON.stringify(params) };
    await this.#call.send({ open });
  }

  async append(...items: unknown[]): Promise<void> {
    await this.#call.send({ append: { items_json: JSON.stringify(items) } });
  }

  async appendRaw(itemsJson: string): Promise<void> {
    await this.#call.send({ append: { items_json: itemsJson } });
  }

  async say(text: string): Promise<void> {
    await this.append({ type: "message", role: "user", text });
  }

  /** Sends Generate; `answer` reads what comes of it. */
  async begin(requestId = `req-${this.#attempt + 1}`): Promise<number> {
    this.#attempt += 1;
    await this.#call.send({ generate: { attempt: this.#attempt, request_id: requestId } });
    return this.#attempt;
  }

  async stop(): Promise<void> {
    await this.#call.send({ stop: {} });
  }

  /** Closes this direction; what is under way still answers. */
  end(): void {
    this.#call.end();
  }

  /** As a caller that dies. */
  leave(): void {
    this.#abort.abort();
  }

  async generate(requestId?: string): Promise<Told> {
    await this.begin(requestId);
    return await this.answer();
  }

  /** Everything up to the end of an attempt. `onDelta` is told of each delta as it comes. */
  async answer(onDelta: (text: string) => void = () => undefined): Promise<Told> {
    const deltas: Told["deltas"] = [];
    for (;;) {
      const step = await this.#responses.next();
      if (step.done === true) throw new Error("the stream ended without an answer");
      const { attempt, delta, completed, failed } = step.value as ConverseResponse__Output;
      if (attempt !== this.#attempt) throw new Error(`an answer of attempt ${attempt}`);
      if (delta) {
        deltas.push(delta);
        onDelta(delta.text);
      } else if (completed) {
        const { items_json, finish_reason: finish, served_by: servedBy, usage } = completed;
        const items = JSON.parse(items_json) as unknown[];
        return { deltas, completed: { items, finish, servedBy, usage: { ...usage! } }, failed: null };
      } else if (failed) {
        return { deltas, completed: null, failed: { ...failed.error!, status: failed.provider_status } };
      }
    }
  }

  /** True when nothing follows. */
  async isOver(): Promise<boolean> {
    return (await this.#responses.next()).done === true;
  }
}
