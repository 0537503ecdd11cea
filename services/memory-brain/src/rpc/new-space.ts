/** The row of a Space that is to be. */
import type { Principal } from "@mainspring/contracts";
import { MainspringError, spaceIdProblem } from "@mainspring/kernel";

import type { BrainPorts } from "../app/brain.ts";
import { leastLoaded } from "../domain/shards.ts";
import { TIER_DEFAULT, TIER_MAX } from "../domain/tier.ts";
import type { SpaceRow } from "../ports/directory.ts";

export const NAME_CHARACTERS_MAX = 256;
export const DESCRIPTION_CHARACTERS_MAX = 4_096;
const USER_CHARACTERS_MAX = 256;
const CREATION_BYTES = 16;
const SHARD_MAX = 65_535;

function requireAdmin({ scopes, tenant }: Principal): void {
  if (scopes.includes("admin") && tenant !== "") return;
  const code = tenant === "" && scopes.length === 0 ? "unauthenticated" : "permission_denied";
  throw new MainspringError(code, "this needs an admin", { reason: "insufficient_scope" });
}

export function checkedTier(tier: number): number {
  if (tier <= TIER_MAX) return tier;
  throw new MainspringError("invalid_argument", `tier is from 0 to ${TIER_MAX}`, { param: "tier" });
}

interface Wish {
  readonly id: string;
  readonly user: string;
  /** Absent: the default. */
  readonly tier?: number | undefined;
  readonly shard?: number | undefined;
}

/** Throws where the principal may not make it, or the wish cannot be granted. */
export async function newRow(ports: BrainPorts, wish: Wish, principal: Principal, loading: boolean): Promise<SpaceRow> {
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
    tier: checkedTier(wish.tier ?? TIER_DEFAULT),
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
  const live = await ports.shards();
  if (wanted === undefined) return leastLoaded(live, await ports.directory.countByShard());
  checkShard(live, wanted);
  return wanted;
}

export function checkShard(live: readonly number[], shard: number): void {
  if (shard > SHARD_MAX)
    throw new MainspringError("invalid_argument", `shard is from 0 to ${SHARD_MAX}`, { param: "shard" });
  if (live.includes(shard)) return;
  throw new MainspringError("failed_precondition", `no worker of shard ${shard} is there`, { reason: "no_such_shard" });
}

export const exists = (id: string): MainspringError =>
  new MainspringError("already_exists", `there is a Space ${id} already`, { reason: "space_exists" });
