/** What is in a Space: KIP, finding, keeping, forgetting. */
import type { CallContext, MemoryBrainHandlers } from "@mainspring/contracts";
import type { Citation } from "@mainspring/contracts/memory-brain";
import { MESSAGE_BYTES_MAX } from "@mainspring/contracts";
import { checkJson, MainspringError } from "@mainspring/kernel";
import { KipError, type KipResponse } from "@mainspring/kip";

import type { BrainPorts, Entered } from "../app/brain.ts";
import { enter, freshnessOf, writing } from "../app/brain.ts";
import { SYSTEM } from "../app/open-spaces.ts";
import type { CitationRow } from "../app/space/recall.ts";

/** Room in a message for what is around a response. */
const RESPONSE_BYTES_MAX = MESSAGE_BYTES_MAX - 64 * 1024;
const USER_CHARACTERS_MAX = 256;
const KEY_CHARACTERS_MAX = 256;

type MemoryHandlers = Pick<
  MemoryBrainHandlers,
  | "ExecuteKip"
  | "Probe"
  | "PinMemory"
  | "ForgetMemory"
  | "ListAttention"
  | "ListDrafts"
  | "PromoteDraft"
  | "GetOrInitUser"
  | "GetFormationStatus"
  | "Remember"
  | "Recall"
>;

export function memoryHandlers(ports: BrainPorts): MemoryHandlers {
  return {
    ExecuteKip: (request, { principal }) => {
      const method = request.read_only ? "ReadKip" : "WriteKip";
      return enter(ports, method, request, principal, (entered) =>
        executeKip(entered, request.request_json, request.read_only),
      );
    },
    Probe: (request, { principal }) =>
      enter(ports, "Probe", request, principal, (entered) => probe(ports, entered, request)),
    PinMemory: (request, { principal }) =>
      enter(ports, "PinMemory", request, principal, ({ space, writing: context }) =>
        writing(space, () => space.handle.call("pin", { entity: request.entity, pinned: request.pinned }, context)),
      ),
    ForgetMemory: (request, { principal }) =>
      enter(ports, "ForgetMemory", request, principal, ({ space, writing: context }) =>
        writing(space, async () => {
          const asked = { entities: request.entities, dryRun: request.dry_run };
          return resultOf(space, await space.handle.call("forget", asked, context));
        }),
      ),
    ListAttention: (request, { principal }) =>
      enter(ports, "ListAttention", request, principal, (entered) => attention(entered, request)),
    ListDrafts: (request, { principal }) =>
      enter(ports, "ListDrafts", request, principal, async ({ space, reading }) =>
        resultOf(space, await space.handle.call("drafts", null, reading)),
      ),
    PromoteDraft: (request, { principal }) =>
      enter(ports, "PromoteDraft", request, principal, ({ space, writing: context }) =>
        writing(space, async () => {
          const kind = kindOf(request.kind);
          return resultOf(space, await space.handle.promote(kind, request.from, request.to, context));
        }),
      ),
    GetOrInitUser: (request, { principal }) =>
      enter(ports, "GetOrInitUser", request, principal, ({ space, writing: context }) =>
        writing(space, async () => {
          const asked = { user: limited("user", request.user), name: limited("name", request.name) };
          return resultOf(space, await space.handle.call("getOrInitUser", asked, context));
        }),
      ),
    GetFormationStatus: (request, { principal }) =>
      enter(ports, "GetFormationStatus", request, principal, async ({ space, reading }) =>
        resultOf(space, await space.handle.call("formationStatus", null, reading)),
      ),
    Remember: (request, { principal }) =>
      enter(ports, "Remember", request, principal, (entered) => remember(entered, request, principal)),
    Recall: (request, { principal }) =>
      enter(ports, "Recall", request, principal, async ({ space, reading }) => {
        const asked = { query: request.query, limit: request.limit };
        const { hits } = await space.handle.call("recall", asked, reading);
        return { found: hits.length > 0, memories: hits.map(citationOf), freshness: freshnessOf(space) };
      }),
  };
}

function resultOf(space: Entered["space"], result: unknown) {
  return { result_json: JSON.stringify(result), next_cursor: "", freshness: freshnessOf(space) };
}

