/** Keeps a text as Evidence, in pieces that are all found by their words. No model reads it. */
import { KipError, type Json } from "@mainspring/kip";
import { requireId } from "../../domain/element-id.ts";
import { capacityOf, TIER_MAX } from "../../domain/tier.ts";
import { piecesOf } from "../../domain/passages.ts";
import type { ConversationRow } from "../../ports/space-records.ts";
import { isoTime } from "../render.ts";
import { NO_USAGE } from "./conversations.ts";
import { handlesOf, runCommand, type SpaceScope } from "./scope.ts";

/** Longest text, in UTF-8 bytes. */
export const REMEMBER_BYTES_MAX = 1024 * 1024;

export interface RememberAsked {
  readonly text: string;
  /** Key of the Person who said it. */
  readonly user: string;
  /** Agent that keeps it for them, by its own words; empty when they did it themselves. */
  readonly agent: string;
  readonly idempotencyKey: string;
  readonly tier: number;
}

export interface Remembered {
  readonly conversation: string;
  readonly entities: readonly string[];
}

/** Digest of a conversation whose transcript was erased: nobody can say any more what its text was. */
const ERASED = "erased";

/** A repeated key answers as the first time, and refuses another text. */
export function remember(scope: SpaceScope, asked: RememberAsked): Remembered {
  const { records, engine, now, context } = scope;
  checkText(asked.text);
  const digest = engine.digest(JSON.stringify([asked.text, asked.user, ...(asked.agent === "" ? [] : [asked.agent])]));
  const clientKey = asked.idempotencyKey === "" ? null : `${context.caller} ${asked.idempotencyKey}`;
  const before = clientKey === null ? undefined : records.conversationByKey("formation", clientKey);
  if (before !== undefined) {
    if (before.digest !== digest && before.digest !== ERASED)
      throw new KipError("IdempotencyConflict", "this idempotency key belongs to another text");
    const { extra } = JSON.parse(before.body) as { readonly extra: { readonly evidence: readonly string[] } };
    return { conversation: String(before.id), entities: extra.evidence };
  }
  checkCapacity(scope, asked.tier);
  const id = records.nextConversation("formation");
  const entities = writeEvidence(scope, asked, `formation:${id}`);
  const body = {
    messages: [{ role: "user", content: asked.text, user: asked.user, timestamp: now }],
    resources: [],
    artifacts: [],
    usage: { ...NO_USAGE },
    extra: { evidence: entities, disposition: "evidence_only" },
  };
  const row: ConversationRow = {
    collection: "formation",
    id,
    clientKey,
    digest,
    user: asked.user,
    status: "completed",
    body: JSON.stringify(body),
    createdAt: now,
    updatedAt: now,
  };
  records.putConversation(row);
  records.linkEvidence("formation", id, entities.map(requireId));
  return { conversation: String(id), entities };
}

function checkText(text: string): void {
  if (text.trim() === "") throw new KipError("ConstraintViolation", "the text is empty");
  if (Buffer.byteLength(text) > REMEMBER_BYTES_MAX) {
    throw new KipError("ResourceExhausted", `a text has at most ${REMEMBER_BYTES_MAX} bytes`, {
      details: { limit: "text", max: REMEMBER_BYTES_MAX },
    });
  }
}

/** Formation takes nothing new above the tier's capacity; everything else goes on. */
function checkCapacity({ records, engine }: SpaceScope, tier: number): void {
  const capacity = capacityOf(tier);
  const used = Math.max(records.countElements(0), records.countConversations("formation"));
  if (used < capacity) return;
  const raise =
    tier < TIER_MAX ? `; an admin raises it: mainspring space update ${engine.spaceId} --tier ${tier + 1}` : "";
  throw new KipError(
    "ResourceExhausted",
    `the Space is full: tier ${tier} holds ${capacity} concepts or conversations${raise}`,
    { details: { limit: "tier", max: capacity } },
  );
}

/** Key of the Person that an agent is. */
const agentKeyOf = (agent: string): string => `agent/${agent}`;

function writeEvidence(scope: SpaceScope, { text, user, agent }: RememberAsked, source: string): string[] {
  const pieces = piecesOf(text);
  const person = user === "" ? "" : 'UPSERT CONCEPT ?user { MATCH {type: "Person", key: :user} }';
  // What an agent keeps is in its words: it is its statement, from who it works for.
  const doing =
    agent === ""
      ? ""
      : 'UPSERT CONCEPT ?agent { MATCH {type: "Person", key: :agent} } CREATE ACTIVITY ?remembering ' +
        '{ SET FIELDS {activity_class: "remember", status: "completed", associated_actors: [?agent]} }';
  const by = agent === "" ? "" : ", generated_by: ?remembering";
  const said = (user === "" ? "" : ", source: ?user") + by;
  const evidenceClass = agent === "" ? "user_statement" : "agent_statement";
  const created = pieces.map(
    (_, index) =>
      `CREATE EVIDENCE ?e${index} { CLIENT KEY :k${index} SET FIELDS {evidence_class: "${evidenceClass}", media_type: "text/plain", payload: :p${index}, observed_at: :at${said}} }`,
  );
  const parameters: Record<string, Json> = {
    at: isoTime(scope.now),
    ...(user === "" ? {} : { user }),
    ...(agent === "" ? {} : { agent: agentKeyOf(agent) }),
  };
  pieces.forEach((piece, index) => {
    parameters[`k${index}`] = `${source}:${index + 1}`;
    parameters[`p${index}`] = piece;
  });
  const handles = handlesOf(runCommand(scope, `MUTATE { ${person} ${doing} ${created.join(" ")} }`, parameters));
  return pieces.map((_, index) => handles[`e${index}`]!);
}
