/** The HTTP application: middleware and routes in their order. */
import { MainspringError } from "@mainspring/kernel";
import type { Logger, Metrics, Readiness, TraceStore } from "@mainspring/service-kit";
import express from "express";
import type { Express, RequestHandler } from "express";

import type { Identities } from "../app/identity.ts";
import { agentsRoutes } from "./agents-routes.ts";
import type { EvalApi } from "../ports/eval-api.ts";
import { chatRoutes } from "./chat-routes.ts";
import { authenticate } from "./context.ts";
import { experimentsRoutes } from "./experiments-routes.ts";
import { readJson } from "./json-body.ts";
import { messagesRoutes } from "./messages-routes.ts";
import { artifactsRoutes, healthRoutes, keysRoutes } from "./operations-routes.ts";
import { errorsAs, problemHandler } from "./problem.ts";
import { responsesRoutes } from "./responses-routes.ts";
import type { ResponsesPorts } from "./responses-routes.ts";
import { tracesRoutes } from "./traces-routes.ts";
import { sessionsRoutes } from "./sessions-routes.ts";
import { spacesRoutes } from "./spaces/index.ts";
import type { SpacesPorts } from "./spaces/space-call.ts";

const OPENAI_ROUTES = ["/v1/responses", "/v1/models", "/v1/chat"];

/** Routes that compatible clients know and that are not served; what does their work is `/v1/responses`. */
export const NOT_SERVED = [
  "/v1/assistants",
  "/v1/audio",
  "/v1/batches",
  "/v1/completions",
  "/v1/conversations",
  "/v1/embeddings",
  "/v1/files",
  "/v1/images",
  "/v1/moderations",
  "/v1/threads",
];

export interface HttpPorts extends ResponsesPorts, SpacesPorts {
  readonly identities: Identities;
  readonly evals: EvalApi;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly traces: TraceStore | null;
}

export function httpApp(ports: HttpPorts): Express {
  const { identities, readiness, metrics, logger, artifacts, traces, evals } = ports;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.use(measure(metrics));
  app.use(wellFormedQuery);
  app.use(healthRoutes(readiness, metrics));
  app.use(spacesRoutes(ports));
  // Before the body is read, so that errors in it have the right shape and nobody unknown sends much.
  app.use([...OPENAI_ROUTES, ...NOT_SERVED], errorsAs("openai"));
  app.use("/v1/messages", errorsAs("anthropic"));
  app.use("/v1", authenticate(identities));
  app.use(NOT_SERVED, notServed);
  app.use("/v1", ...readJson);
  app.use("/v1", responsesRoutes(ports), chatRoutes(ports), messagesRoutes(ports));
  app.use(
    "/v1",
    sessionsRoutes(ports),
    agentsRoutes(ports),
    experimentsRoutes(evals),
    keysRoutes(identities),
    artifactsRoutes(artifacts),
    tracesRoutes(traces),
  );
  app.use((request, _response, next) => {
    next(
      new MainspringError("not_found", `there is no ${request.method} ${request.path}`, { reason: "no_such_route" }),
    );
  });
  app.use(problemHandler(logger));
  return app;
}

/** What is escaped in a query has to be UTF-8: else it would be replaced, and nobody told. */
const wellFormedQuery: RequestHandler = ({ url }, _response, next) => {
  try {
    decodeURIComponent(url.split("?").slice(1).join("?"));
    next();
  } catch {
    next(new MainspringError("invalid_argument", "the query of the URL is not UTF-8", { reason: "invalid_utf8" }));
  }
};

const notServed: RequestHandler = ({ method, baseUrl, path }, _response, next) => {
  const route = `${method} ${baseUrl}${path === "/" ? "" : path}`;
  next(new MainspringError("not_found", `there is no ${route}; use /v1/responses`, { reason: "no_such_route" }));
};

function measure(metrics: Metrics): RequestHandler {
  const requests = metrics.counter("mainspring_http_requests_total", "HTTP requests by route and status.", [
    "method",
    "route",
    "status",
  ]);
  const durations = metrics.duration("mainspring_http_request_seconds", "Duration of HTTP requests.", [
    "method",
    "route",
  ]);
  return (request, response, next) => {
    const started = performance.now();
    response.on("close", () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? "none";
      const { method } = request;
      requests.inc({ method, route, status: String(response.statusCode) });
      durations.observe({ method, route }, (performance.now() - started) / 1000);
    });
    next();
  };
}
