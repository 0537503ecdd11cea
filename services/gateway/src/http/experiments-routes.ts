/** `/v1/experiments`: evaluation of models and agents. */
import { MainspringError } from "@mainspring/kernel";
import type { Request, Response } from "express";
import { Router } from "express";

import type { AttemptInfo, EvalApi, ExperimentInfo } from "../ports/eval-api.ts";
import { callerOf, intParam, pathParam, textParam } from "./context.ts";
import { handle } from "./problem.ts";
import { SseWriter } from "./sse.ts";

const EXPERIMENTS_PAGE_MAX = 100;
const ATTEMPTS_PAGE_MAX = 50;
const DEFINITION_BYTES_MAX = 1024 * 1024;

export function experimentsRoutes(evals: EvalApi): Router {
  const router = Router();
  router.post(
    "/experiments",
    handle(async (request, response) => {
      const { concurrency, ...definition } = (request.body ?? {}) as Record<string, unknown>;
      checkSize(definition);
      const { experiment, created } = await evals.create(callerOf(response), definition, concurrencyOf(concurrency));
      response.status(created ? 201 : 200).json(experimentView(experiment));
    }),
  );
  router.get(
    "/experiments",
    handle(async (request, response) => {
      const limit = intParam(request, "limit", 20, 1, EXPERIMENTS_PAGE_MAX);
      const page = await evals.list(callerOf(response), limit, textParam(request, "after"));
      response.json({ object: "list", data: page.items.map(experimentView), next: page.nextToken || null });
    }),
  );
  router.get(
    "/experiments/:id",
    handle((request, response) => getExperiment(evals, request, response)),
  );
  router.post(
    "/experiments/:id/cancel",
    handle(async (request, response) => {
      response.json(experimentView(await evals.cancel(callerOf(response), pathParam(request, "id"))));
    }),
  );
  router.get(
    "/experiments/:id/report",
    handle(async (request, response) => {
      const id = pathParam(request, "id");
      const caller = callerOf(response);
      const experiment = experimentView(await evals.get(caller, id));
      const { definition: _, ...head } = experiment;
      const report = (await evals.report(caller, id, textParam(request, "baseline"))) as object;
      response.json({ object: "experiment.report", experiment: head, ...report });
    }),
  );
  router.get(
    "/experiments/:id/attempts",
    handle(async (request, response) => {
      const limit = intParam(request, "limit", 20, 1, ATTEMPTS_PAGE_MAX);
      const after = textParam(request, "after");
      const page = await evals.attempts(callerOf(response), pathParam(request, "id"), limit, after);
      response.json({ object: "list", data: page.items.map(attemptView), next: page.nextToken || null });
    }),
  );
  return router;
}

/** What does not fit into one message is refused here. */
function checkSize(definition: object): void {
  if (Buffer.byteLength(JSON.stringify(definition)) <= DEFINITION_BYTES_MAX) return;
  throw new MainspringError("invalid_argument", `an experiment takes at most ${DEFINITION_BYTES_MAX} bytes as JSON`, {
    reason: "body_too_large",
  });
}

/** 0 without a limit. */
function concurrencyOf(given: unknown): number {
  if (given === undefined || given === null) return 0;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= 1_000) return given;
  throw new MainspringError("invalid_argument", "concurrency: must be a whole number from 1 to 1000", {
    param: "concurrency",
  });
}

/** With `Accept: text/event-stream` (or `stream=true`): as it goes on, until it has ended. */
async function getExperiment(evals: EvalApi, request: Request, response: Response): Promise<void> {
  const caller = callerOf(response);
  const experiment = await evals.get(caller, pathParam(request, "id"));
  const accept = request.header("accept") ?? "";
  if (!accept.includes("text/event-stream") && textParam(request, "stream") !== "true") {
    return void response.json(experimentView(experiment));
  }
  const writer = new SseWriter(response);
  try {
    for await (const seen of evals.watch(caller, experiment.id, writer.signal)) {
      await writer.write({ event: "experiment", data: JSON.stringify(experimentView(seen)) });
    }
  } finally {
    writer.end();
  }
}

export function experimentView({ createdAt, endedAt, definition, concurrency, ...experiment }: ExperimentInfo) {
  return {
    object: "experiment",
    ...experiment,
    concurrency: concurrency === 0 ? null : concurrency,
    created_at: new Date(createdAt).toISOString(),
    ended_at: endedAt === 0 ? null : new Date(endedAt).toISOString(),
    ...(definition === null ? {} : { definition }),
  };
}

export function attemptView(attempt: AttemptInfo) {
  const { cellId, subject, task, repetition, number, outcome, selected, text, textChars, usage, error } = attempt;
  return {
    object: "experiment.attempt",
    cell_id: cellId,
    ...{ subject, task, repetition, number, outcome, selected, text },
    text_chars: textChars,
    usage,
    duration_ms: attempt.durationMs,
    response_id: attempt.responseId || null,
    run_id: attempt.runId || null,
    trace_id: attempt.traceId || null,
    error,
    started_at: new Date(attempt.startedAt).toISOString(),
    ended_at: attempt.endedAt === 0 ? null : new Date(attempt.endedAt).toISOString(),
  };
}
