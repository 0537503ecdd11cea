export interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Runs something often enough, after warming up, and gives its times in milliseconds. */
export async function measure(rounds: number, run: (round: number) => unknown): Promise<Figures> {
  for (let round = 0; round < Math.min(rounds, 50); round++) await run(round);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    await run(round);
    times.push(performance.now() - before);
  }
  times.sort((left, right) => left - right);
  return { p50: times[Math.floor(rounds / 2)]!, p99: times[Math.floor(rounds * 0.99)]!, max: times.at(-1)! };
}

export const ms = (value: number): string => value.toFixed(value < 1 ? 3 : 1);
