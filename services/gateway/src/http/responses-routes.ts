/** `/v1/responses` and `/v1/models`, for any OpenAI client. */
import { MainspringError, newId, runIdOf, systemRandom } from "@mainspring/kernel";
import type { Request, Response } from "express";
import { Router } from "express";

import { follow, wholeItems } from "../app/follow-run.ts";
import type { FollowPorts } from "../app/follow-run.ts";
import type { ModelList } from "../app/model-list.ts";
import { responseIdOf, runIdOfResponse } from "../domain/response-object.ts";
import type { ResponseEcho } from "../domain/response-object.ts";
import { ResponseStream } from "../domain/response-stream.ts";
import type { ResponseEvent } from "../domain/response-stream.ts";
import { parseResponsesRequest } from "./responses-request.ts";
import type { ResponsesRequest } from "./responses-request.ts";
import type { Caller, RunWithSpec, Submitted } from "../ports/engine-api.ts";
import { setRunHeaders } from "./answer-call.ts";
import { callerOf, intParam, pathParam, textParam } from "./context.ts";
import { checkSizes } from "./input-limits.ts";
import { handle } from "./problem.ts";
import { SseWriter } from "./sse.ts";

export interface ResponsesPorts extends FollowPorts {
  readonly models: ModelList;
}

export function responsesRoutes(ports: ResponsesPorts): Router {
  const router = Router();
  router.post(
    "/responses",
    handle((request, response) => create(ports, request, response)),
  );
  router.get(
    "/responses/:id",
    handle((request, response) => retrieve(ports, request, response)),
  );
  router.post(
    "/responses/:id/cancel",
    handle((request, response) => cancel(ports, request, response)),
  );
  router.get(
    "/responses/:id/input_items",
    handle((request, response) => inputItems(ports, request, response)),
  );
  router.get(
    "/models",
    handle((_request, response) => listModels(ports, response)),
  );
  router.get(
    "/models/*name",
    handle((request, response) => getModel(ports, request, response)),
  );
  return router;
}

async function create(ports: ResponsesPorts, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const asked = parseResponsesRequest(request.body);
  await ports.models.check(caller, asked.agent, asked.model);
  const submitted = await submit(ports, caller, asked, request.header("idempotency-key") ?? "");
  setRunHeaders(response, submitted.sessionId, submitted.runId);
  const tools = asked.clientTools.map((tool) => (tool as { name: string }).name);
  const stream = new ResponseStream(submitted.runId, ports.clock.now(), asked.echo, tools);
  const position = { sessionId: submitted.sessionId, runId: submitted.runId, afterSeq: submitted.afterSeq };
  if (asked.stream) return streamRun(ports, caller, position, stream, -1, response);
  if (asked.background) return void response.json(stream.response);
  await drainRun(ports, caller, position, stream, closing(response));
  if (!response.writableEnded && !response.destroyed) response.json(stream.response);
}

async function submit(
  ports: ResponsesPorts,
  caller: Caller,
  asked: ResponsesRequest,
  idempotencyKey: string,
): Promise<Submitted> {
  const { agent, model, instructions, clientTools, params, echo, items, previousRun } = asked;
  const spec = { agent, model, instructions, client_tools: clientTools, params, echo };
  checkSizes(items, spec);
  const sessionId = previousRun === "" ? "" : await sessionToContinue(ports, caller, previousRun, idempotencyKey);
  return ports.engine.submit(caller, {
    sessionId,
    clientRunId: idempotencyKey === "" ? newId("req", ports.clock.now(), systemRandom) : idempotencyKey,
    mode: "run",
    items,
    spec,
    title: "",
    idempotencyKey: sessionId === "" ? idempotencyKey : "",
  });
}

/** A session goes on from its latest response only. A repeat under the same key is let through, and gets the first. */
async function sessionToContinue(
  ports: ResponsesPorts,
  caller: Caller,
  runId: string,
  idempotencyKey: string,
): Promise<string> {
  const param = "previous_response_id";
  const run = await ports.engine.getRun(caller, runId).catch((error: unknown) => {
    if (!(error instanceof MainspringError) || error.code !== "not_found") throw error;
    throw new MainspringError("not_found", `no response ${responseIdOf(runId)}`, {
      param,
      reason: "previous_response_not_found",
    });
  });
  if (idempotencyKey !== "" && (await runExists(ports, caller, runIdOf(run.sessionId, idempotencyKey)))) {
    return run.sessionId;
  }
  if (run.endedAt === 0) {
    throw new MainspringError("failed_precondition", "the previous response has not ended yet", { param });
  }
  const { items } = await ports.engine.listRuns(caller, run.sessionId, 1, "");
  if (items[0]?.id !== runId) {
    throw new MainspringError("failed_precondition", "a later response has continued this one; continue from that", {
      param,
      reason: "previous_response_not_latest",
    });
  }
  return run.sessionId;
}

async function runExists(ports: ResponsesPorts, caller: Caller, runId: string): Promise<boolean> {
  try {
    await ports.engine.getRun(caller, runId);
    return true;
  } catch (error) {
    if (error instanceof MainspringError && error.code === "not_found") return false;
    throw error;
  }
}

interface Position {
  readonly sessionId: string;
  readonly runId: string;
  readonly afterSeq: number;
}

/** Every event of the run as events of the response, those up to `startingAfter` left out. */
async function* responseEvents(
  ports: ResponsesPorts,
  caller: Caller,
  position: Position,
  stream: ResponseStream,
  signal: AbortSignal,
): AsyncGenerator<ResponseEvent> {
  for await (const item of follow(ports, caller, { ...position, follow: false, deltas: true }, signal)) {
    if ("event" in item) yield* stream.takeEvent(item.event);
    else if ("delta" in item) yield* stream.takeDelta(item.delta);
    if (stream.ended) return;
  }
}

