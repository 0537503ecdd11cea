/** A Space that commands are sent to, one at a time. */
import type { ApiClient } from "@mainspring/client";
import type { JsonObject, KipResponse } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import type { Operation } from "./elements.ts";

const SYMBOLS_MAX = 1_000;
const SYMBOL_LISTS = ["TYPES", "PREDICATES", "FACETS", "STRUCTURAL FIELDS"];
/** A command may take this long, in milliseconds; the server's own limit is shorter. */
const COMMAND_TIMEOUT_MS = 90_000;

export class SpaceSession {
  readonly #client: ApiClient;
  readonly #path: string;
  readonly space: string;
  readonly writes: boolean;

  /** Without `writes` commands that write are refused. */
  constructor(client: ApiClient, space: string, writes: boolean) {
    this.#client = client;
    this.space = space;
    this.writes = writes;
    this.#path = `/v1/spaces/${encodeURIComponent(space)}/execute_kip`;
  }

  run(command: string, signal?: AbortSignal): Promise<KipResponse> {
    return this.#send({ kip: "2.0", operations: [{ command }] }, this.writes, signal);
  }

  /** Sends operations that only read, each by itself. */
  ask(operations: readonly Operation[], signal?: AbortSignal): Promise<KipResponse> {
    return this.#send({ kip: "2.0", operations, execution: { mode: "independent" } }, false, signal);
  }

  /** How a query would be answered, without answering it. */
  async plan(query: string, signal?: AbortSignal): Promise<KipResponse> {
    return this.#send(
      { kip: "2.0", operations: [{ command: `VALIDATE KQL ${JSON.stringify(query)}` }] },
      false,
      signal,
    );
  }

  /** Names of types, predicates, facets and structural fields. */
  async symbols(): Promise<string[]> {
    const operations = SYMBOL_LISTS.map((list) => ({ command: `LIST ${list} LIMIT ${SYMBOLS_MAX}` }));
    const { results } = await this.ask(operations);
    const rows = results.flatMap(({ result }) => (Array.isArray(result) ? result.filter(isObject) : []));
    const names = rows.map((row: JsonObject) => row["local_name"]).filter((name) => typeof name === "string");
    return [...new Set(names)].toSorted();
  }

  #send(request: object, writes: boolean, signal?: AbortSignal): Promise<KipResponse> {
    const options = { timeoutMs: COMMAND_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
    return this.#client.post<KipResponse>(this.#path + (writes ? "" : "_readonly"), request, options);
  }
}
