/** Who may use a Space, and what it is called; and Spaces themselves, for admins. */
import type { Router } from "express";

import type { Answer } from "../../ports/memory-api.ts";
import { actingFor, beginTrace, pathParam, secretOf } from "../context.ts";
import { rpcErrors } from "../problem.ts";
import { admitted } from "./admission.ts";
import { addTokenBody, adminCreateBody, revokeTokenBody, tierBody, updateSpaceBody } from "./bodies.ts";
import type { SpaceCall, SpaceRoutes, SpacesPorts } from "./space-call.ts";
import { identifyFor, newest, parsed, spaceCaller, withCredential } from "./space-call.ts";
import { spaceInfoView, tokenView } from "./views.ts";
import { bodyOf, readBytes, sendBody } from "./wire.ts";

export function managementRoutes(routes: SpaceRoutes): void {
  routes.at("get", "/management/space_tokens", async ({ memory, caller, spaceId }) =>
    newest((await memory.tokens(caller, spaceId)).map(tokenView)),
  );
  routes.at("post", "/management/add_space_token", addToken);
  routes.at("post", "/management/revoke_space_token", revokeToken);
  routes.at("patch", "/management/update_space", updateSpace);
}

async function addToken({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { name, scope, expires_at, labels } = parsed(addTokenBody, body);
  const token = { name, scope, expiresAt: expires_at ?? null, labels: labels ?? null };
  return newest(tokenView(await memory.addToken(caller, spaceId, token)));
}

async function revokeToken({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  const { token = "", name = "" } = parsed(revokeTokenBody, body);
  return newest(await memory.revokeToken(caller, spaceId, token, name));
}

async function updateSpace({ memory, caller, spaceId, body }: SpaceCall): Promise<Answer<unknown>> {
  await memory.updateSpace(caller, spaceId, parsed(updateSpaceBody, body));
  return newest(true);
}

/** `/admin/…`, which names the Space in the body or behind `admin`. */
export function adminRoutes(router: Router, ports: SpacesPorts): void {
  const { memory, spaceIdentities, admission } = ports;
  router.post(
    "/admin/create_space",
    rpcErrors,
    withCredential(ports),
    readBytes,
    admission.enter,
    admitted(async (request, response) => {
      const { user, space_id, tier } = parsed(adminCreateBody, bodyOf(request, false));
      const identity = actingFor(request, await spaceIdentities.identify(secretOf(request), space_id));
      const caller = { ...identity, ...beginTrace(request, response, identity.tenant), shard: null };
      const space = await memory.createSpace(caller, { id: space_id, owner: user, tier, shard: null });
      sendBody(request, response, { result: spaceInfoView(space) });
    }),
  );
  router.post(
    "/admin/:space/update_space_tier",
    rpcErrors,
    identifyFor(ports),
    readBytes,
    admission.enter,
    admitted(async (request, response) => {
      const { tier } = parsed(tierBody, bodyOf(request, false));
      const space = await memory.updateTier(spaceCaller(response), pathParam(request, "space"), tier);
      sendBody(request, response, { result: { tier: space.tier, updated_at: space.tierUpdatedAt } });
    }),
  );
}
