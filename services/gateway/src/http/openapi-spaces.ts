/** The memory routes, for the description of the API. */
import { z } from "zod";

import type { Operation } from "./openapi.ts";
import * as bodies from "./spaces/bodies.ts";

type Below = Omit<Operation, "status">;

const COLLECTION = { collection: "`formation` (default), `recall` or `maintenance`." };
const cursorOf = (of: string): string => `Cursor: \`${of}\` of the page before.`;
const envelope = z.strictObject({
  result: z.unknown(),
  next_cursor: z.string().optional().describe("Send it as `cursor` for the next page; absent at the end."),
});
const kipResponse = z.looseObject({ kip: z.literal("2.0"), status: z.string(), results: z.array(z.unknown()) });
const BODIES = ["application/json", "application/cbor", "text/markdown"];

/** Below a Space: the same at `/v1/{space}` and `/v1/spaces/{space}`. */
const BELOW: readonly Below[] = [
  { method: "get", path: "/info", summary: "What the Space is and how much is in it." },
  { method: "get", path: "/status", summary: "The same as /info." },
  { method: "get", path: "/formation_status", summary: "How far formation and maintenance are." },
  {
    method: "post",
    path: "/probe",
    summary: "Whether the Space knows anything of a query. Only a search, no model.",
    body: bodies.probeBody,
  },
  {
    method: "post",
    path: "/memory/pin",
    summary: "Keeps an element out of archival, or lets it in again.",
    body: bodies.pinBody,
  },
  {
    method: "post",
    path: "/memory/forget",
    summary: "Erases elements for good, or says what would be erased.",
    body: bodies.forgetBody,
  },
  {
    method: "get",
    path: "/memory/attention",
    summary: "What is due: fired watches and commitments.",
    query: { attention_cursor: cursorOf("attention_cursor"), limit: "1 to 50; 20 when absent." },
  },
  { method: "get", path: "/schema/drafts", summary: "Vocabulary that the Space has made for itself." },
  {
    method: "post",
    path: "/schema/promote",
    summary: "Turns a draft into a symbol of a package. Needs a CWT.",
    body: bodies.promoteBody,
  },
  {
    method: "post",
    path: "/get_or_init_user",
    summary: "The Person of a user, made when it is missing.",
    body: bodies.userBody,
  },
  {
    method: "get",
    path: "/conversations",
    summary: "Conversations, the latest first.",
    query: { ...COLLECTION, cursor: cursorOf("next_cursor"), limit: "Most entries of the page, up to 200." },
  },
  { method: "get", path: "/conversations/{id}", summary: "One conversation.", query: COLLECTION },
  {
    method: "get",
    path: "/conversations/{id}/delta",
    summary: "What a conversation has beyond what the caller has seen.",
    query: { ...COLLECTION, messages_offset: "Messages seen.", artifacts_offset: "Artifacts seen." },
  },
  {
    method: "post",
    path: "/execute_kip_readonly",
    summary: "A KIP request that only reads. The answer is the KIP response.",
    body: bodies.kipBody,
    answer: kipResponse,
  },
  {
    method: "post",
    path: "/execute_kip",
    summary: "A KIP request of any kind. Needs a CWT with the scope `*` or an admin key.",
    body: bodies.kipBody,
    answer: kipResponse,
  },
  { method: "get", path: "/management/space_tokens", summary: "Tokens of the Space. Needs a CWT." },
  {
    method: "post",
    path: "/management/add_space_token",
    summary: "Makes a token; its value is shown here and never again. Needs a CWT.",
    body: bodies.addTokenBody,
  },
  {
    method: "post",
    path: "/management/revoke_space_token",
    summary: "Revokes a token by value or by name. Needs a CWT.",
    body: bodies.revokeTokenBody,
  },
  {
    method: "patch",
    path: "/management/update_space",
    summary: "Changes name, description or whether anybody may read. Needs a CWT.",
    body: bodies.updateSpaceBody,
  },
];

const rpc = (operation: Below): Operation => ({
  answer: envelope,
  types: BODIES,
  ...operation,
  status: 200,
  rpc: true,
});

