/** `/v1/messages`, for any Anthropic client. */
import type { Request, Response } from "express";
import { Router } from "express";

import type { AnswerPorts } from "../app/answer-run.ts";
import type { AnswerPiece } from "../domain/answer.ts";
import { MessageEvents, messageObject } from "../domain/message-object.ts";
import { estimateTokens } from "../domain/token-estimate.ts";
import { answerCall } from "./answer-call.ts";
import { callerOf } from "./context.ts";
import { parseCountRequest, parseMessagesRequest } from "./messages-request.ts";
import { anthropicError, handle } from "./problem.ts";
import type { SseEvent } from "./sse.ts";

const PING = `event: ping\ndata: {"type":"ping"}\n\n`;

export function messagesRoutes(ports: AnswerPorts): Router {
  const router = Router();
  router.post(
    "/messages",
    handle((request, response) => create(ports, request, response)),
  );
  router.post(
    "/messages/count_tokens",
    handle((request, response) => count(ports, request, response)),
  );
  return router;
}

async function create(ports: AnswerPorts, request: Request, response: Response): Promise<void> {
  const asked = parseMessagesRequest(request.body);
  await answerCall(ports, request, response, asked, ({ runId }, { answer }) => {
    const head = { runId, model: asked.name };
    const events = new MessageEvents(head);
    return {
      keepAlive: PING,
      whole: (_running, end) => messageObject(head, answer, end),
      opening: () => Array.from(events.opening(), sseEvent),
      events: (piece) => eventsOf(events, piece, response),
    };
  });
}

async function count(ports: AnswerPorts, request: Request, response: Response): Promise<void> {
  const asked = parseCountRequest(request.body);
  await ports.models.check(callerOf(response), asked.agent, asked.model);
  response.json({ input_tokens: estimateTokens(asked) });
}

function* eventsOf(events: MessageEvents, piece: AnswerPiece, response: Response): Generator<SseEvent> {
  for (const event of events.of(piece)) yield sseEvent(event);
  if (piece.kind === "ended" && piece.end.error !== null) yield sseEvent(anthropicError(piece.end.error, response));
}

function sseEvent(event: { readonly type: string }): SseEvent {
  return { event: event.type, data: JSON.stringify(event) };
}
