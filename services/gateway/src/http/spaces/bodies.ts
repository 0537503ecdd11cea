/** Bodies of memory routes. */
import { z } from "zod";

/** Most elements that one request forgets. */
export const FORGET_ENTITIES_MAX = 1_000;
const TEXT_CHARS_MAX = 1024 * 1024;
const NAME_CHARS_MAX = 200;
const DESCRIPTION_CHARS_MAX = 4_000;
const SHARD_MAX = 65_535;
const TIER_MAX = 12;
const TIER_DEFAULT = 2;

/** RFC 3339, or Unix milliseconds; read as the latter. */
const time = z.union([
  z.int().min(0),
  z.iso.datetime({ offset: true, error: "must be a time, RFC 3339 or Unix milliseconds" }).transform(Date.parse),
]);
const tier = z.int().min(0).max(TIER_MAX);
const shard = z.int().min(0).max(SHARD_MAX);
const name = z.string().min(1).max(NAME_CHARS_MAX);

/** A KIP request envelope, or one command as a string. The Space checks it. */
export const kipBody = z.union([z.string().min(1), z.record(z.string(), z.unknown())], {
  error: "must be a KIP request or a command as a string",
});
export const probeBody = z.strictObject({ query: z.string().trim().min(1), limit: z.int().min(1).max(50).optional() });
export const pinBody = z.strictObject({ entity: z.string().min(1), pinned: z.boolean().default(true) });
export const forgetBody = z.strictObject({
  entities: z.array(z.string().min(1)).min(1).max(FORGET_ENTITIES_MAX),
  dry_run: z.boolean().default(false),
});
export const promoteBody = z.strictObject({
  kind: z.enum(["ConceptType", "PredicateType"]),
  from: z.string().min(1),
  to: z.string().min(1),
});
export const userBody = z.strictObject({ user: name, name: z.string().max(NAME_CHARS_MAX).default("") });
export const addTokenBody = z.strictObject({
  scope: z.enum(["read", "write", "*"]),
  name: z.string(),
  expires_at: time.nullish(),
  labels: z.array(z.string()).nullish(),
});
export const revokeTokenBody = z
  .strictObject({ token: z.string().min(1).optional(), name: z.string().min(1).optional() })
  .refine((given) => (given.token === undefined) !== (given.name === undefined), "needs exactly one of token and name");
export const updateSpaceBody = z.strictObject({
  name: z.string().max(NAME_CHARS_MAX).optional(),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
  public: z.boolean().optional(),
});
export const adminCreateBody = z.strictObject({ user: name, space_id: z.string(), tier: tier.default(TIER_DEFAULT) });
export const tierBody = z.strictObject({ tier });

export const createSpaceBody = z.strictObject({
  id: z.string(),
  /** Absent: the caller. */
  owner: name.optional(),
  tier: tier.default(TIER_DEFAULT),
  shard: shard.optional(),
});
export const moveBody = z.strictObject({ shard });
export const rememberBody = z.strictObject({
  text: z.string().min(1).max(TEXT_CHARS_MAX),
  /** Who said it. Absent: the caller. */
  user: name.optional(),
});
