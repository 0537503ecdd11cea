/** What every authenticated route needs of its request. */
import { randomBytes } from "node:crypto";

import { MainspringError } from "@mainspring/kernel";
import { parseTraceparent } from "@mainspring/service-kit";
import type { Request, RequestHandler, Response } from "express";

import type { Identities, Identity } from "../app/identity.ts";
import { ADMIN_SCOPE, isOperator } from "../app/identity.ts";
import { requestSpan } from "./request-span.ts";
import type { Caller } from "../ports/engine-api.ts";
import { settle } from "./problem.ts";

/** Identifies the caller, or answers 401. */
export function authenticate(identities: Identities): RequestHandler {
  return (request, response, next) => {
    void settle(async () => {
      const identity = actingFor(request, await identities.identify(secretOf(request)));
      response.locals["caller"] = { ...identity, ...beginTrace(request, response, identity.tenant) } satisfies Caller;
      next();
    }, next);
  };
}

const ACT_AS = /^([a-z0-9][a-z0-9_-]{0,63})(; ?scope=admin)?$/;

/**
 * `x-mainspring-act-as: <tenant>` lets an operator act for a tenant, as a plain key of it or (`; scope=admin`) as its
 * admin. Nobody gets rights by it: operators make keys of any tenant. Others may name their own, with no more than they have.
 */
export function actingFor<I extends Identity>(request: Request, identity: I): I {
  const header = request.header("x-mainspring-act-as");
  if (header === undefined) return identity;
  const [, tenant, asAdmin] = ACT_AS.exec(header.trim()) ?? [];
  if (tenant === undefined) {
    throw new MainspringError("invalid_argument", "x-mainspring-act-as must be `<tenant>` or `<tenant>; scope=admin`", {
      reason: "invalid_act_as",
    });
  }
  const isAdmin = identity.scopes.includes(ADMIN_SCOPE);
  const isOwn = tenant === identity.tenant && (isAdmin || asAdmin === undefined);
  if (!isOwn && !isOperator(identity)) {
    throw new MainspringError("permission_denied", "only an operator's key may act for another tenant", {
      reason: "act_as_denied",
    });
  }
  const plain = identity.scopes.filter((scope) => scope !== ADMIN_SCOPE);
  return { ...identity, tenant, scopes: asAdmin === undefined ? plain : [ADMIN_SCOPE] };
}

/** The request's span, in the trace that the caller goes on with or a new one; the answer names it. */
export function beginTrace(request: Request, response: Response, tenant: string): { readonly traceparent: string } {
  const span = requestSpan(request, response, tenant);
  // Without an SDK the span has no id; answers name a trace all the same.
  const traceparent = parseTraceparent(span.traceparent) === null ? newTraceparent() : span.traceparent;
  response.setHeader("traceparent", traceparent);
  return { traceparent };
}

export function callerOf(response: Response): Caller {
  return response.locals["caller"] as Caller;
}

export function adminOnly(response: Response): void {
  if (callerOf(response).scopes.includes(ADMIN_SCOPE)) return;
  throw new MainspringError("permission_denied", "this needs an admin key");
}

/** The credential that the caller shows; empty without one. */
export function secretOf(request: Request): string {
  const bearer = /^Bearer (.+)$/i.exec(request.header("authorization") ?? "");
  return (bearer?.[1] ?? request.header("x-api-key") ?? "").trim();
}

function newTraceparent(): string {
  return `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
}

/** A query parameter that is a whole number from `min` to `max`. */
export function intParam(request: Request, name: string, fallback: number, min: number, max: number): number {
  const text = request.query[name];
  if (text === undefined || text === "") return fallback;
  const value = typeof text === "string" && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new MainspringError("invalid_argument", `${name} must be a whole number from ${min} to ${max}`, {
    param: name,
  });
}

export function textParam(request: Request, name: string): string {
  const text = request.query[name];
  return typeof text === "string" ? text : "";
}

export function pathParam(request: Request, name: string): string {
  return String(request.params[name] ?? "");
}
