/** Spaces as native routes have them: lists by page, problem details, dumps and loads as streams. */
import { once } from "node:events";
import { PassThrough } from "node:stream";

import { MainspringError } from "@mainspring/kernel";
import type { Request, RequestHandler, Response, Router } from "express";

import type { SpaceIdentity } from "../../app/space-identity.ts";
import { actingFor, intParam, pathParam, secretOf, beginTrace, textParam } from "../context.ts";
import { settle } from "../problem.ts";
import { Admission, admitted } from "./admission.ts";
import { createSpaceBody, moveBody, rememberBody } from "./bodies.ts";
import { framesOf } from "./frames.ts";
import type { SpacesPorts } from "./space-call.ts";
import { idempotencyKeyOf, identifyFor, noteStale, parsed, spaceCaller, withCredential } from "./space-call.ts";
import { citationView, listedSpaceView, spaceView } from "./views.ts";
import { bodyOf, readBytes } from "./wire.ts";

const PAGE_MAX = 200;
const RECALL_MAX = 50;
/** Dumps and loads at once; further ones are refused. */
export const TRANSFERS_MAX = 4;
const LINGER_MS = 10_000;

export function nativeSpaceRoutes(router: Router, ports: SpacesPorts): void {
  const { admission } = ports;
  const serve = (work: (ports: SpacesPorts, request: Request, response: Response) => Promise<void>): RequestHandler =>
    admitted((request, response) => work(ports, request, response));
  const read = [identifyFor(ports), known, admission.enter];
  // Whoever is slow to say what they want takes nobody's place.
  const write = [identifyFor(ports), known, readBytes, admission.enter];
  router.get("/v1/spaces", ...read, serve(listSpaces));
  router.post("/v1/spaces", withCredential(ports), readBytes, admission.enter, serve(createSpace));
  router.get("/v1/spaces/:space", identifyFor(ports), admission.enter, serve(getSpace));
  router.delete("/v1/spaces/:space", ...read, serve(deleteSpace));
  router.post("/v1/spaces/:space/move", ...write, serve(moveSpace));
  router.post("/v1/spaces/:space/verify", ...write, serve(verifySpace));
  router.get("/v1/spaces/:space/memories", identifyFor(ports), admission.enter, serve(recall));
  router.post("/v1/spaces/:space/memories", identifyFor(ports), readBytes, admission.enter, serve(remember));
  const transfers = new Admission(TRANSFERS_MAX);
  router.get("/v1/spaces/:space/dump", identifyFor(ports), admin, transfers.enter, serve(dump));
  router.post("/v1/spaces/:space/load", identifyFor(ports), admin, transfers.enter, serve(load));
}

/** Refuses who showed no credential: what follows is of no public Space. */
const known: RequestHandler = (_request, response, next) => {
  void settle(() => {
    refuseNobody(spaceCaller(response));
    next();
  }, next);
};

/** Before a body of any size is read. */
const admin: RequestHandler = (_request, response, next) => {
  void settle(() => {
    const caller = spaceCaller(response);
    refuseNobody(caller);
    if (!caller.scopes.includes("admin")) throw new MainspringError("permission_denied", "this needs an admin key");
    next();
  }, next);
};

function refuseNobody({ tenant, spaceToken }: SpaceIdentity): void {
  if (tenant !== "") return;
  const isToken = spaceToken === "" ? "" : "a Space token reads and writes in its Space alone: ";
  const message = `${isToken}send an API key or a CWT as \`Authorization: Bearer …\``;
  throw new MainspringError("unauthenticated", message, { reason: "missing_credential" });
}

