/** The only file that constructs the adapters of tool-runner. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serve, toolRunnerContract } from "@mainspring/contracts";
import type { EngineClient, MemoryBrainClient } from "@mainspring/contracts";
import { newId } from "@mainspring/kernel";
import type { CancelTimer } from "@mainspring/kernel";
import { BeatWatch, IN_MEMORY, usableDirectory } from "@mainspring/service-kit";
import type { Composed, Consumer, Platform, Stores } from "@mainspring/service-kit";

import { ContractMemory } from "./adapters/contract-memory.ts";
import { DirectoryWorkspaces } from "./adapters/files/workspaces.ts";
import { ContractEngine } from "./adapters/grpc-engine-client.ts";
import { MongoEffectLedger } from "./adapters/mongo-effect-ledger.ts";
import { openSandbox } from "./adapters/sandbox/open-sandbox.ts";
import { openSqliteEffectLedger } from "./adapters/sqlite-effect-ledger.ts";
import { givenTools, loadTools } from "./adapters/tools-directory.ts";
import type { ToolModule } from "./adapters/tools-directory.ts";
import { builtInTools } from "./adapters/tools/built-in.ts";
import { memoryTools } from "./adapters/tools/memory.ts";
import { ArgumentChecker } from "./app/arguments.ts";
import { CallRunner } from "./app/call-runner.ts";
import { CatalogueExecutor } from "./app/catalogue-executor.ts";
import { Catalogue } from "./app/catalogue.ts";
import { RUNNER_SWEEP_DEFAULTS, startRunnerSweep } from "./app/runner-sweep.ts";
import { runnerChannel, stopMessage, stopRequestOf, toolJobOf, TOOLS_QUEUE } from "./app/tool-job.ts";
import { store } from "./app/tool-output.ts";
import type { ToolRunnerSettings } from "./config.ts";
import type { EffectLedger } from "./ports/effect-ledger.ts";
import type { Workspaces } from "./ports/tool.ts";
import { toolRunnerService } from "./rpc/tool-runner-service.ts";

const PEER_TIMEOUT_MS = 1_500;

export interface ToolRunnerPeers {
  readonly engine: EngineClient;
  /** Null: there is no memory, so no tool for it. */
  readonly memory: MemoryBrainClient | null;
}

export interface ComposedToolRunner extends Composed {
  /** Id of this runner. */
  readonly runner: string;
  readonly workspaces: Workspaces;
  readonly catalogue: Catalogue;
}

export async function composeToolRunner(
  platform: Platform,
  peers: ToolRunnerPeers,
  settings: ToolRunnerSettings,
  given: readonly ToolModule[] = [],
): Promise<ComposedToolRunner> {
  const { clock, random, logger, artifacts } = platform;
  const ledger = await openLedger(platform.stores);
  const { catalogue, checker, workspaces } = await openTools(platform, peers.memory, settings, given);
  const executor = new CatalogueExecutor({
    clock,
    logger,
    artifacts,
    workspaces,
    catalogue,
    checker,
    onExecuted: observer(platform),
  });
  const engine = new ContractEngine(peers.engine);
  platform.readiness.add("engine-worker", async () => {
    await peers.engine.ListAgents({}, { timeoutMs: PEER_TIMEOUT_MS });
  });
  const runner = new CallRunner({ clock, random, ledger, engine, executor }, newId("tool", clock.now(), random));
  const watch = new BeatWatch(RUNNER_SWEEP_DEFAULTS.leaseMs, platform.alone);
  const tellStop = (id: string, key: Parameters<typeof stopMessage>[0]): void =>
    platform.bus.publish(runnerChannel(id), stopMessage(key));
  const ports = { clock, ledger, watch, runner, tellStop, catalogue };
  platform.metrics.gauge("mainspring_tool_calls_running", "Calls that run in this runner.", () => runner.size);
  platform.metrics.gauge("mainspring_tool_calls_waiting", "Jobs in the queue of calls.", () =>
    platform.queue.depth(TOOLS_QUEUE).catch(() => Number.NaN),
  );
  const work = new Work(platform, runner, ledger, watch, settings.toolConcurrency);
  return {
    runner: runner.runner,
    workspaces,
    catalogue,
    registrations: [serve(toolRunnerContract, toolRunnerService(ports))],
    start: () => work.start(),
    drain: (graceMs) => work.drain(graceMs),
  };
}

async function openLedger(stores: Stores): Promise<EffectLedger> {
  return stores.kind === "sqlite"
    ? openSqliteEffectLedger(stores.thread)
    : new MongoEffectLedger(stores.connection, stores.beats);
}

