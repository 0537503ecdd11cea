/** How much a Space of a tier takes: 10^(tier + 2) Concepts or conversations. */
export const TIER_MAX = 12;
/** Of a Space whose maker names none: 10,000. */
export const TIER_DEFAULT = 2;

export function capacityOf(tier: number): number {
  return Math.min(10 ** (tier + 2), Number.MAX_SAFE_INTEGER);
}
