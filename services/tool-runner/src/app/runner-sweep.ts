/** What a runner does beside its jobs: stop requests that the bus lost, results that were not delivered, its beat. */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import type { BeatWatch, Logger } from "@mainspring/service-kit";
import { startBeating } from "@mainspring/service-kit";
import type { EffectLedger } from "../ports/effect-ledger.ts";
import type { CallRunner } from "./call-runner.ts";

export interface RunnerSweepSettings {
  readonly beatEveryMs: number;
  /** Others think a runner dead after this long without a beat; it fences itself at half of it. */
  readonly leaseMs: number;
  readonly sweepEveryMs: number;
  /** A result of any runner that was settled this long ago and not delivered is delivered by whoever finds it. */
  readonly orphanAfterMs: number;
  readonly batch: number;
}

export const RUNNER_SWEEP_DEFAULTS: RunnerSweepSettings = {
  beatEveryMs: 1_000,
  leaseMs: 5_000,
  sweepEveryMs: 1_000,
  orphanAfterMs: 10_000,
  batch: 64,
};

export interface RunnerSweepPorts {
  readonly clock: Clock;
  readonly ledger: EffectLedger;
  readonly watch: BeatWatch;
  readonly runner: CallRunner;
  readonly logger: Logger;
}

export async function sweepRunner(ports: RunnerSweepPorts, settings: RunnerSweepSettings): Promise<void> {
  const { clock, ledger, watch, runner } = ports;
  const beats = await ledger.readBeats();
  watch.observe(
    beats.map((beat) => ({ id: beat.runner, count: beat.count })),
    clock.monotonicMs(),
  );
  for (const row of await ledger.scanStopRequested(runner.runner, settings.batch)) runner.stopCall(row);
  await runner.flushDelivered();
  const before = clock.now() - settings.orphanAfterMs;
  for (const row of await ledger.scanUndelivered(null, before, settings.batch)) {
    if (!runner.isRunning(row) && row.outcome !== null) await runner.deliverOnce(row, row.tenant, row.outcome);
  }
}

/** Starts beating and sweeping; the returned function stops both. */
export function startRunnerSweep(ports: RunnerSweepPorts, settings: RunnerSweepSettings): CancelTimer {
  const { clock, ledger, runner, logger } = ports;
  const onFence = (fenced: boolean): void => {
    const calls = runner.size;
    runner.fence(fenced);
    if (fenced)
      logger.error({ runner: runner.runner, calls }, "no beat could be written: every call that ran was ended");
    else logger.info({ runner: runner.runner }, "beats are written again: taking calls");
  };
  const stopBeat = startBeating(
    clock,
    { everyMs: settings.beatEveryMs, fenceMs: settings.leaseMs / 2, onFence },
    (count) => ledger.writeBeat({ runner: runner.runner, count }),
  );
  let stopped = false;
  let cancel: CancelTimer = () => undefined;
  const look = (): void => {
    sweepRunner(ports, settings)
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancel = clock.after(settings.sweepEveryMs, look);
      });
  };
  look();
  return () => {
    stopped = true;
    stopBeat();
    cancel();
  };
}
