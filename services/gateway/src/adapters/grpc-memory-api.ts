/** Spaces over the contract of memory-brain. */
import type { CallOptions, MemoryBrainClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import type { Page } from "../ports/engine-api.ts";
import type {
  Answer,
  Citation,
  ConversationsPage,
  DeltaOffsets,
  MemoryApi,
  NewMemory,
  NewSpace,
  NewSpaceToken,
  Probed,
  Recalled,
  Remembered,
  SpaceCaller,
  SpaceChange,
  SpaceInfo,
  SpaceToken,
  Verified,
} from "../ports/memory-api.ts";

/** Longer than the longest deadline that a KIP request gets, 60 s. */
const CALL_TIMEOUT_MS = 70_000;
const VERIFY_TIMEOUT_MS = 600_000;

type Reply<M extends keyof MemoryBrainClient> = MemoryBrainClient[M] extends (...args: never[]) => Promise<infer R>
  ? R
  : never;
type WireSpace = NonNullable<Reply<"GetSpace">["space"]>;
type WireCitation = Reply<"Probe">["hits"][number];
type WireToken = NonNullable<Reply<"AddSpaceToken">["token"]>;

interface Fresh {
  readonly freshness: { readonly stale: boolean; readonly as_of: string } | null;
}

export class GrpcMemoryApi implements MemoryApi {
  readonly #memory: MemoryBrainClient;

  constructor(memory: MemoryBrainClient) {
    this.#memory = memory;
  }

  async createSpace(caller: SpaceCaller, { id, owner, tier, shard }: NewSpace): Promise<SpaceInfo> {
    const request = { space_id: id, user: owner, tier, ...(shard === null ? {} : { shard }) };
    return toSpace((await this.#memory.CreateSpace(request, options(caller))).space);
  }

  async getSpace(caller: SpaceCaller, id: string): Promise<Answer<SpaceInfo>> {
    const reply = await this.#memory.GetSpace(of(caller, id), options(caller));
    return answer(toSpace(reply.space), reply);
  }

  async listSpaces(caller: SpaceCaller, pageSize: number, pageToken: string): Promise<Page<SpaceInfo>> {
    const request = { page_size: pageSize, page_token: pageToken };
    const reply = await this.#memory.ListSpaces(request, options(caller)).catch(rethrowNamed);
    return { items: reply.spaces.map(toSpace), nextToken: reply.next_page_token };
  }

  async updateSpace(caller: SpaceCaller, id: string, change: SpaceChange): Promise<SpaceInfo> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return toSpace((await this.#memory.UpdateSpace({ ...of(caller, id), ...given }, options(caller))).space);
  }

  async updateTier(caller: SpaceCaller, id: string, tier: number): Promise<SpaceInfo> {
    return toSpace((await this.#memory.UpdateSpaceTier({ ...of(caller, id), tier }, options(caller))).space);
  }

  async moveSpace(caller: SpaceCaller, id: string, shard: number): Promise<SpaceInfo> {
    return toSpace((await this.#memory.MoveSpace({ space_id: id, shard }, options(caller))).space);
  }

  async deleteSpace(caller: SpaceCaller, id: string): Promise<void> {
    await this.#memory.DeleteSpace(of(caller, id), options(caller));
  }

  verifySpace(caller: SpaceCaller, id: string): Promise<Verified> {
    return this.#memory.VerifySpace(of(caller, id), options(caller, VERIFY_TIMEOUT_MS));
  }

  async *dumpSpace(caller: SpaceCaller, id: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const frames = this.#memory.DumpSpace(of(caller, id), { ...callerOptions(caller), signal });
    for await (const { data } of frames) yield data;
  }

  async loadSpace(
    caller: SpaceCaller,
    id: string,
    owner: string,
    frames: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<SpaceInfo> {
    const failing = new AbortController();
    const call = this.#memory.LoadSpace({
      ...callerOptions(caller),
      signal: AbortSignal.any([signal, failing.signal]),
    });
    const send = async (): Promise<void> => {
      await call.send({ space_id: id, user: owner });
      for await (const data of frames) await call.send({ data: Buffer.from(data) });
      call.end();
    };
    // Frames that break off must not look like a whole dump: the call is cancelled.
    send().catch((error: unknown) => failing.abort(error));
    return lastSpace(call.responses);
  }

  async executeKip(caller: SpaceCaller, id: string, requestJson: string, readOnly: boolean): Promise<Answer<string>> {
    const request = { ...of(caller, id), request_json: requestJson, read_only: readOnly };
    const reply = await this.#memory.ExecuteKip(request, options(caller));
    return answer(reply.response_json, reply);
  }

  async probe(caller: SpaceCaller, id: string, query: string, limit: number): Promise<Answer<Probed>> {
    const reply = await this.#memory.Probe({ ...of(caller, id), query, limit }, options(caller));
    const { found, negative_cached, search_exhaustive, hits } = reply;
    const probed = { found, negativeCached: negative_cached, searchExhaustive: search_exhaustive };
    return answer({ ...probed, hits: hits.map(toCitation) }, reply);
  }

  async pin(caller: SpaceCaller, id: string, entity: string, pinned: boolean): Promise<unknown> {
    const reply = await this.#memory.PinMemory({ ...of(caller, id), entity, pinned }, options(caller));
    return { entity: reply.entity, pinned: reply.pinned, updated: reply.updated };
  }

  async forget(
    caller: SpaceCaller,
    id: string,
    entities: readonly string[],
    dryRun: boolean,
  ): Promise<Answer<unknown>> {
    const request = { ...of(caller, id), entities: [...entities], dry_run: dryRun };
    return result(await this.#memory.ForgetMemory(request, options(caller)));
  }

  async attention(caller: SpaceCaller, id: string, cursor: string, limit: number): Promise<Answer<unknown>> {
    const request = { ...of(caller, id), attention_cursor: cursor, limit };
    return result(await this.#memory.ListAttention(request, options(caller)));
  }

  async drafts(caller: SpaceCaller, id: string): Promise<Answer<unknown>> {
    return result(await this.#memory.ListDrafts(of(caller, id), options(caller)));
  }

  async promote(caller: SpaceCaller, id: string, kind: string, from: string, to: string): Promise<Answer<unknown>> {
    return result(await this.#memory.PromoteDraft({ ...of(caller, id), kind, from, to }, options(caller)));
  }

  async getOrInitUser(caller: SpaceCaller, id: string, user: string, name: string): Promise<Answer<unknown>> {
    return result(await this.#memory.GetOrInitUser({ ...of(caller, id), user, name }, options(caller)));
  }

  async formationStatus(caller: SpaceCaller, id: string): Promise<Answer<unknown>> {
    return result(await this.#memory.GetFormationStatus(of(caller, id), options(caller)));
  }

  async remember(caller: SpaceCaller, id: string, memory: NewMemory): Promise<Remembered> {
    const { text, user, idempotencyKey } = memory;
    const request = { ...of(caller, id), text, user, idempotency_key: idempotencyKey };
    const { conversation, entities } = await this.#memory.Remember(request, options(caller));
    return { conversation, entities };
  }

  async recall(caller: SpaceCaller, id: string, query: string, limit: number): Promise<Answer<Recalled>> {
    const reply = await this.#memory.Recall({ ...of(caller, id), query, limit }, options(caller));
    return answer({ found: reply.found, memories: reply.memories.map(toCitation) }, reply);
  }

  async conversations(caller: SpaceCaller, id: string, page: ConversationsPage): Promise<Answer<unknown>> {
    return result(await this.#memory.ListConversations({ ...of(caller, id), ...page }, options(caller)));
  }

  async conversation(
    caller: SpaceCaller,
    id: string,
    collection: string,
    conversation: string,
  ): Promise<Answer<unknown>> {
    const request = { ...of(caller, id), collection, conversation };
    return result(await this.#memory.GetConversation(request, options(caller)));
  }

  async conversationDelta(
    caller: SpaceCaller,
    id: string,
    collection: string,
    conversation: string,
    { messages, artifacts }: DeltaOffsets,
  ): Promise<Answer<unknown>> {
    const where = { ...of(caller, id), collection, conversation };
    const request = { ...where, messages_offset: messages, artifacts_offset: artifacts };
    return result(await this.#memory.GetConversationDelta(request, options(caller)));
  }

  async tokens(caller: SpaceCaller, id: string): Promise<readonly SpaceToken[]> {
    return (await this.#memory.ListSpaceTokens(of(caller, id), options(caller))).tokens.map(toToken);
  }

  async addToken(caller: SpaceCaller, id: string, token: NewSpaceToken): Promise<SpaceToken> {
    const { name, scope, expiresAt, labels } = token;
    const request = {
      ...of(caller, id),
      name,
      scope,
      ...(expiresAt === null ? {} : { expires_at_ms: expiresAt }),
      ...(labels === null ? {} : { labels: { labels: [...labels] } }),
    };
    return toToken((await this.#memory.AddSpaceToken(request, options(caller))).token!);
  }

  async revokeToken(caller: SpaceCaller, id: string, token: string, name: string): Promise<boolean> {
    return (await this.#memory.RevokeSpaceToken({ ...of(caller, id), token, name }, options(caller))).revoked;
  }
}

/** The fields by which every request names its Space. */
function of({ spaceToken, shard }: SpaceCaller, id: string) {
  return { space_id: id, space_token: spaceToken, ...(shard === null ? {} : { shard }) };
}

function callerOptions({ tenant, subject, scopes, traceparent }: SpaceCaller): CallOptions {
  return { principal: { tenant, subject, scopes }, traceparent };
}

/** Without the signal of the request: a client that leaves cancels nothing that was admitted. */
function options(caller: SpaceCaller, timeoutMs = CALL_TIMEOUT_MS): CallOptions {
  return { ...callerOptions(caller), timeoutMs };
}

function answer<T>(value: T, { freshness }: Fresh, nextCursor = ""): Answer<T> {
  return { value, nextCursor, staleAsOf: freshness?.stale === true ? freshness.as_of : "" };
}

function result(reply: Fresh & { readonly result_json: string; readonly next_cursor: string }): Answer<unknown> {
  return answer(JSON.parse(reply.result_json) as unknown, reply, reply.next_cursor);
}

async function lastSpace(replies: AsyncIterable<{ readonly space: WireSpace | null }>): Promise<SpaceInfo> {
  let last: WireSpace | null = null;
  for await (const { space } of replies) last = space ?? last;
  return toSpace(last);
}

function rethrowNamed(error: unknown): never {
  if (!(error instanceof MainspringError) || error.param !== "page_token") throw error;
  const message = error.message.replace("page_token", "after");
  throw new MainspringError(error.code, message, { cause: error, param: "after" });
}

function toSpace(space: WireSpace | null): SpaceInfo {
  const { id, owner, name, description, tier, tier_updated_at_ms, shard, created_at_ms, space_seq } = space!;
  return {
    id,
    owner,
    name,
    description,
    isPublic: space!.public,
    tier,
    tierUpdatedAt: tier_updated_at_ms,
    shard,
    createdAt: created_at_ms,
    spaceSeq: space_seq,
    details: space!.info_json === "" ? {} : (JSON.parse(space!.info_json) as SpaceInfo["details"]),
  };
}

function toCitation({ entity, type, name, confidence, source, created_at, text }: WireCitation): Citation {
  return { entity, type, name, confidence: confidence ?? null, source, createdAt: created_at, text };
}

function toToken(token: WireToken): SpaceToken {
  const { name, scope, usage, created_at_ms, updated_at_ms, expires_at_ms, labels } = token;
  return {
    token: token.token,
    name,
    scope,
    usage,
    createdAt: created_at_ms,
    updatedAt: updated_at_ms,
    expiresAt: expires_at_ms ?? null,
    labels: labels?.labels ?? null,
  };
}
