/** `/v1/agents`: what callers may name as `agent/<name>`, and those that a tenant defines. */
import { MainspringError } from "@mainspring/kernel";
import type { Request, Response } from "express";
import { Router } from "express";

import type { AgentInfo, EngineApi } from "../ports/engine-api.ts";
import { callerOf, pathParam } from "./context.ts";
import { handle } from "./problem.ts";

export interface AgentsPorts {
  readonly engine: EngineApi;
  readonly models: { forgetAgents(): void };
}

export function agentsRoutes({ engine, models }: AgentsPorts): Router {
  const router = Router();
  const put = async (response: Response, definition: unknown, replaces: boolean): Promise<void> => {
    const { agent, created } = await engine.putAgent(callerOf(response), definition, replaces);
    models.forgetAgents();
    response.status(created ? 201 : 200).json(agentView(agent));
  };
  router.get(
    "/agents",
    handle(async (_request, response) => {
      const agents = await engine.listAgents(callerOf(response));
      response.json({ object: "list", data: agents.map(agentView), next: null });
    }),
  );
  router.post(
    "/agents",
    handle((request, response) => put(response, request.body ?? {}, false)),
  );
  router.get(
    "/agents/:name",
    handle(async (request, response) => {
      response.json(agentView(await engine.getAgent(callerOf(response), pathParam(request, "name"))));
    }),
  );
  router.put(
    "/agents/:name",
    handle((request, response) => put(response, named(request), true)),
  );
  router.delete(
    "/agents/:name",
    handle(async (request, response) => {
      await engine.deleteAgent(callerOf(response), pathParam(request, "name"));
      models.forgetAgents();
      response.status(204).end();
    }),
  );
  return router;
}

/** The name stands in the path; one in the body may only say the same. */
function named(request: Request): unknown {
  const name = pathParam(request, "name");
  const body = (request.body ?? {}) as { readonly name?: unknown };
  if (body.name === undefined || body.name === name) return { ...body, name };
  throw new MainspringError("invalid_argument", `name: must be ${name}, as in the path`, { param: "name" });
}

export function agentView({
  name,
  description,
  model,
  tools,
  instructions,
  memory,
  exported,
  fixed,
  problem,
}: AgentInfo) {
  return {
    object: "agent",
    name,
    description,
    model,
    tools: tools[0] === "*" ? "*" : tools,
    instructions,
    memory: memory === "" ? null : memory,
    exported,
    fixed,
    problem: problem === "" ? null : problem,
  };
}
