/** Conversations of a Space, and its tokens. */
import type { MemoryBrainHandlers } from "@mainspring/contracts";
import type { SpaceToken } from "@mainspring/contracts/memory-brain";
import { MainspringError } from "@mainspring/kernel";

import type { BrainPorts, Entered } from "../app/brain.ts";
import { enter, freshnessOf } from "../app/brain.ts";
import { newToken, tokenHash } from "../app/space-tokens.ts";
import type { TokenRow } from "../ports/space-records.ts";

type ConversationHandlers = Pick<
  MemoryBrainHandlers,
  | "ListConversations"
  | "GetConversation"
  | "GetConversationDelta"
  | "ListSpaceTokens"
  | "AddSpaceToken"
  | "RevokeSpaceToken"
>;

export function conversationHandlers(ports: BrainPorts): ConversationHandlers {
  return {
    ListConversations: (request, { principal }) =>
      enter(ports, "ListConversations", request, principal, async (entered) => {
        checkCollection(entered, request.collection);
        const { collection, cursor, limit } = request;
        const { handle } = entered.space;
        const page = await handle.call("conversations", { collection, cursor, limit }, entered.reading);
        return { ...resultOf(entered, page.result), next_cursor: page.nextCursor };
      }),
    GetConversation: (request, { principal }) =>
      enter(ports, "GetConversation", request, principal, async (entered) => {
        checkCollection(entered, request.collection);
        const { collection, conversation } = request;
        const { handle } = entered.space;
        return resultOf(entered, await handle.call("conversation", { collection, conversation }, entered.reading));
      }),
    GetConversationDelta: (request, { principal }) =>
      enter(ports, "GetConversationDelta", request, principal, async (entered) => {
        checkCollection(entered, request.collection);
        const { collection, conversation, messages_offset, artifacts_offset } = request;
        const offsets = { messagesOffset: messages_offset, artifactsOffset: artifacts_offset };
        const asked = { collection, conversation, ...offsets };
        return resultOf(entered, await entered.space.handle.call("conversationDelta", asked, entered.reading));
      }),
    ListSpaceTokens: (request, { principal }) =>
      enter(ports, "ListSpaceTokens", request, principal, async ({ space, reading }) => {
        const rows = await space.handle.call("tokens", null, reading);
        return { tokens: rows.map((row) => tokenOf(row, `${row.shown}…`, space.uses.get(row.hash) ?? 0)) };
      }),
    AddSpaceToken: (request, { principal }) =>
      enter(ports, "AddSpaceToken", request, principal, async ({ space, admitted, writing }) => {
        if (request.scope === "*" && !admitted.full) {
          throw new MainspringError(
            "permission_denied",
            "a token with the scope * needs a CWT with the scope *, or an admin key",
            {
              reason: "insufficient_scope",
            },
          );
        }
        const wish = {
          name: request.name,
          scope: request.scope,
          expiresAt: request.expires_at_ms ?? null,
          labels: request.labels?.labels ?? null,
        };
        const { value, kept } = newToken(ports.random, wish, ports.clock.now());
        const row = await space.handle.call("addToken", kept, writing);
        space.tokens.set(row.hash, row);
        return { token: tokenOf(row, value, 0) };
      }),
    RevokeSpaceToken: (request, { principal }) =>
      enter(ports, "RevokeSpaceToken", request, principal, async ({ space, writing }) => {
        const name = request.name.trim();
        if ((request.token === "") === (name === "")) {
          throw new MainspringError("invalid_argument", "give the token or its name, one of the two");
        }
        const by = request.token === "" ? { name } : { hash: tokenHash(request.token) };
        const revoked = await space.handle.call("revokeToken", by, writing);
        for (const row of space.tokens.values())
          if (revoked && (row.hash === by.hash || row.name === by.name)) space.tokens.delete(row.hash);
        return { revoked };
      }),
  };
}

/** What others asked is nobody's business who did not say who they are. */
function checkCollection({ admitted }: Entered, collection: string): void {
  if (collection !== "recall" || !admitted.anonymous) return;
  throw new MainspringError("permission_denied", "recall conversations need a credential", {
    reason: "missing_credential",
  });
}

function resultOf({ space }: Entered, result: unknown) {
  return { result_json: JSON.stringify(result), next_cursor: "", freshness: freshnessOf(space) };
}

function tokenOf(row: TokenRow, token: string, unwritten: number): SpaceToken {
  return {
    token,
    name: row.name,
    scope: row.scope,
    usage: row.usage + unwritten,
    created_at_ms: row.createdAt,
    updated_at_ms: row.updatedAt,
    ...(row.expiresAt === null ? {} : { expires_at_ms: row.expiresAt }),
    labels: row.labels === null ? null : { labels: [...row.labels] },
  };
}
