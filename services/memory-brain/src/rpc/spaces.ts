/** Spaces themselves: made, listed, changed, moved, carried away and brought back. */
import type { MemoryBrainHandlers } from "@mainspring/contracts";
import type { LoadSpaceRequest__Output, Space } from "@mainspring/contracts/memory-brain";
import { onBehalfOf } from "@mainspring/contracts";
import type { Principal } from "@mainspring/contracts";
import { MainspringError, spaceIdProblem } from "@mainspring/kernel";
import type { JsonObject } from "@mainspring/kip";
import { isPassing } from "@mainspring/service-kit";

import type { BrainPorts, Entered } from "../app/brain.ts";
import { aboutOf, enter, freshnessOf, visibleRow } from "../app/brain.ts";
import { fromKip } from "../app/kip-failure.ts";
import type { OpenSpace } from "../app/open-spaces.ts";
import { SYSTEM } from "../app/open-spaces.ts";
import { TIER_MAX } from "../domain/tier.ts";
import { leastLoaded } from "../domain/shards.ts";
import type { SpaceChange, SpaceRow } from "../ports/directory.ts";
import type { Locate } from "./forwarding.ts";

const NAME_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 4_096;
const USER_CHARACTERS_MAX = 256;
const PAGE_DEFAULT = 50;
export const SPACES_PAGE_MAX = 200;
const CREATION_BYTES = 16;
const DIFFERENCES_MAX = 20;
const SHARD_MAX = 65_535;

type SpaceHandlers = Pick<
  MemoryBrainHandlers,
  | "CreateSpace"
  | "GetSpace"
  | "ListSpaces"
  | "UpdateSpace"
  | "UpdateSpaceTier"
  | "MoveSpace"
  | "VerifySpace"
  | "DumpSpace"
  | "LoadSpace"
>;

export function spaceHandlers(ports: BrainPorts, locate: Locate): SpaceHandlers {
  return {
    CreateSpace: async ({ space_id: id, user, tier, shard }, context) => {
      const row = await newRow(ports, { id, user, tier, shard }, context.principal, false);
      if ((await ports.directory.create(row)) === "exists") throw exists(id);
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
    VerifySpace: (request, { principal }) =>
      enter(ports, "VerifySpace", request, principal, async ({ space }) => {
        const { rows, differences } = await ports.verify(space);
        return { equal: differences.length === 0, rows, differences: differences.slice(0, DIFFERENCES_MAX) };
      }),
    DumpSpace: (request, { principal }) => dump(ports, request, principal),
    LoadSpace: (requests, { principal }) => load(ports, requests, principal),
  };
}

function requireAdmin({ scopes, tenant }: Principal): void {
  if (scopes.includes("admin") && tenant !== "") return;
  const code = tenant === "" && scopes.length === 0 ? "unauthenticated" : "permission_denied";
  throw new MainspringError(code, "this needs an admin", { reason: "insufficient_scope" });
}

function checkedTier(tier: number): number {
  if (tier <= TIER_MAX) return tier;
  throw new MainspringError("invalid_argument", `tier is from 0 to ${TIER_MAX}`, { param: "tier" });
}

interface Wish {
  readonly id: string;
  readonly user: string;
  readonly tier: number;
  readonly shard?: number | undefined;
}

async function newRow(ports: BrainPorts, wish: Wish, principal: Principal, loading: boolean): Promise<SpaceRow> {
  requireAdmin(principal);
  const problem = spaceIdProblem(wish.id);
  if (problem !== null) {
    throw new MainspringError("invalid_argument", `space_id: ${problem}`, {
      param: "space_id",
      reason: "bad_space_id",
    });
  }
  if (wish.user.length > USER_CHARACTERS_MAX)
    throw new MainspringError("invalid_argument", `user has at most ${USER_CHARACTERS_MAX} characters`, {
      param: "user",
    });
  const now = ports.clock.now();
  return {
    id: wish.id,
    tenant: principal.tenant,
    owner: wish.user === "" ? principal.subject : wish.user,
    name: "",
    description: "",
    public: false,
    tier: checkedTier(wish.tier),
    tierUpdatedAt: now,
    shard: await shardFor(ports, wish.shard),
    createdAt: now,
    loading,
    epoch: 0,
    hold: null,
    creation: Buffer.from(ports.random.bytes(CREATION_BYTES)).toString("hex"),
  };
}

async function shardFor(ports: BrainPorts, wanted: number | undefined): Promise<number> {
  const live = ports.shards();
  if (wanted === undefined) return leastLoaded(live, await ports.directory.countByShard());
  checkShard(live, wanted);
  return wanted;
}

function checkShard(live: readonly number[], shard: number): void {
  if (shard > SHARD_MAX)
    throw new MainspringError("invalid_argument", `shard is from 0 to ${SHARD_MAX}`, { param: "shard" });
  if (live.includes(shard)) return;
  throw new MainspringError("failed_precondition", `no worker of shard ${shard} is there`, { reason: "no_such_shard" });
}

const exists = (id: string): MainspringError =>
  new MainspringError("already_exists", `there is a Space ${id} already`, { reason: "space_exists" });

function listed(row: SpaceRow): Space {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    description: row.description,
    public: row.public,
    tier: row.tier,
    tier_updated_at_ms: row.tierUpdatedAt,
    shard: row.shard,
    created_at_ms: row.createdAt,
  };
}