async function streamRun(
  ports: ResponsesPorts,
  caller: Caller,
  position: Position,
  stream: ResponseStream,
  startingAfter: number,
  response: Response,
): Promise<void> {
  const writer = new SseWriter(response);
  try {
    for await (const event of responseEvents(ports, caller, position, stream, writer.signal)) {
      if (event.sequence_number <= startingAfter) continue;
      await writer.write({ event: event.type, data: JSON.stringify(event) });
    }
  } finally {
    writer.end();
  }
}

async function drainRun(
  ports: ResponsesPorts,
  caller: Caller,
  position: Position,
  stream: ResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const events = responseEvents(ports, caller, position, stream, signal);
  while ((await events.next()).done !== true);
}

async function retrieve(ports: ResponsesPorts, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const { run, stream } = await find(ports, caller, request);
  setRunHeaders(response, run.sessionId, run.id);
  const position = { sessionId: run.sessionId, runId: run.id, afterSeq: Math.max(0, run.firstSeq - 1) };
  if (textParam(request, "stream") === "true") {
    const startingAfter = intParam(request, "starting_after", -1, 0, Number.MAX_SAFE_INTEGER);
    return streamRun(ports, caller, position, stream, startingAfter, response);
  }
  await replay(ports, caller, position, stream);
  response.json(stream.response);
}

/** What the log knows now, without waiting for more. */
async function replay(
  ports: ResponsesPorts,
  caller: Caller,
  position: Position,
  stream: ResponseStream,
): Promise<void> {
  const abort = new AbortController();
  for await (const item of follow(ports, caller, { ...position, follow: false, deltas: false }, abort.signal)) {
    if ("event" in item) stream.takeEvent(item.event);
    if ("caughtUp" in item || stream.ended) break;
  }
  abort.abort();
}

async function find(
  ports: ResponsesPorts,
  caller: Caller,
  request: Request,
): Promise<{ run: RunWithSpec; stream: ResponseStream }> {
  const id = pathParam(request, "id");
  const runId = runIdOfResponse(id);
  const missing = new MainspringError("not_found", `no response ${id}`, { reason: "response_not_found", param: "id" });
  if (runId === null) throw missing;
  const run = await ports.engine.getRun(caller, runId).catch((error: unknown) => {
    throw error instanceof MainspringError && error.code === "not_found" ? missing : error;
  });
  if (run.spec === null) throw missing;
  const echo = (run.spec.echo ?? {}) as ResponseEcho;
  if (echo.store === false) throw missing;
  const tools = (run.spec.client_tools ?? []).map((tool) => tool.name);
  return { run, stream: new ResponseStream(run.id, run.createdAt, { model: run.model, ...echo }, tools) };
}

async function cancel(ports: ResponsesPorts, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const { run, stream } = await find(ports, caller, request);
  if ((run.spec?.echo as ResponseEcho | undefined)?.background !== true) {
    throw new MainspringError(
      "invalid_argument",
      "only a background response can be cancelled here; see /v1/runs/{id}/cancel",
      {
        reason: "not_background",
      },
    );
  }
  const position = { sessionId: run.sessionId, runId: run.id, afterSeq: Math.max(0, run.firstSeq - 1) };
  if (run.endedAt === 0) {
    await ports.engine.cancelRun(caller, run.id, "", true);
    await drainRun(ports, caller, position, stream, closing(response));
  } else {
    await replay(ports, caller, position, stream);
  }
  response.json(stream.response);
}

/** The items that the response was asked with. */
async function inputItems(ports: ResponsesPorts, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const { run } = await find(ports, caller, request);
  const { events } = await ports.engine.readEvents(caller, run.sessionId, Math.max(0, run.firstSeq - 1), 200, run.id);
  const submitted = events.find((event) => event.type === "input.submitted");
  const recorded = (submitted?.data["items"] ?? []) as Record<string, unknown>[];
  const items = (await wholeItems(ports.artifacts, caller.tenant, recorded)).map((item, index) => ({
    id: `${run.id.replace("run_", "in_")}_${index}`,
    ...(item["type"] === "message"
      ? {
          type: "message",
          role: item["role"],
          status: "completed",
          content: [{ type: "input_text", text: item["text"] }],
        }
      : item),
  }));
  const ordered = textParam(request, "order") === "asc" ? items : items.toReversed();
  response.json({
    object: "list",
    data: ordered,
    first_id: ordered[0]?.id ?? null,
    last_id: ordered.at(-1)?.id ?? null,
    has_more: false,
  });
}

async function listModels(ports: ResponsesPorts, response: Response): Promise<void> {
  response.json({ object: "list", data: await ports.models.list(callerOf(response)) });
}

async function getModel(ports: ResponsesPorts, request: Request, response: Response): Promise<void> {
  const name = ([] as string[]).concat((request.params["name"] as string | string[] | undefined) ?? []).join("/");
  const caller = callerOf(response);
  const model = (await ports.models.list(caller)).find((candidate) => candidate.id === name);
  if (model === undefined) throw await ports.models.unknown(caller, name);
  response.json(model);
}

/** Aborted when the caller leaves. The run goes on: a wait that is lost cancels nothing. */
function closing(response: Response): AbortSignal {
  const abort = new AbortController();
  response.on("close", () => abort.abort());
  return abort.signal;
}
