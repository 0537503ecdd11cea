/** Effective strength: memory fades by half in thirty days unless it is metabolised. Computed at the instant of reading. */
import { isObject, isTimestamp, type Json, type JsonObject } from "@mainspring/kip";

export const STRENGTH_HALF_LIFE_MS = 2_592_000_000;
/** The policy that a stored strength has to be pinned to, by name and digest. */
export const STRENGTH_POLICY: JsonObject = {
  artifact_ref: "kip:strength-half-life-30d",
  content_digest: "sha256:a50a89b83f937c97cabf0f8371cccfd326f4fdd438b6d7b9ead507d77927b227",
};

const isPinned = (policy: Json | undefined): boolean =>
  isObject(policy) &&
  policy["artifact_ref"] === STRENGTH_POLICY["artifact_ref"] &&
  policy["content_digest"] === STRENGTH_POLICY["content_digest"];

/** The strength at `now`, or null where base, anchor or the exact policy is missing. */
export function effectiveStrength(facet: JsonObject, now: number): number | null {
  const base = facet["memory_strength"];
  const anchor = facet["last_metabolized_at"];
  if (
    typeof base !== "number" ||
    typeof anchor !== "string" ||
    !isTimestamp(anchor) ||
    !isPinned(facet["strength_policy"])
  )
    return null;
  return base * 2 ** (-Math.max(0, now - Date.parse(anchor)) / STRENGTH_HALF_LIFE_MS);
}
