/** Spaces themselves: made, listed, changed, moved, removed, carried away and brought back. */
import type { MemoryBrainHandlers } from "@mainspring/contracts";
import { onBehalfOf } from "@mainspring/contracts";
import type { Principal } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { isPassing } from "@mainspring/service-kit";

import type { BrainPorts, Entered } from "../app/brain.ts";
import { enter, freshnessOf, visibleRow } from "../app/brain.ts";
import type { SpaceChange } from "../ports/directory.ts";
import type { Locate } from "./forwarding.ts";
import { checkedTier, checkShard, DESCRIPTION_CHARACTERS_MAX, NAME_CHARACTERS_MAX, newRow } from "./new-space.ts";
import { reserveName } from "./reserve-name.ts";
import { deleteSpace } from "./delete-space.ts";
import { dump, load } from "./dump-and-load.ts";
import { listed, viewOf } from "./space-views.ts";

const PAGE_DEFAULT = 50;
export const SPACES_PAGE_MAX = 200;
const DIFFERENCES_MAX = 20;

type SpaceHandlers = Pick<
  MemoryBrainHandlers,
  | "CreateSpace"
  | "GetSpace"
  | "ListSpaces"
  | "UpdateSpace"
  | "UpdateSpaceTier"
  | "MoveSpace"
  | "DeleteSpace"
  | "VerifySpace"
  | "DumpSpace"
  | "LoadSpace"
>;

export function spaceHandlers(ports: BrainPorts, locate: Locate): SpaceHandlers {
  return {
    CreateSpace: async ({ space_id: id, user, tier, shard }, context) => {
      const row = await newRow(ports, { id, user, tier, shard }, context.principal, false);
      await reserveName(ports, row);
      try {
        const peer = await locate(id);
        if (peer === null) return { space: await ports.spaces.use(row, viewOf), freshness: null };
        const { space } = await peer.GetSpace({ space_id: id }, { ...onBehalfOf(context), forwarded: true });
        return { space, freshness: null };
      } catch (error) {
        // It is there; what kept it from being opened is met again, and mended, at its first use.
        if (!isPassing(error)) throw error;
        return { space: listed(row), freshness: null };
      }
    },
    GetSpace: (request, { principal }) =>
      enter(ports, "GetSpace", request, principal, async ({ space }) => ({
        space: await viewOf(space),
        freshness: freshnessOf(space),
      })),
    ListSpaces: async ({ page_size: size, page_token: after }, { principal }) => {
      if (principal.tenant === "") throw new MainspringError("unauthenticated", "show a credential of a tenant");
      const limit = size === 0 ? PAGE_DEFAULT : Math.min(size, SPACES_PAGE_MAX);
      const rows = await ports.directory.list(principal.tenant, after, limit + 1);
      const shown = rows.slice(0, limit);
      return { spaces: shown.map(listed), next_page_token: rows.length > limit ? shown.at(-1)!.id : "" };
    },
    UpdateSpace: (request, { principal }) =>
      enter(ports, "UpdateSpace", request, principal, (entered) => change(ports, entered, changeOf(request))),
    UpdateSpaceTier: (request, { principal }) =>
      enter(ports, "UpdateSpaceTier", request, principal, (entered) => {
        const tier = checkedTier(request.tier);
        return change(ports, entered, { tier, tierUpdatedAt: ports.clock.now() });
      }),
    MoveSpace: (request, { principal }) => moveSpace(ports, request, principal),
    DeleteSpace: async (request, { principal }) => {
      await deleteSpace(ports, request, principal);
      return {};
    },
    VerifySpace: (request, { principal }) =>
      enter(ports, "VerifySpace", request, principal, async ({ space }) => {
        const { rows, differences } = await ports.verify(space);
        return { equal: differences.length === 0, rows, differences: differences.slice(0, DIFFERENCES_MAX) };
      }),
    DumpSpace: (request, { principal }) => dump(ports, request, principal),
    LoadSpace: (requests, { principal }) => load(ports, requests, principal),
  };
}

function changeOf({
  name,
  description,
  public: open,
}: {
  name?: string;
  description?: string;
  public?: boolean;
}): SpaceChange {
  if (name !== undefined && name.length > NAME_CHARACTERS_MAX)
    throw new MainspringError("invalid_argument", `name has at most ${NAME_CHARACTERS_MAX} characters`, {
      param: "name",
    });
  if (description !== undefined && description.length > DESCRIPTION_CHARACTERS_MAX) {
    throw new MainspringError("invalid_argument", `description has at most ${DESCRIPTION_CHARACTERS_MAX} characters`, {
      param: "description",
    });
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(open === undefined ? {} : { public: open }),
  };
}

async function change(ports: BrainPorts, { space }: Entered, wanted: SpaceChange) {
  const row = await ports.directory.update(space.row.id, wanted);
  if (row !== null) space.row = row;
  return { space: await viewOf(space), freshness: freshnessOf(space) };
}

async function moveSpace(ports: BrainPorts, request: { space_id: string; shard: number }, principal: Principal) {
  const { space_id: id, shard } = request;
  // Admitted as any call is; it must not be in use while it goes, so that is over by then.
  const row = await enter(ports, "MoveSpace", { space_id: id }, principal, ({ space }) => Promise.resolve(space.row));
  checkShard(await ports.shards(), shard);
  if (row.shard !== shard) await ports.move(row, shard);
  const moved = await visibleRow(ports, "MoveSpace", { space_id: id }, principal);
  return { space: listed(moved), freshness: null };
}
