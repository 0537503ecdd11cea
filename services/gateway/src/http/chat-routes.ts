/** `POST /v1/chat/completions`, for any OpenAI client. */
import type { Request, Response } from "express";
import { Router } from "express";

import type { AnswerPorts } from "../app/answer-run.ts";
import type { AnswerPiece } from "../domain/answer.ts";
import { ChatChunks, chatCompletion } from "../domain/chat-completion.ts";
import { answerCall } from "./answer-call.ts";
import { parseChatRequest } from "./chat-request.ts";
import { handle, openAiError } from "./problem.ts";
import type { SseEvent } from "./sse.ts";

export function chatRoutes(ports: AnswerPorts): Router {
  const router = Router();
  router.post(
    "/chat/completions",
    handle((request, response) => complete(ports, request, response)),
  );
  return router;
}

async function complete(ports: AnswerPorts, request: Request, response: Response): Promise<void> {
  const asked = parseChatRequest(request.body);
  await answerCall(ports, request, response, asked, ({ runId }, { answer }) => {
    const head = { runId, model: asked.name };
    const chunks = new ChatChunks(head, answer, asked.includeUsage);
    return {
      opening: () => [],
      whole: (_running, end) => chatCompletion(head, answer, end),
      events: (piece) => eventsOf(chunks, piece),
    };
  });
}

function* eventsOf(chunks: ChatChunks, piece: AnswerPiece): Generator<SseEvent> {
  for (const chunk of chunks.of(piece)) yield { data: JSON.stringify(chunk) };
  if (piece.kind !== "ended") return;
  if (piece.end.error !== null) yield { data: JSON.stringify({ error: openAiError(piece.end.error) }) };
  yield { data: "[DONE]" };
}
