/**
 * Runs the model attempts of one held session: opens a conversation per run, sends what is new, publishes deltas and
 * hands the outcome back. One attempt at a time.
 */
import type { Clock } from "@mainspring/kernel";
import type { Outcome, PartialOutcome } from "../domain/decision.ts";
import type { OutputItem, TranscriptItem } from "../domain/items.ts";
import { OutputLog } from "../domain/output-log.ts";
import type { AttemptKey } from "../domain/output-log.ts";
import type { RunSpec } from "../domain/run-spec.ts";
import type { ContentStore } from "../ports/content-store.ts";
import type { Hints } from "../ports/hints.ts";
import type { ModelClient, ModelConversation } from "../ports/model-client.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ToolClient } from "../ports/tool-client.ts";
import { externaliseItems, hydrateItems } from "./content.ts";
import { DeltaPublisher } from "./delta-publisher.ts";

export interface ModelCallerPorts {
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly hints: Hints;
  readonly models: ModelClient;
  readonly tools: ToolClient;
  readonly content: ContentStore;
}

export interface CallRequest extends AttemptKey {
  readonly session: string;
  readonly tenant: string;
  readonly spec: RunSpec;
  readonly trace: string;
  readonly items: readonly TranscriptItem[];
}

export class ModelCaller {
  readonly #ports: ModelCallerPorts;
  #conversation: { readonly run: string; readonly talk: ModelConversation } | null = null;
  #hydrated: TranscriptItem[] = [];
  #current: { readonly log: OutputLog; readonly abort: AbortController } | null = null;

  constructor(ports: ModelCallerPorts) {
    this.#ports = ports;
  }

  partial(): PartialOutcome {
    return this.#current?.log.partial() ?? { items: [], chunks: [] };
  }

  /** Ends the attempt under way; its outcome is no longer wanted. */
  abort(): void {
    this.#current?.abort.abort();
    this.#current = null;
  }

  close(): void {
    this.abort();
    this.#conversation?.talk.close();
    this.#conversation = null;
  }

  /** One attempt. Resolves with its outcome, or null when it was aborted. */
  async call(request: CallRequest): Promise<Outcome | null> {
    const log = new OutputLog(request);
    const abort = new AbortController();
    const current = { log, abort };
    this.#current = current;
    try {
      const talk = await this.#open(request);
      const items = await this.#hydrate(request);
      const publisher = new DeltaPublisher(this.#ports, request, log, abort.signal);
      const result = await talk.generate(
        items,
        { requestId: `${request.run}/${request.step}/${request.attempt}`, trace: request.trace },
        (delta) => publisher.publish(log.add(delta.item, delta.kind, delta.text, delta.name)),
        abort.signal,
      );
      if (abort.signal.aborted) return null;
      const { step, attempt } = request;
      if (result.kind === "failed") {
        const { code, message, retryable } = result;
        return { kind: "model_failed", step, attempt, code, message, retryable, partial: log.partial() };
      }
      const finished = log.finish(result.items);
      publisher.publish(finished.pieces);
      const kept = (await externaliseItems(this.#ports.content, request.tenant, finished.items)) as OutputItem[];
      if (abort.signal.aborted) return null;
      const { usage, finish, servedBy } = result;
      return { kind: "model_completed", step, attempt, items: kept, usage, finish, servedBy, chunks: log.chunks };
    } finally {
      if (this.#current === current) this.#current = null;
    }
  }

  async #open(request: CallRequest): Promise<ModelConversation> {
    if (this.#conversation?.run === request.run) return this.#conversation.talk;
    this.#conversation?.talk.close();
    const { spec, tenant } = request;
    const tools = spec.tools.length === 0 ? [] : await this.#toolDefinitions(spec.tools);
    const talk = this.#ports.models.open({
      tenant,
      model: spec.model,
      instructions: spec.instructions,
      tools: [...tools, ...spec.client_tools],
      params: spec.params,
    });
    this.#conversation = { run: request.run, talk };
    return talk;
  }

  async #toolDefinitions(names: readonly string[]): Promise<unknown[]> {
    const catalogue = await this.#ports.tools.catalogue();
    return names.flatMap((name) => {
      const tool = catalogue.get(name);
      if (tool === undefined) return [];
      return [{ type: "function", name, description: tool.description, parameters: tool.parameters, strict: false }];
    });
  }

  /** Items with their large texts fetched; each is fetched once while the session is held. */
  async #hydrate(request: CallRequest): Promise<readonly TranscriptItem[]> {
    const from = this.#hydrated.length;
    const fresh = await hydrateItems(this.#ports.content, request.tenant, request.items.slice(from));
    this.#hydrated.push(...fresh);
    return this.#hydrated;
  }
}
