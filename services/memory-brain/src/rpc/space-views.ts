/** Spaces as callers see them. */
import type { Space } from "@mainspring/contracts/memory-brain";

import type { OpenSpace } from "../app/open-spaces.ts";
import { SYSTEM } from "../app/open-spaces.ts";
import type { SpaceRow } from "../ports/directory.ts";

/** What the directory knows of it. */
export function listed(row: SpaceRow): Space {
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

/** With what is in it. */
export async function viewOf(space: OpenSpace): Promise<Space> {
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