interface Tools {
  readonly catalogue: Catalogue;
  readonly checker: ArgumentChecker;
  readonly workspaces: Workspaces;
}

async function openTools(
  platform: Platform,
  memory: MemoryBrainClient | null,
  settings: ToolRunnerSettings,
  given: readonly ToolModule[],
): Promise<Tools> {
  const { clock, logger, artifacts } = platform;
  const { sandbox: wanted, sandboxNetwork, sandboxMemoryMib, path, toolsDir } = settings;
  const sandboxSettings = { sandbox: wanted, sandboxNetwork: sandboxNetwork === "on", sandboxMemoryMib };
  const sandbox = await openSandbox({ clock, logger, path }, sandboxSettings);
  const root = await workspacesRoot(platform, settings);
  const workspaces = new DirectoryWorkspaces(root, (session) => sandbox.ownerOf(session));
  const checker = new ArgumentChecker();
  const always = builtInTools(sandbox, (tenant, bytes) => store({ clock, artifacts }, tenant, bytes));
  const builtIn = memory === null ? always : [...always, ...memoryTools(new ContractMemory(memory))];
  for (const tool of builtIn) checker.compile(tool.parameters);
  const names = builtIn.map(({ name }) => name);
  const own = toolsDir === undefined ? [] : await loadTools(toolsDir, names, (schema) => checker.compile(schema));
  const taken = [...names, ...own.map(({ name }) => name)];
  const all = [...builtIn, ...own, ...givenTools(given, taken, (schema) => checker.compile(schema))];
  const catalogue = new Catalogue(all);
  logger.info({ tools: catalogue.list().map(({ name }) => name), workspaces: root }, "tools");
  return { catalogue, checker, workspaces };
}

/** A server that keeps nothing keeps no files either. */
async function workspacesRoot({ lifecycle }: Platform, { workspaces, dataDir }: ToolRunnerSettings): Promise<string> {
  if (workspaces !== undefined) {
    usableDirectory(workspaces, "MAINSPRING_WORKSPACES (--workspaces)");
    return workspaces;
  }
  if (dataDir !== IN_MEMORY) {
    const ofData = join(dataDir, "workspaces");
    usableDirectory(ofData, "MAINSPRING_DATA_DIR (--data-dir)");
    return ofData;
  }
  const temporary = await mkdtemp(join(tmpdir(), "mainspring-workspaces-"));
  lifecycle.onClose("workspaces", () => rm(temporary, { recursive: true, force: true }));
  return temporary;
}

function observer({ metrics }: Platform): (tool: string, outcome: string, durationMs: number) => void {
  const labels = ["tool", "outcome"] as const;
  const calls = metrics.duration("mainspring_tool_call_seconds", "Duration of tool calls.", labels);
  return (tool, outcome, durationMs) => calls.observe({ tool, outcome }, durationMs / 1_000);
}

/** What a runner does once it may: jobs, stop requests, its beat and its sweep. */
class Work {
  readonly #platform: Platform;
  readonly #runner: CallRunner;
  readonly #ledger: EffectLedger;
  readonly #watch: BeatWatch;
  readonly #concurrency: number;
  readonly #stops: CancelTimer[] = [];
  #consumer: Consumer | null = null;

  constructor(platform: Platform, runner: CallRunner, ledger: EffectLedger, watch: BeatWatch, concurrency: number) {
    this.#platform = platform;
    this.#runner = runner;
    this.#ledger = ledger;
    this.#watch = watch;
    this.#concurrency = concurrency;
  }

  async start(): Promise<void> {
    const { clock, bus, queue, logger } = this.#platform;
    const [runner, ledger, watch] = [this.#runner, this.#ledger, this.#watch];
    const onMessage = (message: string): void => {
      const key = stopRequestOf(message);
      if (key !== null) runner.stopCall(key);
    };
    this.#stops.push(await bus.subscribe(runnerChannel(runner.runner), onMessage));
    this.#stops.push(startRunnerSweep({ clock, ledger, watch, runner, logger }, RUNNER_SWEEP_DEFAULTS));
    this.#consumer = queue.consume(TOOLS_QUEUE, { concurrency: this.#concurrency }, (job) =>
      runner.run(toolJobOf(job)),
    );
    logger.info({ runner: runner.runner, concurrency: this.#concurrency }, "taking calls");
  }

  async drain(graceMs: number): Promise<void> {
    const closed = this.#consumer?.close();
    await this.#runner.drain(graceMs);
    await closed;
    for (const stop of this.#stops.splice(0)) stop();
    await this.#runner.flushDelivered().catch(() => undefined);
    await this.#ledger.deleteBeat(this.#runner.runner).catch(() => undefined);
  }
}
