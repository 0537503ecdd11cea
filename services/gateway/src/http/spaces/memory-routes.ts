/** What a Space holds: KIP, probes, pins, attention, drafts, conversations. */
import type { Answer } from "../../ports/memory-api.ts";
import { intParam, pathParam, textParam } from "../context.ts";
import { forgetBody, kipBody, pinBody, probeBody, promoteBody, userBody } from "./bodies.ts";
import type { SpaceCall, SpaceRoutes } from "./space-call.ts";
import { idempotencyKeyOf, newest, noteStale, parsed } from "./space-call.ts";
import { citationView, spaceInfoView } from "./views.ts";
import { sendBody } from "./wire.ts";

const ATTENTION_MAX = 50;
const CONVERSATIONS_MAX = 200;
const OFFSET_MAX = 2 ** 31 - 1;

export function memoryRoutes(routes: SpaceRoutes): void {
  routes.at("get", "/info", spaceInfo);
  routes.at("get", "/status", spaceInfo);
  routes.at("get", "/formation_status", ({ memory, caller, spaceId }) => memory.formationStatus(caller, spaceId));
  routes.at("post", "/probe", probe, { text: true });
  routes.at("post", "/memory/pin", pin);
  routes.at("post", "/memory/forget", forget);
  routes.at("get", "/memory/attention", attention);
  routes.at("get", "/schema/drafts", ({ memory, caller, spaceId }) => memory.drafts(caller, spaceId));
  routes.at("post", "/schema/promote", promote);
  routes.at("post", "/get_or_init_user", getOrInitUser);
  routes.at("get", "/conversations", conversations);
  routes.at("get", "/conversations/:id", conversation);
  routes.at("get", "/conversations/:id/delta", conversationDelta);
  routes.raw("post", "/execute_kip_readonly", (call) => executeKip(call, true), { text: true });
  routes.raw("post", "/execute_kip", (call) => executeKip(call, false), { text: true });
}

async function spaceInfo({ memory, caller, spaceId }: SpaceCall): Promise<Answer<unknown>> {
  const answer = await memory.getSpace(caller, spaceId);
  return { ...answer, value: spaceInfoView(answer.value) };
}

async function probe({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { query, limit = 0 } = parsed(probeBody, typeof body === "string" ? { query: body } : body);
  const answer = await memory.probe(caller, spaceId, query, limit);
  const { found, negativeCached, searchExhaustive, hits } = answer.value;
  const value = {
    found,
    negative_cached: negativeCached,
    search_exhaustive: searchExhaustive,
    ...(hits.length === 0 ? {} : { hits: hits.map(citationView) }),
  };
  return { ...answer, value };
}

async function pin({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { entity, pinned } = parsed(pinBody, body);
  return newest(await memory.pin(caller, spaceId, entity, pinned));
}

function forget({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { entities, dry_run } = parsed(forgetBody, body);
  return memory.forget(caller, spaceId, entities, dry_run);
}

async function attention({ memory, caller, spaceId, request }: SpaceCall): Promise<Answer<unknown>> {
  const limit = intParam(request, "limit", 0, 1, ATTENTION_MAX);
  const answer = await memory.attention(caller, spaceId, textParam(request, "attention_cursor"), limit);
  // Its cursor is part of the result.
  return { ...answer, nextCursor: "" };
}

function promote({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { kind, from, to } = parsed(promoteBody, body);
  return memory.promote(caller, spaceId, kind, from, to);
}

function getOrInitUser({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { user, name } = parsed(userBody, body);
  return memory.getOrInitUser(caller, spaceId, user, name);
}

function conversations({ memory, caller, spaceId, request }: SpaceCall): Promise<Answer<unknown>> {
  const limit = intParam(request, "limit", 0, 1, CONVERSATIONS_MAX);
  const [collection, cursor] = [textParam(request, "collection"), textParam(request, "cursor")];
  return memory.conversations(caller, spaceId, { collection, cursor, limit });
}

function conversation({ memory, caller, spaceId, request }: SpaceCall): Promise<Answer<unknown>> {
  return memory.conversation(caller, spaceId, textParam(request, "collection"), pathParam(request, "id"));
}

function conversationDelta({ memory, caller, spaceId, request }: SpaceCall): Promise<Answer<unknown>> {
  const [collection, id] = [textParam(request, "collection"), pathParam(request, "id")];
  return memory.conversationDelta(caller, spaceId, collection, id, {
    messages: intParam(request, "messages_offset", 0, 0, OFFSET_MAX),
    artifacts: intParam(request, "artifacts_offset", 0, 0, OFFSET_MAX),
  });
}

/** The answer is the KIP response itself, with status 200 also where it says that the request failed. */
async function executeKip(call: SpaceCall, readOnly: boolean): Promise<void> {
  const { memory, caller, spaceId, request, response, body } = call;
  const given = parsed(kipBody, body);
  const kip = readOnly ? given : withIdempotencyKey(given, idempotencyKeyOf(request));
  const { value, staleAsOf } = await memory.executeKip(caller, spaceId, JSON.stringify(kip), readOnly);
  noteStale(response, staleAsOf);
  sendBody(request, response, JSON.parse(value) as object);
}

interface Envelope {
  readonly execution?: unknown;
  readonly operations?: unknown;
}

/** The request under the key of its header, unless it has one of its own. */
export function withIdempotencyKey(kip: string | Envelope, key: string): string | Envelope {
  if (key === "") return kip;
  if (typeof kip === "string") {
    return withIdempotencyKey({ kip: "2.0", operations: [{ command: kip }] } as Envelope, key);
  }
  const { execution = {}, operations } = kip;
  const operationList: readonly unknown[] = Array.isArray(operations) ? operations : [];
  const isWrong = typeof execution !== "object" || execution === null || Array.isArray(execution);
  if (isWrong || hasKey(execution) || operationList.some(hasKey)) return kip;
  return { ...kip, execution: { ...execution, idempotency_key: key } };
}

function hasKey(part: unknown): boolean {
  return typeof part === "object" && part !== null && "idempotency_key" in part;
}