async function listSpaces({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const limit = intParam(request, "limit", 20, 1, PAGE_MAX);
  const page = await memory.listSpaces(spaceCaller(response), limit, textParam(request, "after"));
  const next = page.nextToken === "" ? null : page.nextToken;
  response.json({ object: "list", data: page.items.map(listedSpaceView), next });
}

async function createSpace(ports: SpacesPorts, request: Request, response: Response): Promise<void> {
  const { id, owner, tier, shard = null } = parsed(createSpaceBody, bodyOf(request, false));
  const identity = actingFor(request, await ports.spaceIdentities.identify(secretOf(request), id));
  refuseNobody(identity);
  const caller = { ...identity, ...beginTrace(request, response, identity.tenant), shard: null };
  const space = await ports.memory.createSpace(caller, { id, owner: owner ?? identity.subject, tier, shard });
  response.status(201).json(spaceView(space));
}

async function getSpace({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const { value, staleAsOf } = await memory.getSpace(spaceCaller(response), pathParam(request, "space"));
  noteStale(response, staleAsOf);
  response.json({ ...spaceView(value), ...staleField(staleAsOf) });
}

function staleField(staleAsOf: string): { readonly stale_as_of?: string } {
  return staleAsOf === "" ? {} : { stale_as_of: staleAsOf };
}

async function moveSpace({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const { shard } = parsed(moveBody, bodyOf(request, false));
  response.json(listedSpaceView(await memory.moveSpace(spaceCaller(response), pathParam(request, "space"), shard)));
}

async function deleteSpace({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  await memory.deleteSpace(spaceCaller(response), pathParam(request, "space"));
  response.status(204).end();
}

async function verifySpace({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const { equal, rows, differences } = await memory.verifySpace(spaceCaller(response), pathParam(request, "space"));
  response.json({ object: "space.verification", equal, rows, differences });
}

async function recall({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const query = textParam(request, "query").trim();
  if (query === "") throw new MainspringError("invalid_argument", "query: say what to recall", { param: "query" });
  const limit = intParam(request, "limit", 0, 1, RECALL_MAX);
  const answer = await memory.recall(spaceCaller(response), pathParam(request, "space"), query, limit);
  const { found, memories } = answer.value;
  noteStale(response, answer.staleAsOf);
  const list = { object: "list", found, data: memories.map(citationView), next: null };
  response.json({ ...list, ...staleField(answer.staleAsOf) });
}

async function remember({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> {
  const body = bodyOf(request, true);
  const { text, user = "" } = parsed(rememberBody, typeof body === "string" ? { text: body } : body);
  const kept = await memory.remember(spaceCaller(response), pathParam(request, "space"), {
    text,
    user,
    idempotencyKey: idempotencyKeyOf(request),
  });
  response.status(201).json({ object: "memory", conversation: kept.conversation, entities: kept.entities });
}

/** The Space as bytes. What breaks off in the middle breaks the connection, so no part passes for the whole. */
const dump = async ({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> => {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const frames = memory.dumpSpace(spaceCaller(response), pathParam(request, "space"), gone.signal);
  for await (const frame of frames) {
    if (!response.headersSent) response.status(200).type("application/octet-stream").flushHeaders();
    if (!response.write(frame)) await once(response, "drain", { signal: gone.signal });
  }
  response.end();
};

const load = async ({ memory }: SpacesPorts, request: Request, response: Response): Promise<void> => {
  const caller = spaceCaller(response);
  const owner = textParam(request, "owner");
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = new PassThrough();
  request.once("error", (error) => body.destroy(error)).pipe(body);
  const [id, frames] = [pathParam(request, "space"), framesOf(body)];
  const loading = memory.loadSpace(caller, id, owner === "" ? caller.subject : owner, frames, gone.signal);
  loading.catch(() => {
    request.unpipe(body);
    body.destroy();
    linger(request);
  });
  const space = await loading;
  response.status(201).json(spaceView(space));
};

/**
 * Reads on, for a while, what is left of a body that was refused: closing the connection under a client that still
 * sends could cost it the answer.
 */
function linger(request: Request): void {
  if (request.closed) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.once("close", () => clearTimeout(timer));
  request.resume();
}
