/** Spaces, citations and tokens as routes show them. */
import type { Citation, SpaceInfo, SpaceToken } from "../../ports/memory-api.ts";

/** As compatible clients know it. */
export function spaceInfoView({ details, id, owner, name, description, isPublic, tier, tierUpdatedAt }: SpaceInfo) {
  return {
    ...details,
    id,
    owner,
    ...(name === "" ? {} : { name }),
    ...(description === "" ? {} : { description }),
    public: isPublic,
    tier: { tier, updated_at: tierUpdatedAt },
  };
}

/** As native routes show it. */
export function spaceView(space: SpaceInfo) {
  return { ...listedSpaceView(space), space_seq: space.spaceSeq };
}

/** What is known of a Space without opening it. */
export function listedSpaceView(space: SpaceInfo) {
  return {
    id: space.id,
    object: "space",
    owner: space.owner,
    name: space.name,
    description: space.description,
    public: space.isPublic,
    tier: space.tier,
    shard: space.shard,
    created_at: new Date(space.createdAt).toISOString(),
  };
}

/** Members that are not known are left out. */
export function citationView({ entity, type, name, confidence, source, createdAt, text }: Citation) {
  return {
    entity,
    ...(type === "" ? {} : { type }),
    ...(name === "" ? {} : { name }),
    ...(confidence === null ? {} : { confidence }),
    ...(source === "" ? {} : { source }),
    ...(createdAt === "" ? {} : { created_at: createdAt }),
    ...(text === "" ? {} : { text }),
  };
}

/** Times in Unix milliseconds. */
export function tokenView({ token, name, scope, usage, createdAt, updatedAt, expiresAt, labels }: SpaceToken) {
  return {
    token,
    name,
    scope,
    usage,
    created_at: createdAt,
    updated_at: updatedAt,
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(labels === null ? {} : { labels }),
  };
}
