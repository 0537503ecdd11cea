/**
 * Finds what every hint missed: heads whose timer is due and heads of dead workers, and nothing else. So a parked
 * session costs nothing and losing all of the queue loses no work.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import type { Beat, SessionStore } from "../ports/session-store.ts";
import type { BeatWatch } from "@mainspring/service-kit";
import type { SessionHost } from "./session-host.ts";

export interface SweeperSettings {
  /** Between two looks for due heads. */
  readonly sweepEveryMs: number;
  /** Between two looks at the beats of others. */
  readonly watchEveryMs: number;
  /** Heads taken in one look. */
  readonly batch: number;
}

export const SWEEPER_DEFAULTS: SweeperSettings = { sweepEveryMs: 2_000, watchEveryMs: 250, batch: 64 };

export interface SweeperPorts {
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly watch: BeatWatch;
  readonly host: SessionHost;
}

/** One look for sessions whose time has come, and for holders that have no beat at all. */
export async function sweepDue(ports: SweeperPorts, batch: number): Promise<void> {
  const { clock, store, watch, host } = ports;
  for (const head of await store.scanDueHeads(clock.now(), batch)) await host.activate(head.session);
  for (const worker of await store.scanHoldingWorkers(batch)) {
    if (worker === host.worker || !watch.isDead(worker)) continue;
    for (const head of await store.scanHeadsHeldBy(worker, batch)) await host.activate(head.session);
  }
}

/** One look at the beats of all workers. */
export async function observeBeats({ clock, store, watch }: Omit<SweeperPorts, "host">): Promise<readonly Beat[]> {
  const beats = await store.readBeats();
  const rows = beats.map(({ worker, count }) => ({ id: worker, count }));
  watch.observe(rows, clock.monotonicMs());
  return beats;
}

/** One look at who lives, and at what the dead have left. */
export async function sweepDead(ports: SweeperPorts, batch: number): Promise<void> {
  const { store, watch, host } = ports;
  for (const { worker } of await observeBeats(ports)) {
    if (worker === host.worker || !watch.isDead(worker)) continue;
    const left = await store.scanHeadsHeldBy(worker, batch);
    for (const head of left) await host.activate(head.session);
    if (left.length > 0) continue;
    await store.deleteBeat(worker);
    watch.forget(worker);
  }
}

/** Repeats both looks, each one at a time; a look that fails is made again at its next time. */
export function startSweeping(ports: SweeperPorts, settings: SweeperSettings): CancelTimer {
  const stops = [
    repeat(ports.clock, settings.sweepEveryMs, () => sweepDue(ports, settings.batch)),
    repeat(ports.clock, settings.watchEveryMs, () => sweepDead(ports, settings.batch)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function repeat(clock: Clock, everyMs: number, look: () => Promise<void>): CancelTimer {
  let stopped = false;
  let cancel: CancelTimer = () => undefined;
  const run = (): void => {
    look()
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancel = clock.after(everyMs, run);
      });
  };
  run();
  return () => {
    stopped = true;
    cancel();
  };
}
