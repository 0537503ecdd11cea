/** The memory routes. They come before the routes of API keys: other credentials, and nobody at all, get in here. */
import { readFileSync } from "node:fs";

import { MainspringError, RESERVED_SPACE_IDS } from "@mainspring/kernel";
import { Router } from "express";
import type { RequestHandler } from "express";

import { rpcErrors } from "../problem.ts";
import { adminRoutes, managementRoutes } from "./management-routes.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { nativeSpaceRoutes } from "./native-routes.ts";
import type { SpacesPorts } from "./space-call.ts";
import { SpaceRoutes } from "./space-call.ts";
import { sendBody } from "./wire.ts";

const SKILL = readFileSync(new URL("SKILL.md", import.meta.url), "utf8");
const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
/** Spaces are found by their directory, so there is one door for all shards, the one that clients assume by default. */
const INFO = {
  name: "mainspring",
  version,
  sharding: 0,
  description: "Long-term memory for agents: claims with their evidence, beliefs computed from them, KIP 2.0.",
};

export function spacesRoutes(ports: SpacesPorts): Router {
  const router = Router();
  router.get("/info", (request, response) => sendBody(request, response, INFO));
  router.get("/SKILL.md", (_request, response) => void response.type("text/markdown").send(SKILL));
  adminRoutes(router, ports);
  nativeSpaceRoutes(router, ports);
  const routes = new SpaceRoutes(router, ports);
  memoryRoutes(routes);
  managementRoutes(routes);
  router.use(noSuchRoute);
  return router;
}

const BELOW_A_SPACE = /^\/v1\/(?:spaces\/)?([a-z0-9_]+)\/./;

/** What is below a Space and is no route: said here, since the credentials of Spaces mean nothing to what follows. */
const noSuchRoute: RequestHandler = (request, response, next) => {
  const [, space] = BELOW_A_SPACE.exec(request.path) ?? [];
  if (space === undefined || RESERVED_SPACE_IDS.has(space)) return next();
  const message = `there is no ${request.method} ${request.path}`;
  rpcErrors(request, response, () => next(new MainspringError("not_found", message, { reason: "no_such_route" })));
};
