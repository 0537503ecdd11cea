/** How much a Space of a tier takes: 10^(tier + 2) Concepts or conversations. */
export const TIER_MAX = 12;

export function capacityOf(tier: number): number {
  return Math.min(10 ** (tier + 2), Number.MAX_SAFE_INTEGER);
}
