/** What a route of a Space is given, and how it is served under both of its addresses. */
import { MainspringError, RESERVED_SPACE_IDS } from "@mainspring/kernel";
import type { Request, RequestHandler, Response, Router } from "express";
import type { z } from "zod";

import type { SpaceIdentities } from "../../app/space-identity.ts";
import type { Answer, MemoryApi, SpaceCaller } from "../../ports/memory-api.ts";
import { actingFor, beginTrace, pathParam, secretOf } from "../context.ts";
import { rpcErrors, settle } from "../problem.ts";
import { admitted } from "./admission.ts";
import type { Admission } from "./admission.ts";
import { bodyOf, readBytes, sendBody } from "./wire.ts";

/** A read whose answer may be older than the newest says when it was known to be the newest. */
export const STALE_HEADER = "x-mainspring-stale-as-of";
const IDEMPOTENCY_KEY_CHARS_MAX = 256;

export interface SpacesPorts {
  readonly memory: MemoryApi;
  readonly spaceIdentities: SpaceIdentities;
  readonly admission: Admission;
}

export interface SpaceCall {
  readonly memory: MemoryApi;
  readonly caller: SpaceCaller;
  /** Empty on routes that name no Space. */
  readonly spaceId: string;
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
}

export type Method = "get" | "post" | "patch";

/** The two addresses of a Space's routes. */
export const SPACE_PREFIXES = ["/v1/:space", "/v1/spaces/:space"] as const;

/** Names of routes are no Spaces: their requests go on to those. */
export const unlessReserved: RequestHandler = (request, _response, next) => {
  if (RESERVED_SPACE_IDS.has(pathParam(request, "space"))) next("route");
  else next();
};

/** Identifies the caller for the Space of the path, or answers 401. */
export function identifyFor({ spaceIdentities }: SpacesPorts): RequestHandler {
  return (request, response, next) => {
    void settle(async () => {
      const shown = await spaceIdentities.identify(secretOf(request), pathParam(request, "space"));
      const identity = actingFor(request, shown);
      response.locals["caller"] = {
        ...identity,
        ...beginTrace(request, response, identity.tenant),
        shard: shardOf(request),
      };
      next();
    }, next);
  };
}

/** Refuses who shows nothing, before a body is read that says what it is about. */
export function withCredential({ spaceIdentities }: SpacesPorts): RequestHandler {
  return (request, _response, next) => {
    void settle(() => {
      if (spaceIdentities.isOpen || secretOf(request) !== "") return next();
      throw new MainspringError("unauthenticated", "send an API key or a CWT as `Authorization: Bearer …`", {
        reason: "missing_credential",
      });
    }, next);
  };
}

/** The shard that the caller names. Null for none, and for what is no number: the Space is found wherever it is. */
export function shardOf(request: Request): number | null {
  const given = (request.header("shard-id") ?? request.header("x-shard") ?? "").trim();
  return /^\d{1,9}$/.test(given) ? Number(given) : null;
}

export function spaceCaller(response: Response): SpaceCaller {
  return response.locals["caller"] as SpaceCaller;
}

export interface RpcRoute {
  /** A body that is no JSON counts as text. */
  readonly text?: boolean;
}

/** Serves a route of the RPC kind: its result in an envelope, its errors in one too. */
export class SpaceRoutes {
  readonly #router: Router;
  readonly #ports: SpacesPorts;

  constructor(router: Router, ports: SpacesPorts) {
    this.#router = router;
    this.#ports = ports;
  }

  /** `path` begins below the Space. */
  at(method: Method, path: string, work: (call: SpaceCall) => Promise<Answer<unknown>>, route: RpcRoute = {}): void {
    this.raw(
      method,
      path,
      async (call) => {
        const { value, nextCursor, staleAsOf } = await work(call);
        noteStale(call.response, staleAsOf);
        const envelope = { result: value, ...(nextCursor === "" ? {} : { next_cursor: nextCursor }) };
        sendBody(call.request, call.response, envelope, typeof value === "string" ? value : undefined);
      },
      route,
    );
  }

  /** The same, for a route that writes its answer itself. */
  raw(method: Method, path: string, work: (call: SpaceCall) => Promise<void>, { text = false }: RpcRoute = {}): void {
    const { memory, admission } = this.#ports;
    const run = admitted(async (request, response) => {
      const body = bodyOf(request, text);
      const [caller, spaceId] = [spaceCaller(response), pathParam(request, "space")];
      await work({ memory, caller, spaceId, request, response, body });
    });
    for (const prefix of SPACE_PREFIXES) {
      this.#router[method](
        prefix + path,
        unlessReserved,
        rpcErrors,
        identifyFor(this.#ports),
        // Whoever is slow to say what they want takes nobody's place.
        readBytes,
        admission.enter,
        run,
      );
    }
  }
}

export function noteStale(response: Response, staleAsOf: string): void {
  if (staleAsOf !== "") response.setHeader(STALE_HEADER, staleAsOf);
}

/** An answer that is always the newest. */
export function newest<T>(value: T): Answer<T> {
  return { value, nextCursor: "", staleAsOf: "" };
}

/** The body as the schema has it. Throws `invalid_argument` that names the first field at fault. */
export function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body ?? {});
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const param = issue.path.map(String).join(".");
  const where = param === "" ? "the request body" : param;
  throw new MainspringError("invalid_argument", `${where}: ${issue.message}`, param === "" ? {} : { param });
}

/** The `Idempotency-Key`, empty without one. */
export function idempotencyKeyOf(request: Request): string {
  const key = request.header("idempotency-key") ?? "";
  if (key.length <= IDEMPOTENCY_KEY_CHARS_MAX) return key;
  throw new MainspringError(
    "invalid_argument",
    `Idempotency-Key holds at most ${IDEMPOTENCY_KEY_CHARS_MAX} characters`,
    { param: "Idempotency-Key" },
  );
}