const time = z.iso.datetime();
export const space = z.strictObject({
  id: z.string(),
  object: z.literal("space"),
  owner: z.string(),
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  tier: z.int().describe("Formation takes up to 10^(tier+2) concepts or conversations."),
  shard: z.int(),
  space_seq: z.int().optional().describe("Commits so far; absent in lists."),
  created_at: time,
  stale_as_of: time.optional().describe("The answer was the newest then; nobody can say whether it still is."),
});
export const memory = z.strictObject({
  entity: z.string(),
  type: z.string().optional(),
  name: z.string().optional(),
  confidence: z.number().optional(),
  source: z.string().optional(),
  created_at: time.optional(),
  text: z.string().optional(),
});
const spaces = z.strictObject({
  object: z.literal("list"),
  data: z.array(space),
  next: z.string().nullable().describe("Send it as `after` for the next page; null at the end."),
});
const memories = z.strictObject({
  object: z.literal("list"),
  found: z.boolean(),
  data: z.array(memory),
  next: z.null(),
  stale_as_of: time.optional(),
});
const kept = z.strictObject({
  object: z.literal("memory"),
  conversation: z.string(),
  entities: z.array(z.string()).describe("The evidence that holds the text."),
});
const verification = z.strictObject({
  object: z.literal("space.verification"),
  equal: z.boolean(),
  rows: z.int(),
  differences: z.array(z.string()).describe("The first ones."),
});

const NATIVE: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/spaces",
    summary: "Spaces of the caller's tenant, by id.",
    query: { limit: "Most entries of the page, up to 200.", after: cursorOf("next") },
    status: 200,
    answer: spaces,
  },
  {
    method: "post",
    path: "/v1/spaces",
    summary: "Makes a Space. Admins only.",
    body: bodies.createSpaceBody,
    status: 201,
    answer: space,
  },
  { method: "get", path: "/v1/spaces/{space}", summary: "One Space.", status: 200, answer: space },
  {
    method: "delete",
    path: "/v1/spaces/{space}",
    summary: "Removes the Space with everything in it; its name is free again. Admins only.",
    status: 204,
  },
  {
    method: "post",
    path: "/v1/spaces/{space}/move",
    summary: "Hands the Space to another shard. Admins only.",
    body: bodies.moveBody,
    status: 200,
    answer: space,
  },
  {
    method: "post",
    path: "/v1/spaces/{space}/verify",
    summary: "Compares the local database of the Space with its record log. Admins only.",
    status: 200,
    answer: verification,
  },
  {
    method: "get",
    path: "/v1/spaces/{space}/memories",
    summary: "The passages that fit a query best, with what they come from. Calls no model.",
    query: { query: "What to recall.", limit: "1 to 50; 8 when absent." },
    status: 200,
    answer: memories,
  },
  {
    method: "post",
    path: "/v1/spaces/{space}/memories",
    summary: "Keeps a text as evidence. A repeated Idempotency-Key answers as the first time.",
    body: bodies.rememberBody,
    status: 201,
    answer: kept,
  },
  {
    method: "get",
    path: "/v1/spaces/{space}/dump",
    summary: "The whole Space but its tokens as bytes, for load. Admins only.",
    status: 200,
    types: ["application/octet-stream"],
  },
  {
    method: "post",
    path: "/v1/spaces/{space}/load",
    summary: "Makes the Space from a dump, which is the body; it has no tokens. Admins only.",
    query: { owner: "Principal that owns it; the caller when absent." },
    status: 201,
    answer: space,
  },
];

const ROOTED: readonly Operation[] = [
  { method: "get", path: "/info", summary: "What serves Spaces here.", status: 200, types: BODIES },
  {
    method: "get",
    path: "/SKILL.md",
    summary: "How an agent uses a Space.",
    status: 200,
    types: ["text/markdown"],
  },
  rpc({
    method: "post",
    path: "/admin/create_space",
    summary: "Makes a Space. Admins only.",
    body: bodies.adminCreateBody,
  }),
  rpc({
    method: "post",
    path: "/admin/{space}/update_space_tier",
    summary: "Changes the tier of a Space. Admins only.",
    body: bodies.tierBody,
  }),
];

export const SPACE_OPERATIONS: readonly Operation[] = [
  ...ROOTED,
  ...NATIVE,
  ...["/v1/{space}", "/v1/spaces/{space}"].flatMap((prefix) =>
    BELOW.map((operation) => rpc({ ...operation, path: prefix + operation.path })),
  ),
];
