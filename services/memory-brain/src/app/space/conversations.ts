/** Conversations of a Space: what was given to Formation, asked of Recall, done by Maintenance. */
import { KipError, type Json, type JsonObject } from "@mainspring/kip";
import type { Collection, ConversationRow } from "../../ports/space-records.ts";
import { COLLECTIONS } from "../../ports/space-records.ts";
import type { SpaceScope } from "./scope.ts";

export const CONVERSATIONS_PAGE_MAX = 100;
const PAGE_DEFAULT = 20;
const HOUR_MS = 3_600_000;
export const NO_USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, requests: 0 } as const;

export function collectionOf(text: string): Collection {
  const found = COLLECTIONS.find((name) => name === (text === "" ? "formation" : text));
  if (found === undefined) throw new KipError("ConstraintViolation", `collection is one of ${COLLECTIONS.join(", ")}`);
  return found;
}

/** A stored conversation as it is shown. Times are Unix ms. */
export function viewOf(row: ConversationRow): JsonObject {
  return {
    _id: row.id,
    user: row.user,
    ...(JSON.parse(row.body) as JsonObject),
    status: row.status,
    period: Math.floor(row.createdAt / HOUR_MS),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export interface Page {
  readonly result: Json;
  readonly nextCursor: string;
}

/** Newest first. The cursor is the last id of the page before. */
export function listConversations(
  { records }: SpaceScope,
  asked: { readonly collection: string; readonly cursor: string; readonly limit: number },
): Page {
  const collection = collectionOf(asked.collection);
  if (asked.cursor !== "" && !/^[1-9][0-9]{0,14}$/.test(asked.cursor))
    throw new KipError("CursorInvalid", "this is not a cursor of this list");
  const before = asked.cursor === "" ? Number.MAX_SAFE_INTEGER : Number(asked.cursor);
  const limit = asked.limit === 0 ? PAGE_DEFAULT : asked.limit;
  if (limit > CONVERSATIONS_PAGE_MAX)
    throw new KipError("ResultLimitExceeded", `limit is from 1 to ${CONVERSATIONS_PAGE_MAX}`);
  const rows = records.conversations(collection, before, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    result: shown.map(viewOf),
    nextCursor: rows.length > limit ? String(shown.at(-1)!.id) : "",
  };
}

function find({ records }: SpaceScope, collection: string, id: string): ConversationRow {
  const row = /^[1-9][0-9]{0,14}$/.test(id) ? records.conversation(collectionOf(collection), Number(id)) : undefined;
  if (row === undefined) throw new KipError("NotFoundOrNotVisible", "there is no such conversation");
  return row;
}

export function getConversation(
  scope: SpaceScope,
  { collection, conversation }: { readonly collection: string; readonly conversation: string },
): JsonObject {
  collectionOf(collection);
  return viewOf(find(scope, collection, conversation));
}

export interface DeltaAsked {
  readonly collection: string;
  readonly conversation: string;
  readonly messagesOffset: number;
  readonly artifactsOffset: number;
}

/** What came after the given numbers of messages and artifacts. */
export function conversationDelta(scope: SpaceScope, asked: DeltaAsked): JsonObject {
  collectionOf(asked.collection);
  const view = viewOf(find(scope, asked.collection, asked.conversation));
  const after = (name: string, offset: number): Json[] => ((view[name] ?? []) as Json[]).slice(offset);
  return {
    _id: view["_id"]!,
    messages: after("messages", asked.messagesOffset),
    artifacts: after("artifacts", asked.artifactsOffset),
    status: view["status"]!,
    usage: view["usage"] ?? { ...NO_USAGE },
    ...(view["failed_reason"] === undefined ? {} : { failed_reason: view["failed_reason"] }),
    updated_at: view["updated_at"]!,
    ...(view["child"] === undefined ? {} : { child: view["child"] }),
  };
}
