/** The records from `first` on that follow each other without a hole, in order. */
export function withoutHole<T>(records: readonly T[], first: number, numberOf: (record: T) => number): T[] {
  const ordered = [...records].sort((a, b) => numberOf(a) - numberOf(b));
  const hole = ordered.findIndex((record, index) => numberOf(record) !== first + index);
  return hole === -1 ? ordered : ordered.slice(0, hole);
}
