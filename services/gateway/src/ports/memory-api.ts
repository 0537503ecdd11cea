/** Spaces as the gateway needs them. A Space of another tenant is `not_found`, like one that does not exist. */
import type { Caller, Page } from "./engine-api.ts";

export interface SpaceCaller extends Caller {
  /** As it was presented; empty without one. */
  readonly spaceToken: string;
  /** Shard that the caller says the Space is on; null: wherever it is. */
  readonly shard: number | null;
}

export interface SpaceInfo {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly tier: number;
  /** Unix ms. */
  readonly tierUpdatedAt: number;
  readonly shard: number;
  /** Unix ms. */
  readonly createdAt: number;
  /** 0 in lists. */
  readonly spaceSeq: number;
  /** Counts, usage and the rest. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Answer<T> {
  readonly value: T;
  /** Empty at the end, and where there are no pages. */
  readonly nextCursor: string;
  /** RFC 3339: the owner answered from what it knew then. Empty when the answer is the newest. */
  readonly staleAsOf: string;
}

export interface Citation {
  readonly entity: string;
  readonly type: string;
  readonly name: string;
  /** Null when nothing claims it. */
  readonly confidence: number | null;
  readonly source: string;
  readonly createdAt: string;
  /** The passage; empty in a probe. */
  readonly text: string;
}

export interface Probed {
  readonly found: boolean;
  readonly negativeCached: boolean;
  readonly searchExhaustive: boolean;
  readonly hits: readonly Citation[];
}

export interface Recalled {
  readonly found: boolean;
  readonly memories: readonly Citation[];
}

export interface SpaceToken {
  /** The first characters and `…`; the whole value only when it was just made. */
  readonly token: string;
  readonly name: string;
  readonly scope: string;
  readonly usage: number;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  /** Null: unrestricted. Empty: content without a label only. */
  readonly labels: readonly string[] | null;
}

export interface NewSpace {
  readonly id: string;
  readonly owner: string;
  readonly tier: number;
  /** Null: the least loaded one. */
  readonly shard: number | null;
}

export interface SpaceChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly public?: boolean | undefined;
}

export interface NewSpaceToken {
  readonly name: string;
  readonly scope: string;
  readonly expiresAt: number | null;
  readonly labels: readonly string[] | null;
}

export interface Verified {
  readonly equal: boolean;
  readonly rows: number;
  readonly differences: readonly string[];
}

export interface DeltaOffsets {
  readonly messages: number;
  readonly artifacts: number;
}

type Json = unknown;

export interface MemoryApi {
  createSpace(caller: SpaceCaller, space: NewSpace): Promise<SpaceInfo>;
  getSpace(caller: SpaceCaller, id: string): Promise<Answer<SpaceInfo>>;
  listSpaces(caller: SpaceCaller, pageSize: number, pageToken: string): Promise<Page<SpaceInfo>>;
  updateSpace(caller: SpaceCaller, id: string, change: SpaceChange): Promise<SpaceInfo>;
  updateTier(caller: SpaceCaller, id: string, tier: number): Promise<SpaceInfo>;
  moveSpace(caller: SpaceCaller, id: string, shard: number): Promise<SpaceInfo>;
  deleteSpace(caller: SpaceCaller, id: string): Promise<void>;
  verifySpace(caller: SpaceCaller, id: string): Promise<Verified>;
  /** Frames of at most 1 MiB. Throws before the first one when the caller may not. */
  dumpSpace(caller: SpaceCaller, id: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Frames may have any size up to 1 MiB. */
  loadSpace(
    caller: SpaceCaller,
    id: string,
    owner: string,
    frames: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<SpaceInfo>;

  /** Envelopes as JSON text. A KIP request that fails is an answer. */
  executeKip(caller: SpaceCaller, id: string, requestJson: string, readOnly: boolean): Promise<Answer<string>>;
  probe(caller: SpaceCaller, id: string, query: string, limit: number): Promise<Answer<Probed>>;
  pin(caller: SpaceCaller, id: string, entity: string, pinned: boolean): Promise<Json>;
  forget(caller: SpaceCaller, id: string, entities: readonly string[], dryRun: boolean): Promise<Answer<Json>>;
  attention(caller: SpaceCaller, id: string, cursor: string, limit: number): Promise<Answer<Json>>;
  drafts(caller: SpaceCaller, id: string): Promise<Answer<Json>>;
  promote(caller: SpaceCaller, id: string, kind: string, from: string, to: string): Promise<Answer<Json>>;
  getOrInitUser(caller: SpaceCaller, id: string, user: string, name: string): Promise<Answer<Json>>;
  formationStatus(caller: SpaceCaller, id: string): Promise<Answer<Json>>;
  remember(caller: SpaceCaller, id: string, memory: NewMemory): Promise<Remembered>;
  recall(caller: SpaceCaller, id: string, query: string, limit: number): Promise<Answer<Recalled>>;

  conversations(caller: SpaceCaller, id: string, page: ConversationsPage): Promise<Answer<Json>>;
  conversation(caller: SpaceCaller, id: string, collection: string, conversation: string): Promise<Answer<Json>>;
  conversationDelta(
    caller: SpaceCaller,
    id: string,
    collection: string,
    conversation: string,
    offsets: DeltaOffsets,
  ): Promise<Answer<Json>>;

  tokens(caller: SpaceCaller, id: string): Promise<readonly SpaceToken[]>;
  addToken(caller: SpaceCaller, id: string, token: NewSpaceToken): Promise<SpaceToken>;
  /** One of the two is empty. */
  revokeToken(caller: SpaceCaller, id: string, token: string, name: string): Promise<boolean>;
}

export interface NewMemory {
  readonly text: string;
  readonly user: string;
  readonly idempotencyKey: string;
}

export interface Remembered {
  readonly conversation: string;
  readonly entities: readonly string[];
}

export interface ConversationsPage {
  readonly collection: string;
  readonly cursor: string;
  readonly limit: number;
}
