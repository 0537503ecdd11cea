/** The only file that constructs the adapters of eval-runner. */
import { evalRunnerContract, serve } from "@mainspring/contracts";
import { BeatWatch } from "@mainspring/service-kit";
import type { Composed, Consumer, Platform, Stores } from "@mainspring/service-kit";

import { HttpGateway } from "./adapters/http-gateway.ts";
import type { GatewayAddress } from "./adapters/http-gateway.ts";
import { MongoExperimentStore } from "./adapters/mongo-experiment-store.ts";
import { PatternMatcher } from "./adapters/pattern-matcher.ts";
import { openSqliteExperimentStore } from "./adapters/sqlite-experiment-store.ts";
import { CellRunner } from "./app/cell-runner.ts";
import { CellStates } from "./app/cell-states.ts";
import { cellJobOf, CELLS_QUEUE, Dispatcher, LEASE_MS } from "./app/dispatcher.ts";
import { experimentChannel } from "./app/watch.ts";
import type { EvalRunnerSettings } from "./config.ts";
import type { ExperimentStore } from "./ports/experiment-store.ts";
import { evalRunnerService } from "./rpc/eval-runner-service.ts";

/** Channel on which runners are told of experiments that were made, changed or cancelled. */
const RUNNERS_CHANNEL = "eval-runners";

export interface ComposedEvalRunner extends Composed {
  /** Rejects unless the gateway answers. */
  readonly pingGateway: () => Promise<void>;
}

export async function composeEvalRunner(
  platform: Platform,
  gatewayAddress: () => GatewayAddress,
  settings: EvalRunnerSettings,
): Promise<ComposedEvalRunner> {
  const { clock, random, bus, queue, logger, metrics, lifecycle } = platform;
  const store = await openStore(platform.stores);
  const gateway = new HttpGateway(gatewayAddress);
  const states = new CellStates(store);
  const patterns = new PatternMatcher();
  lifecycle.onClose("patterns", () => patterns.close());
  const watch = new BeatWatch(LEASE_MS, platform.alone);
  const tell = (experiment: string): void => bus.publish(experimentChannel(experiment), "changed");
  const runner = new CellRunner({
    clock,
    random,
    store,
    states,
    watch,
    gateway,
    matches: (pattern, text, ignoreCase) => patterns.matches(pattern, text, ignoreCase),
    onSettled: observer(platform),
    onChange: (experiment) => {
      tell(experiment);
      dispatcher.wake();
    },
  });
  const { evalConcurrency: concurrency } = settings;
  const dispatcherPorts = { clock, queue, store, states, watch, runner, logger, concurrency, announce: tell };
  const dispatcher = new Dispatcher(dispatcherPorts);
  const announce = (experiment: string): void => {
    bus.publish(RUNNERS_CHANNEL, experiment);
    tell(experiment);
  };
  metrics.gauge("mainspring_eval_cells_running", "Cells of experiments that run in this runner.", () => runner.size);
  metrics.gauge(
    "mainspring_eval_experiments_waiting",
    "Experiments with cells that wait for a place.",
    () => dispatcher.waiting,
  );
  const ports = { clock, bus, store, states, announce };
  const work = new Work(platform, runner, dispatcher, store, concurrency);
  return {
    registrations: [serve(evalRunnerContract, evalRunnerService(ports))],
    pingGateway: () => gateway.ping(),
    start: () => work.start(),
    drain: () => work.drain(),
  };
}

async function openStore(stores: Stores): Promise<ExperimentStore> {
  return stores.kind === "sqlite"
    ? openSqliteExperimentStore(stores.thread)
    : new MongoExperimentStore(stores.connection, stores.beats);
}

function observer({ metrics }: Platform): (outcome: string, durationMs: number) => void {
  const attempts = metrics.counter("mainspring_eval_attempts_total", "Attempts at cells by outcome.", ["outcome"]);
  const seconds = metrics.duration("mainspring_eval_run_seconds", "Duration of the runs of attempts.", ["outcome"]);
  return (outcome, durationMs) => {
    attempts.inc({ outcome });
    seconds.observe({ outcome }, durationMs / 1_000);
  };
}

/** What a runner does once it may: jobs, its beat, its sweep. */
class Work {
  readonly #platform: Platform;
  readonly #runner: CellRunner;
  readonly #dispatcher: Dispatcher;
  readonly #store: ExperimentStore;
  readonly #concurrency: number;
  #unsubscribe = (): void => undefined;
  #consumer: Consumer | null = null;

  constructor(
    platform: Platform,
    runner: CellRunner,
    dispatcher: Dispatcher,
    store: ExperimentStore,
    concurrency: number,
  ) {
    this.#platform = platform;
    this.#runner = runner;
    this.#dispatcher = dispatcher;
    this.#store = store;
    this.#concurrency = concurrency;
  }

  async start(): Promise<void> {
    const { bus, queue, logger } = this.#platform;
    this.#unsubscribe = await bus.subscribe(RUNNERS_CHANNEL, () => this.#dispatcher.wake());
    this.#dispatcher.start();
    this.#consumer = queue.consume(CELLS_QUEUE, { concurrency: this.#concurrency }, (job) =>
      this.#dispatcher.handle(cellJobOf(job)),
    );
    logger.info({ runner: this.#runner.id, concurrency: this.#concurrency }, "taking cells");
  }

  /** Runs of attempts go on in the gateway; whoever takes them over finds them by their keys. */
  async drain(): Promise<void> {
    this.#unsubscribe();
    this.#dispatcher.stop();
    this.#runner.leave();
    await this.#consumer?.close();
    await this.#store.deleteBeat(this.#runner.id).catch(() => undefined);
  }
}
