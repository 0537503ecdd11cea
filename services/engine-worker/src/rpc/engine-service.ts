/** The gRPC service: parse, call a use case, answer. */
import type { CallContext, EngineHandlers } from "@mainspring/contracts";
import { MainspringError, newId } from "@mainspring/kernel";

import type { AgentRegistry } from "../app/agent-registry.ts";
import { externaliseItems, hydrateItems } from "../app/content.ts";
import { cancelRun, CLIENT_RUN_ID_BYTES_MAX, deleteSession, reopenSession, submitInput } from "../app/posts.ts";
import { createSession, findSession, findSessionOfRun, postToolResult } from "../app/posts.ts";
import type { PostPorts } from "../app/posts.ts";
import { pendingRun } from "../app/pending-run.ts";
import { readCall } from "../app/read-session.ts";
import type { RunReader } from "../app/read-runs.ts";
import { subscribe } from "../app/subscribe.ts";
import type { SubscribePorts } from "../app/subscribe.ts";
import type { RunView } from "../domain/run-view.ts";
import { specOf } from "../domain/agents.ts";
import type { ToolOutcome } from "../domain/events.ts";
import type { InputItem } from "../domain/items.ts";
import type { ContentStore } from "../ports/content-store.ts";
import type { ModelNames } from "../ports/model-names.ts";
import type { ToolClient } from "../ports/tool-client.ts";
import { agentCallerOf, agentHandlers, memoryRightsOf } from "./agent-handlers.ts";
import { toEventRecord, toRunInfo, toSessionInfo, toStreamItem } from "./answers.ts";
import { pageSize, parseItems, parseRunRequest } from "./parse.ts";

/** How long `wait_effective` waits before it answers `accepted`. */
export const CANCEL_WAIT_MS = 10_000;
/** How long a steer waits to tell which run it has joined. */
export const STEER_WAIT_MS = 2_000;
const OUTCOMES: ReadonlySet<string> = new Set<ToolOutcome>(["completed", "failed", "cancelled", "unknown"]);

export interface EngineServicePorts extends PostPorts, SubscribePorts {
  readonly content: ContentStore;
  readonly tools: ToolClient;
  readonly runs: RunReader;
  readonly agents: AgentRegistry;
  readonly modelNames: ModelNames;
  /** Mail numbers that this process knows of without asking, 0 for none. */
  knownMail(session: string): number;
}

export function engineService(ports: EngineServicePorts): EngineHandlers {
  return {
    CreateSession: (request, context) => createSessionCall(ports, request, context),
    SubmitInput: (request, context) => submitCall(ports, request, context),
    CancelRun: (request, context) => cancelCall(ports, request, context),
    PostToolResult: (request, context) => toolResultCall(ports, request, context),
    GetToolCall: (request, context) => toolCallCall(ports, request, context),
    GetSession: async (request, context) => ({
      session: toSessionInfo(await findSession(ports, tenantOf(context), request.session_id)),
    }),
    ListSessions: (request, context) => listSessionsCall(ports, request, context),
    DeleteSession: async (request, context) => {
      await deleteSession(ports, tenantOf(context), request.session_id, context.callerTraceparent);
      return {};
    },
    ReopenSession: async (request, context) => {
      await reopenSession(ports, tenantOf(context), request.session_id);
      return {};
    },
    GetRun: (request, context) => getRunCall(ports, request, context),
    ListRuns: (request, context) => listRunsCall(ports, request, context),
    ReadEvents: (request, context) => readEventsCall(ports, request, context),
    SubscribeEvents: (request, context) => subscribeCall(ports, request, context),
    ...agentHandlers(ports),
  };
}

type Request<M extends keyof EngineHandlers> = Parameters<EngineHandlers[M]>[0];
type Answer<M extends keyof EngineHandlers> = ReturnType<EngineHandlers[M]>;

function tenantOf(context: CallContext): string {
  if (context.principal.tenant !== "") return context.principal.tenant;
  throw new MainspringError("unauthenticated", "the call names no tenant");
}

function assertService(context: CallContext): void {
  if (context.principal.scopes.includes("service")) return;
  throw new MainspringError("permission_denied", "only a service of this deployment may call this");
}

async function createSessionCall(
  ports: EngineServicePorts,
  request: Request<"CreateSession">,
  context: CallContext,
): Answer<"CreateSession"> {
  if (request.agent !== "") await ports.agents.find(agentCallerOf(context), request.agent);
  const head = await createSession(ports, tenantOf(context), request.agent, request.title, request.idempotency_key);
  return { session: toSessionInfo(head) };
}

