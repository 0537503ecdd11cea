/** `/v1/sessions` and `/v1/runs`: the engine's own surface. */
import { cursorText, isSeen, MainspringError, newId, parseCursor, systemRandom } from "@mainspring/kernel";
import type { StreamCursor } from "@mainspring/kernel";
import type { Request, Response } from "express";
import { Router } from "express";
import type { z } from "zod";

import { follow } from "../app/follow-run.ts";
import type { FollowPorts } from "../app/follow-run.ts";
import type { ModelList } from "../app/model-list.ts";
import { cancelBody, createBody, runBody } from "./bodies.ts";
import { callerOf, intParam, pathParam, textParam } from "./context.ts";
import { checkSizes } from "./input-limits.ts";
import { handle } from "./problem.ts";
import { deltaView, eventView, runView, sessionView } from "./session-views.ts";
import { SseWriter } from "./sse.ts";

export interface SessionsPorts extends FollowPorts {
  readonly models: ModelList;
}

const PAGE_MAX = 200;
const EVENTS_PAGE_MAX = 1_000;

export function sessionsRoutes(ports: SessionsPorts): Router {
  const router = Router();
  const route = (work: (ports: SessionsPorts, request: Request, response: Response) => Promise<void>) =>
    handle((request, response) => work(ports, request, response));
  router.post("/sessions", route(createSession));
  router.get("/sessions", route(listSessions));
  router.get("/sessions/:id", route(getSession));
  router.delete("/sessions/:id", route(deleteSession));
  router.post("/sessions/:id/reopen", route(reopenSession));
  router.get("/sessions/:id/events", route(readEvents));
  router.get("/sessions/:id/runs", route(listRuns));
  router.post("/sessions/:id/runs", route(startRun));
  router.get("/runs/:id", route(getRun));
  router.post("/runs/:id/cancel", route(cancelRun));
  return router;
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const param = issue.path.map(String).join(".");
  throw new MainspringError("invalid_argument", `${param === "" ? "the request body" : param}: ${issue.message}`, {
    param,
  });
}

async function createSession({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  const { agent, title } = parse(createBody, request.body);
  const session = await engine.createSession(callerOf(response), agent, title, request.header("idempotency-key") ?? "");
  response.status(201).json(sessionView(session));
}

async function listSessions({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  const limit = intParam(request, "limit", 20, 1, PAGE_MAX);
  const page = await engine.listSessions(callerOf(response), limit, textParam(request, "after"));
  response.json({
    object: "list",
    data: page.items.map(sessionView),
    next: page.nextToken === "" ? null : page.nextToken,
  });
}

async function getSession({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  response.json(sessionView(await engine.getSession(callerOf(response), pathParam(request, "id"))));
}

async function deleteSession({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  await engine.deleteSession(callerOf(response), pathParam(request, "id"));
  response.status(204).end();
}

async function reopenSession({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  const id = pathParam(request, "id");
  await engine.reopenSession(callerOf(response), id);
  response.json(sessionView(await engine.getSession(callerOf(response), id)));
}

async function listRuns({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  const limit = intParam(request, "limit", 20, 1, PAGE_MAX);
  const caller = callerOf(response);
  const page = await engine.listRuns(caller, pathParam(request, "id"), limit, textParam(request, "after"));
  response.json({ object: "list", data: page.items.map(runView), next: page.nextToken === "" ? null : page.nextToken });
}

async function startRun(ports: SessionsPorts, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const body = parse(runBody, request.body);
  const session = await ports.engine.getSession(caller, pathParam(request, "id"));
  const agent = body.agent ?? (body.model === undefined ? session.agent : "");
  if (agent === "" && body.model === undefined) {
    throw new MainspringError("invalid_argument", "name an agent or a model: the session has none", { param: "agent" });
  }
  await ports.models.check(caller, agent, body.model ?? "");
  const { model, instructions, steps_max, params, input } = body;
  const items = typeof input === "string" ? [{ type: "message", role: "user", text: input }] : input;
  const spec = {
    agent,
    ...(model ? { model } : {}),
    ...(instructions ? { instructions } : {}),
    ...(steps_max ? { steps_max } : {}),
    ...(params ? { params } : {}),
  };
  checkSizes(items, spec);
  const clientRunId =
    body.client_run_id ?? request.header("idempotency-key") ?? newId("req", ports.clock.now(), systemRandom);
  const submitted = await ports.engine.submit(caller, {
    sessionId: session.id,
    clientRunId,
    mode: body.mode,
    items,
    spec,
    title: "",
    idempotencyKey: "",
  });
  response.setHeader("x-mainspring-session", submitted.sessionId);
  response.setHeader("x-mainspring-run", submitted.runId);
  response.status(submitted.created ? 202 : 200).json({
    object: "run",
    id: submitted.runId,
    session_id: submitted.sessionId,
    client_run_id: clientRunId,
    status: "admitted",
    mode: body.mode,
  });
}

async function getRun({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  response.json(runView(await engine.getRun(callerOf(response), pathParam(request, "id"))));
}

async function cancelRun({ engine }: SessionsPorts, request: Request, response: Response): Promise<void> {
  const { reason, wait } = parse(cancelBody, request.body);
  const id = pathParam(request, "id");
  const receipt = await engine.cancelRun(callerOf(response), id, reason, wait);
  response.status(receipt === "accepted" ? 202 : 200).json({ object: "run.cancel", id, receipt });
}

/** A page of JSON, or with `Accept: text/event-stream` (or `stream=true`) the session as it happens. */
async function readEvents(ports: SessionsPorts, request: Request, response: Response): Promise<void> {
  const id = pathParam(request, "id");
  const cursor = parseCursor(request.header("last-event-id") ?? textParam(request, "after"));
  const asStream =
    (request.header("accept") ?? "").includes("text/event-stream") || textParam(request, "stream") === "true";
  if (asStream) return streamEvents(ports, id, cursor, request, response);
  const limit = intParam(request, "limit", 200, 1, EVENTS_PAGE_MAX);
  const page = await ports.engine.readEvents(callerOf(response), id, cursor.seq, limit, textParam(request, "run"));
  response.json({
    object: "list",
    data: page.events.map(eventView),
    next: page.atTip ? null : String(page.lastSeq),
    last_seq: page.lastSeq,
  });
}

async function streamEvents(
  ports: SessionsPorts,
  sessionId: string,
  from: StreamCursor,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = callerOf(response);
  await ports.engine.getSession(caller, sessionId);
  const writer = new SseWriter(response);
  let cursor = from;
  let caughtUp = false;
  const runId = textParam(request, "run");
  const asked = { sessionId, afterSeq: cursor.seq, runId, follow: runId === "", deltas: true };
  try {
    for await (const item of follow(ports, caller, asked, writer.signal)) {
      if ("event" in item) {
        cursor = { seq: item.event.seq, delta: null };
        await writer.write({
          event: item.event.type,
          id: cursorText(cursor.seq, null),
          data: JSON.stringify(eventView(item.event)),
        });
      } else if ("delta" in item && !isSeen(cursor, item.delta)) {
        const { step, attempt, chunk } = item.delta;
        cursor = { seq: cursor.seq, delta: { step, attempt, chunk } };
        await writer.write({
          event: "delta",
          id: cursorText(cursor.seq, item.delta),
          data: JSON.stringify(deltaView(item.delta)),
        });
      } else if ("caughtUp" in item && !caughtUp) {
        caughtUp = true;
        await writer.write({ event: "caught_up", data: JSON.stringify({ last_seq: item.caughtUp.lastSeq }) });
      }
    }
  } finally {
    writer.end();
  }
}