function limited(param: string, text: string): string {
  if (text.length <= USER_CHARACTERS_MAX) return text;
  throw new MainspringError("invalid_argument", `${param} has at most ${USER_CHARACTERS_MAX} characters`, { param });
}

async function executeKip({ space, reading, writing: context }: Entered, json: string, readOnly: boolean) {
  const request = parsed(json);
  const execute = (): Promise<KipResponse> => space.handle.execute(request, readOnly ? reading : context);
  const response = readOnly ? await execute() : await writing(space, execute);
  let text = JSON.stringify(response);
  if (Buffer.byteLength(text) > RESPONSE_BYTES_MAX) text = JSON.stringify(tooLarge(response));
  return { response_json: text, freshness: freshnessOf(space) };
}

function parsed(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const options = { cause, param: "request_json", reason: "invalid_json" };
    throw new MainspringError("invalid_argument", "request_json is not JSON", options);
  }
  return checkJson(value, "request_json");
}

/** What was written stays written: receipts go along, results do not. */
function tooLarge(response: KipResponse): KipResponse {
  const error = new KipError("ResultLimitExceeded", `a response has at most ${RESPONSE_BYTES_MAX} bytes`, {
    details: { limit: "response_bytes", max: RESPONSE_BYTES_MAX },
  }).toObject();
  const results = response.results.map(({ result: _result, ...rest }) => ({ ...rest }));
  return { ...response, status: "partial", results, error };
}

async function probe(ports: BrainPorts, { space, reading }: Entered, asked: { query: string; limit: number }) {
  const { negative, handle } = space;
  const [now, generation] = [ports.clock.monotonicMs(), negative.generation];
  const query = asked.query.trim();
  if (negative.has(query, now)) {
    return { found: false, negative_cached: true, search_exhaustive: true, hits: [], freshness: freshnessOf(space) };
  }
  const { hits, exhaustive } = await handle.call("probe", { query, limit: asked.limit }, reading);
  if (hits.length === 0 && exhaustive) negative.add(query, generation, now);
  return {
    found: hits.length > 0,
    negative_cached: false,
    search_exhaustive: exhaustive,
    hits: hits.map(citationOf),
    freshness: freshnessOf(space),
  };
}

function citationOf({ entity, type, name, confidence, source, createdAt, text }: CitationRow): Citation {
  const base = { entity, type, name, source, created_at: createdAt, text };
  return confidence === undefined ? base : { ...base, confidence };
}

async function attention({ space, reading }: Entered, asked: { attention_cursor: string; limit: number }) {
  const { handle } = space;
  const current = handle.staleAsOf() === null;
  if (current && (await handle.call("hasUnraised", null, reading)))
    await writing(space, () => handle.call("raiseDue", null, SYSTEM));
  const result = await handle.call("attention", { cursor: asked.attention_cursor, limit: asked.limit }, reading);
  return resultOf(space, result);
}

function kindOf(kind: string): "ConceptType" | "PredicateType" {
  if (kind === "ConceptType" || kind === "PredicateType") return kind;
  throw new MainspringError("invalid_argument", "kind is ConceptType or PredicateType", { param: "kind" });
}

type Principal = CallContext["principal"];

interface RememberRequest {
  readonly text: string;
  readonly user: string;
  readonly idempotency_key: string;
  readonly agent: string;
}

async function remember(
  { space, admitted, writing: context }: Entered,
  request: RememberRequest,
  principal: Principal,
) {
  const { text, idempotency_key: idempotencyKey } = request;
  const { scopes } = principal;
  if (request.agent !== "" && !scopes.includes("service")) {
    throw new MainspringError("permission_denied", "only a service of this deployment names an agent", {
      param: "agent",
    });
  }
  if (idempotencyKey.length > KEY_CHARACTERS_MAX) {
    throw new MainspringError("invalid_argument", `a key has at most ${KEY_CHARACTERS_MAX} characters`, {
      param: "idempotency_key",
    });
  }
  const user = limited("user", request.user === "" ? admitted.actor : request.user);
  const asked = { text, user, agent: limited("agent", request.agent), idempotencyKey, tier: space.row.tier };
  const { conversation, entities } = await writing(space, () => space.handle.call("remember", asked, context));
  return { conversation, entities: [...entities] };
}
