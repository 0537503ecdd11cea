/** An experiment as it goes on, for those who look on. */
import type { Clock } from "@mainspring/kernel";
import { sleep } from "@mainspring/kernel";
import type { LiveBus } from "@mainspring/service-kit";

import type { Counts, ExperimentHead } from "../domain/experiment.ts";
import type { ExperimentsPorts } from "./experiments.ts";
import { getExperiment } from "./experiments.ts";

/** Messages of the bus may be lost: then it is looked at after this long. */
const LOOK_EVERY_MS = 2_000;
/** Changes within this time are told as one. */
const GAP_MS = 250;

export interface WatchPorts extends Pick<ExperimentsPorts, "store" | "states"> {
  readonly clock: Clock;
  readonly bus: LiveBus;
}

export interface Seen {
  readonly head: ExperimentHead;
  readonly counts: Counts;
}

/** Channel on which changes of an experiment are told. */
export function experimentChannel(experiment: string): string {
  return `experiment:${experiment}`;
}

export async function* watchExperiment(
  ports: WatchPorts,
  tenant: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Seen> {
  const { clock, bus } = ports;
  let wake = new AbortController();
  const unsubscribe = await bus.subscribe(experimentChannel(id), () => wake.abort());
  try {
    for (let before = ""; ;) {
      wake = new AbortController();
      const head = await getExperiment(ports, tenant, id);
      const seen = { head, counts: await ports.states.count(head) };
      const text = JSON.stringify([head.status, head.round, seen.counts]);
      if (text !== before) yield seen;
      before = text;
      if (head.endedAt > 0) return;
      await sleep(clock, GAP_MS, signal);
      await sleep(clock, LOOK_EVERY_MS, AbortSignal.any([signal, wake.signal])).catch(() => signal.throwIfAborted());
    }
  } finally {
    unsubscribe();
  }
}
