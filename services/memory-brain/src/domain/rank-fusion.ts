/** Rank fusion: how much being first counts against being second. The usual constant. */
const K = 60;

/**
 * Joins rankings by the reciprocal of each rank, so their scores need not be comparable. 1 is what is first in all of
 * them; what stands in one list only has at most its share.
 */
export function fuseRanks(rankings: readonly (readonly number[])[]): Map<number, number> {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    ranking.forEach((eid, index) => {
      const share = (K + 1) / (K + 1 + index) / rankings.length;
      scores.set(eid, (scores.get(eid) ?? 0) + share);
    });
  }
  return scores;
}
