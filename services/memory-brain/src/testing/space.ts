/** A Space in memory on this thread, for the tests of this service: the real engine on the real store, a clock by hand. */
import { hash } from "node:crypto";
import type { Json, JsonObject, KipCode, KipResponse, KipResult } from "@mainspring/kip";
import { embedderOf, type EmbedderName } from "../adapters/embedders/embedder-of.ts";
import { SqliteGraphStore } from "../adapters/space-store/sqlite-graph-store.ts";
import { SpaceEngine } from "../app/engine.ts";
import { executeRequest, type RequestContext } from "../app/execute.ts";
import type { Authority } from "../app/mutate/transaction.ts";
import type { QueryLimits } from "../app/session.ts";
import { promote } from "../app/write.ts";
import { standardPackages } from "../schema/index.ts";

export const OWNER: Authority = { principal: "owner", actor: undefined };
export const ref = (id: string): JsonObject => ({ id });

export class TestSpace {
  now = Date.parse("2026-06-01T00:00:00.000Z");
  readonly store: SqliteGraphStore;
  readonly unexpected: unknown[] = [];
  readonly engine: SpaceEngine;
  /** Added at every look at the clock, to run into deadlines. */
  tickMs = 0;

  constructor(limits?: QueryLimits, embedder: EmbedderName = "none") {
    this.store = new SqliteGraphStore(":memory:", false, embedderOf(embedder));
    this.store.install(standardPackages);
    this.engine = new SpaceEngine(
      {
        spaceId: "test",
        store: this.store,
        digest: (text) => `sha256:${hash("sha256", text)}`,
        clock: () => (this.now += this.tickMs),
        report: (error) => this.unexpected.push(error),
      },
      limits,
    );
  }

  /** One request, with its writes committed. */
  request(request: unknown, context: Partial<RequestContext> = {}): KipResponse {
    this.store.beginBatch();
    const response = executeRequest(this.engine, request, {
      caller: "tester",
      authority: OWNER,
      readOnly: false,
      ...context,
    });
    this.store.commitBatch();
    if (this.unexpected.length > 0) throw this.unexpected[0];
    return response;
  }

  result(command: string, parameters: JsonObject = {}, context: Partial<RequestContext> = {}): KipResult {
    const response = this.request({ kip: "2.0", operations: [{ command, parameters }] }, context);
    if (response.error !== undefined) throw new Error(`${response.error.code}: ${response.error.message}`);
    return response.results[0]!;
  }

  /** The result of a command that has to succeed. */
  run(command: string, parameters: JsonObject = {}, context: Partial<RequestContext> = {}): Json {
    const result = this.result(command, parameters, context);
    if (result.error !== undefined) throw new Error(`${result.error.code}: ${result.error.message} (${command})`);
    return result.result!;
  }

  find(command: string, parameters: JsonObject = {}): Json[] {
    return this.run(command, parameters) as Json[];
  }

  /** The code that a command fails with. */
  code(
    command: string,
    parameters: JsonObject = {},
    context: Partial<RequestContext> = {},
  ): KipCode | "succeeded" | "no_effect" {
    const response = this.request({ kip: "2.0", operations: [{ command, parameters }] }, context);
    const result = response.results[0];
    return response.error?.code ?? result?.error?.code ?? (result!.status as "succeeded" | "no_effect");
  }

  /** Handles of a mutation by name. */
  handles(command: string, parameters: JsonObject = {}): Record<string, string> {
    return (this.run(command, parameters) as { handles: Record<string, string> }).handles;
  }

  promote(kind: "ConceptType" | "PredicateType", from: string, to: string, authority = OWNER): JsonObject {
    this.store.beginBatch();
    try {
      return promote(
        this.engine,
        { now: this.now, authority, checkDeadline: () => {}, caller: "tester" },
        kind,
        from,
        to,
      );
    } finally {
      this.store.commitBatch();
    }
  }

  get seq(): number {
    return this.store.currentSeq();
  }

  /** A person with that key, made where missing. */
  person(key: string): JsonObject {
    const { p } = this.handles('UPSERT CONCEPT ?p { MATCH {type: "Person", key: :key} SET FIELDS {name: :key} }', {
      key,
    });
    return ref(p!);
  }
}