async function viewOf(space: OpenSpace): Promise<Space> {
  const { row, handle } = space;
  const { seq, info } = await handle.call("status", null, SYSTEM);
  const full = {
    ...info,
    ...(row.name === "" ? {} : { name: row.name }),
    ...(row.description === "" ? {} : { description: row.description }),
    owner: row.owner,
    public: row.public,
    tier: { tier: row.tier, updated_at: row.tierUpdatedAt },
  };
  return { ...listed(row), space_seq: seq, info_json: JSON.stringify(full) };
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
  checkShard(ports.shards(), shard);
  if (row.shard !== shard) await ports.move(row, shard);
  const moved = await visibleRow(ports, { space_id: id }, principal);
  return { space: listed(moved), freshness: null };
}

/** Frames wait in a bounded buffer of the transport; the Space stays open meanwhile. */
async function* dump(ports: BrainPorts, request: { space_id: string; shard?: number }, principal: Principal) {
  const row = await visibleRow(ports, request, principal);
  const frames = Promise.withResolvers<AsyncGenerator<Uint8Array>>();
  const done = Promise.withResolvers<void>();
  const entered = enter(ports, "DumpSpace", { space_id: row.id }, principal, ({ space }) => {
    frames.resolve(space.handle.dump(aboutOf(space.row)));
    return done.promise;
  });
  entered.catch((error: unknown) => frames.reject(error));
  try {
    for await (const data of await frames.promise) yield { data: Buffer.from(data) };
  } catch (error) {
    throw fromKip(error);
  } finally {
    done.resolve();
    await entered.catch(() => undefined);
  }
}

type LoadFrame = LoadSpaceRequest__Output;

async function* load(ports: BrainPorts, requests: AsyncIterable<LoadFrame>, principal: Principal) {
  const frames = requests[Symbol.asyncIterator]();
  const first = await frames.next();
  if (first.done === true) throw new MainspringError("invalid_argument", "a load begins with the name of the Space");
  const { space_id: id, user, data } = first.value;
  const row = await newRow(ports, { id, user, tier: 0 }, principal, true);
  await reserve(ports, row);
  let space: Space;
  try {
    space = await ports.spaces.use(row, async (opened) => {
      await opened.handle.load(data);
      for (let next = await frames.next(); next.done !== true; next = await frames.next())
        await opened.handle.load(next.value.data);
      const about = await opened.handle.load(null);
      opened.setTokens(await opened.handle.call("tokens", null, SYSTEM));
      opened.row = (await ports.directory.update(id, loadedChange(about))) ?? opened.row;
      return viewOf(opened);
    });
  } catch (error) {
    await ports.spaces.close(id).catch(() => undefined);
    await ports.discard(row);
    await ports.directory.remove(id);
    throw fromKip(error);
  }
  yield { space };
}

/** Takes the name. A load that died half way leaves its name to the next one. */
async function reserve(ports: BrainPorts, row: SpaceRow): Promise<void> {
  if ((await ports.directory.create(row)) === "created") return;
  const known = await ports.directory.get(row.id);
  if (known?.loading !== true || known.tenant !== row.tenant || !ports.isAbandoned(known)) throw exists(row.id);
  await ports.discard(known);
  await ports.directory.remove(row.id);
  if ((await ports.directory.create(row)) === "exists") throw exists(row.id);
}

function loadedChange(about: JsonObject | null): SpaceChange {
  const { name, description, public: open, tier } = about ?? {};
  return {
    loading: false,
    ...(typeof name === "string" ? { name: name.slice(0, NAME_CHARACTERS_MAX) } : {}),
    ...(typeof description === "string" ? { description: description.slice(0, DESCRIPTION_CHARACTERS_MAX) } : {}),
    ...(typeof open === "boolean" ? { public: open } : {}),
    ...(typeof tier === "number" && Number.isInteger(tier) && tier >= 0 && tier <= TIER_MAX ? { tier } : {}),
  };
}
