/** Keys and artifacts, and what machines ask for: liveness, readiness, metrics. */
import { MainspringError } from "@mainspring/kernel";
import type { ArtifactStore, Metrics, Readiness } from "@mainspring/service-kit";
import { Router } from "express";
import type { Response } from "express";

import { isOperator } from "../app/identity.ts";
import type { Identities } from "../app/identity.ts";
import type { ApiKey } from "../ports/key-store.ts";
import { keyBody } from "./bodies.ts";
import { adminOnly, callerOf, intParam, pathParam } from "./context.ts";
import { openApi } from "./openapi.ts";
import { handle } from "./problem.ts";

export function keysRoutes(identities: Identities): Router {
  const router = Router();
  router.post(
    "/keys",
    handle(async (request, response) => {
      adminOnly(response);
      const parsed = keyBody.safeParse(request.body ?? {});
      if (!parsed.success) {
        const issue = parsed.error.issues[0]!;
        throw new MainspringError("invalid_argument", `${issue.path.join(".")}: ${issue.message}`);
      }
      const { name, scopes } = parsed.data;
      const caller = callerOf(response);
      const tenant = parsed.data.tenant ?? caller.tenant;
      if (tenant !== caller.tenant && !isOperator(caller)) {
        throw new MainspringError("permission_denied", `this admin key makes keys of ${caller.tenant} only`, {
          param: "tenant",
        });
      }
      const { key, secret } = await identities.create(tenant, name, scopes);
      response.status(201).json({ ...keyView(key), key: secret });
    }),
  );
  router.get(
    "/keys",
    handle(async (request, response) => {
      adminOnly(response);
      const keys = await identities.list(intParam(request, "limit", 100, 1, 1_000), whoseKeys(response));
      response.json({ object: "list", data: keys.map(keyView), next: null });
    }),
  );
  router.delete(
    "/keys/:id",
    handle(async (request, response) => {
      adminOnly(response);
      await identities.revoke(pathParam(request, "id"), whoseKeys(response));
      response.status(204).end();
    }),
  );
  return router;
}

/** Operators see to all keys, other admins to those of their tenant. */
function whoseKeys(response: Response): string | null {
  const caller = callerOf(response);
  return isOperator(caller) ? null : caller.tenant;
}

function keyView({ id, tenant, name, scopes, createdAt, revokedAt }: ApiKey) {
  return {
    id,
    object: "api_key",
    tenant,
    name,
    scopes,
    created_at: new Date(createdAt).toISOString(),
    revoked_at: revokedAt === 0 ? null : new Date(revokedAt).toISOString(),
  };
}

/** An artifact's digest is enough to read it, within its tenant. */
export function artifactsRoutes(artifacts: ArtifactStore): Router {
  const router = Router();
  router.get(
    "/artifacts/:digest",
    handle(async (request, response) => {
      const digest = pathParam(request, "digest");
      const bytes = /^[0-9a-f]{64}$/.test(digest) ? await artifacts.get(callerOf(response).tenant, digest) : null;
      if (bytes === null)
        throw new MainspringError("not_found", `no artifact ${digest}`, { reason: "artifact_not_found" });
      response.setHeader("content-type", "application/octet-stream");
      response.setHeader("etag", `"${digest}"`);
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("content-security-policy", "default-src 'none'; sandbox");
      response.send(Buffer.from(bytes));
    }),
  );
  return router;
}

export function healthRoutes(readiness: Readiness, metrics: Metrics): Router {
  const router = Router();
  const ready = handle(async (_request, response) => {
    const told = await readiness.tell();
    response.status(told.status === "ready" ? 200 : 503).json(told);
  });
  router.get("/openapi.json", (_request, response) => void response.json(openApi()));
  router.get("/livez", (_request, response) => void response.json({ status: "alive" }));
  router.get("/readyz", ready);
  router.get("/health", ready);
  router.get(
    "/metrics",
    handle(async (_request, response) => {
      response.setHeader("content-type", metrics.contentType);
      response.send(await metrics.text());
    }),
  );
  return router;
}
