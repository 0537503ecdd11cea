/** Memory over the contract of memory-brain. */
import type { CallOptions, MemoryBrainClient } from "@mainspring/contracts";

import type { Memory, MemoryCall, RememberedPassage } from "../ports/memory.ts";

const TIMEOUT_MS = 20_000;

export class ContractMemory implements Memory {
  readonly #client: MemoryBrainClient;

  constructor(client: MemoryBrainClient) {
    this.#client = client;
  }

  async recall(call: MemoryCall, query: string, limit: number): Promise<RememberedPassage[]> {
    const answer = await this.#client.Recall({ space_id: call.space, query, limit }, optionsOf(call));
    return answer.memories.map(({ entity, type, name, text, source, created_at, confidence }) => ({
      entity,
      type,
      name,
      text,
      source,
      created_at,
      ...(confidence === undefined ? {} : { confidence }),
    }));
  }

  async remember(call: MemoryCall, text: string, idempotencyKey: string): Promise<string[]> {
    const { space, caller: user, agent } = call;
    const request = { space_id: space, text, user, agent, idempotency_key: idempotencyKey };
    return (await this.#client.Remember(request, optionsOf(call))).entities;
  }
}

function optionsOf({ tenant, traceparent, signal }: MemoryCall): CallOptions {
  const principal = { tenant, subject: "service:tool-runner", scopes: ["service"] };
  return { principal, traceparent, signal, timeoutMs: TIMEOUT_MS };
}