async function submitCall(
  ports: EngineServicePorts,
  request: Request<"SubmitInput">,
  context: CallContext,
): Answer<"SubmitInput"> {
  const tenant = tenantOf(context);
  const asked = parseRunRequest(request.spec_json);
  const itemsJson = await itemsOf(ports, tenant, request);
  const items = parseItems(itemsJson);
  if (Buffer.byteLength(request.client_run_id) > CLIENT_RUN_ID_BYTES_MAX) {
    throw new MainspringError("invalid_argument", `client_run_id is longer than ${CLIENT_RUN_ID_BYTES_MAX} bytes`);
  }
  if (!["", "run", "steer"].includes(request.mode)) {
    throw new MainspringError("invalid_argument", "mode must be run or steer", { param: "mode" });
  }
  const agent = asked.agent === "" ? null : await ports.agents.find(agentCallerOf(context), asked.agent);
  const catalogue = agent === null ? [] : [...(await ports.tools.catalogue()).keys()];
  const spec = specOf(asked, agent, catalogue, memoryRightsOf(context));
  const submitted = await submitInput(ports, {
    tenant,
    sessionId: request.session_id,
    clientRunId: request.client_run_id === "" ? newId("req", ports.clock.now(), ports.random) : request.client_run_id,
    mode: request.mode === "steer" ? "steer" : "run",
    items: (await externaliseItems(ports.content, tenant, items)) as InputItem[],
    spec,
    identity: [itemsJson, request.spec_json],
    title: request.title === "" ? titleOf(items) : request.title,
    idempotencyKey: request.idempotency_key,
    trace: context.callerTraceparent,
  });
  const joined =
    request.mode === "steer" ? await joinedRun(ports, submitted.sessionId, submitted.inputId, context.signal) : null;
  return {
    session_id: submitted.sessionId,
    run_id: joined ?? submitted.runId,
    mail_no: submitted.mailNo,
    created: submitted.created,
    after_seq: submitted.afterSeq,
  };
}

/** The run that a steering input has joined or begun; null when that is not known in time. */
async function joinedRun(
  ports: EngineServicePorts,
  session: string,
  inputId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const request = { session, run: "", afterSeq: 0, follow: true, deltas: false };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(STEER_WAIT_MS)]);
  for await (const item of subscribe(ports, request, limit)) {
    if (!("event" in item)) continue;
    const { type, data, run } = item.event;
    if ((type === "input.submitted" || type === "input.void") && data.input_id === inputId) return run ?? null;
  }
  return null;
}

async function itemsOf(ports: EngineServicePorts, tenant: string, request: Request<"SubmitInput">): Promise<string> {
  if (request.items_artifact === "") return request.items_json;
  const text = await ports.content.get(tenant, request.items_artifact);
  if (text === null) throw new MainspringError("not_found", "items_artifact is not there", { param: "items_artifact" });
  return text;
}

/** The first words of the first message. */
function titleOf(items: readonly InputItem[]): string {
  const first = items.find((item) => item.type === "message");
  return first === undefined ? "" : first.text.trim().replaceAll(/\s+/g, " ").slice(0, 80);
}

async function cancelCall(
  ports: EngineServicePorts,
  request: Request<"CancelRun">,
  context: CallContext,
): Answer<"CancelRun"> {
  const tenant = tenantOf(context);
  const head = await findSessionOfRun(ports, tenant, request.run_id);
  const view = await findRun(ports, head.session, request.run_id);
  if (view.endedAt > 0) return { receipt: "ended" };
  const reason = request.reason === "" ? "cancelled by the user" : request.reason.slice(0, 1_000);
  await cancelRun(ports, { tenant, runId: request.run_id, reason, trace: context.callerTraceparent });
  if (!request.wait_effective) return { receipt: "accepted" };
  const effective = await waitEffective(ports, head.session, request.run_id, context.signal);
  return { receipt: effective ? "effective" : "accepted" };
}

/** From the log, or from the mailbox while no commit knows it; looked for again in the log, as it may move in between. */
async function findRun(ports: EngineServicePorts, session: string, run: string): Promise<RunView> {
  const view =
    (await ports.runs.read(session, run)) ??
    (await pendingRun(ports.store, session, run)) ??
    (await ports.runs.read(session, run));
  if (view !== null) return view;
  throw new MainspringError("not_found", `no run ${run}`, { reason: "run_not_found" });
}

async function waitEffective(
  ports: EngineServicePorts,
  session: string,
  run: string,
  signal: AbortSignal,
): Promise<boolean> {
  const request = { session, run, afterSeq: 0, follow: false, deltas: false };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CANCEL_WAIT_MS)]);
  for await (const item of subscribe(ports, request, limit)) {
    if (!("event" in item)) continue;
    const { type } = item.event;
    if (type === "run.cancel_effective" || type === "run.cancelled") return true;
    if (type === "run.completed" || type === "run.failed" || type === "run.exhausted") return true;
  }
  return false;
}

async function toolResultCall(
  ports: EngineServicePorts,
  request: Request<"PostToolResult">,
  context: CallContext,
): Answer<"PostToolResult"> {
  assertService(context);
  if (!OUTCOMES.has(request.outcome)) throw new MainspringError("invalid_argument", "outcome is not one of its values");
  const mailNo = await postToolResult(ports, {
    session: request.session_id,
    call_id: request.call_id,
    attempt: request.attempt,
    outcome: request.outcome as ToolOutcome,
    output: request.output,
    output_ref: request.output_artifact,
    output_bytes: request.output_bytes,
    duration_ms: request.duration_ms,
    late: request.late,
    trace: request.traceparent,
    knownK: Math.max(ports.knownMail(request.session_id), request.known_mail),
    knownHolder: request.holder,
  });
  return { mail_no: mailNo };
}

async function toolCallCall(
  ports: EngineServicePorts,
  request: Request<"GetToolCall">,
  context: CallContext,
): Answer<"GetToolCall"> {
  assertService(context);
  const { session_id, call_id, attempt } = request;
  const call = await readCall(ports.store, session_id, call_id, attempt);
  if (call === null) throw new MainspringError("not_found", "the call is not open");
  const item = { type: "function_call" as const, call_id, name: call.name, arguments: call.arguments };
  const whole = call.argumentsRef === "" ? item : { ...item, arguments_ref: call.argumentsRef };
  const [hydrated] = await hydrateItems(ports.content, tenantOf(context), [whole]);
  return {
    name: call.name,
    arguments_json: (hydrated as typeof item).arguments,
    idempotency_key: "",
    open: call.open,
    run_id: call.run,
  };
}

async function listSessionsCall(
  ports: EngineServicePorts,
  request: Request<"ListSessions">,
  context: CallContext,
): Answer<"ListSessions"> {
  const limit = pageSize(request.page_size, 20, 200);
  const before = request.page_token === "" ? null : parseToken(request.page_token);
  const heads = await ports.store.listHeads({ tenant: tenantOf(context), before, limit });
  const last = heads.at(-1);
  const more = heads.length === limit && last !== undefined;
  return {
    sessions: heads.map(toSessionInfo),
    next_page_token: more ? Buffer.from(`${last.createdAt}/${last.session}`).toString("base64url") : "",
  };
}

function parseToken(token: string): { createdAt: number; session: string } {
  const match = /^(\d{1,16})\/(ses_[0-9a-f]{32})$/.exec(Buffer.from(token, "base64url").toString());
  if (match === null)
    throw new MainspringError("invalid_argument", "page_token is not one of ours", { param: "page_token" });
  return { createdAt: Number(match[1]), session: match[2]! };
}

async function getRunCall(
  ports: EngineServicePorts,
  request: Request<"GetRun">,
  context: CallContext,
): Answer<"GetRun"> {
  const head = await findSessionOfRun(ports, tenantOf(context), request.run_id);
  const view = await findRun(ports, head.session, request.run_id);
  return { run: toRunInfo(head.session, view), spec_json: JSON.stringify(view.spec) };
}

async function listRunsCall(
  ports: EngineServicePorts,
  request: Request<"ListRuns">,
  context: CallContext,
): Answer<"ListRuns"> {
  const head = await findSession(ports, tenantOf(context), request.session_id);
  const size = pageSize(request.page_size, 20, 200);
  const all = (await ports.runs.list(head.session)).toReversed();
  const start = request.page_token === "" ? 0 : all.findIndex((view) => view.run === request.page_token) + 1;
  const page = all.slice(start, start + size);
  return {
    runs: page.map((view) => toRunInfo(head.session, view)),
    next_page_token: start + size < all.length ? page.at(-1)!.run : "",
  };
}

async function readEventsCall(
  ports: EngineServicePorts,
  request: Request<"ReadEvents">,
  context: CallContext,
): Answer<"ReadEvents"> {
  const head = await findSession(ports, tenantOf(context), request.session_id);
  const size = pageSize(request.page_size, 200, 1_000);
  const page = await ports.runs.page(head.session, request.after_seq, request.run_id, size);
  return { events: page.events.map(toEventRecord), last_seq: page.lastSeq, at_tip: page.atTip };
}

async function* subscribeCall(
  ports: EngineServicePorts,
  request: Request<"SubscribeEvents">,
  context: CallContext,
): Answer<"SubscribeEvents"> {
  const head = await findSession(ports, tenantOf(context), request.session_id);
  const asked = {
    session: head.session,
    afterSeq: request.after_seq,
    run: request.run_id,
    follow: request.follow,
    deltas: request.deltas,
  };
  for await (const item of subscribe(ports, asked, context.signal)) yield toStreamItem(item);
}
