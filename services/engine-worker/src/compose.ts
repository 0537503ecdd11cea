/** The only file that constructs the adapters of engine-worker. */
import { engineContract, serve } from "@mainspring/contracts";
import type { ModelRouterClient, ToolRunnerClient } from "@mainspring/contracts";
import { newId } from "@mainspring/kernel";
import { BeatWatch, persist, startBeating } from "@mainspring/service-kit";
import type { Composed, Consumer, Platform, Stores } from "@mainspring/service-kit";

import { loadAgents } from "./adapters/agents-directory.ts";
import { ArtifactContent } from "./adapters/artifact-content.ts";
import { ACTIVATIONS_QUEUE, BusHints, workerChannel } from "./adapters/bus-hints.ts";
import type { WakeMessage } from "./adapters/bus-hints.ts";
import { MongoAgentStore } from "./adapters/mongo-agent-store.ts";
import { MongoSessionStore } from "./adapters/mongo-session-store.ts";
import { RouterModelClient } from "./adapters/router-model-client.ts";
import { RouterModelNames } from "./adapters/router-model-names.ts";
import { RunnerToolClient } from "./adapters/runner-tool-client.ts";
import { openSqliteAgentStore } from "./adapters/sqlite-agent-store.ts";
import { openSqliteSessionStore } from "./adapters/sqlite-session-store.ts";
import { parseAgent } from "./app/agent-definition.ts";
import { agentProblems } from "./app/agent-problems.ts";
import { AgentRegistry } from "./app/agent-registry.ts";
import type { EngineObserver } from "./app/holder-ports.ts";
import { HOLDER_DEFAULTS } from "./app/holder-ports.ts";
import { RunReader } from "./app/read-runs.ts";
import { SessionHost } from "./app/session-host.ts";
import type { HostPorts } from "./app/session-host.ts";
import { startSweeping, SWEEPER_DEFAULTS } from "./app/sweeper.ts";
import type { EngineWorkerSettings } from "./config.ts";
import { BUILT_IN_AGENTS } from "./domain/agents.ts";
import type { Agent } from "./domain/agents.ts";
import type { ModelNames } from "./ports/model-names.ts";
import type { SessionStore } from "./ports/session-store.ts";
import { engineService } from "./rpc/engine-service.ts";

/** A worker is thought dead by others after this long without a beat. */
export const WORKER_LEASE_MS = 2_000;
export const WORKER_BEAT_EVERY_MS = 250;
/** Activations taken from the queue at once; each ends as soon as the session is held. */
const ACTIVATIONS_CONCURRENCY = 64;
const PEER_TIMEOUT_MS = 1_500;

export interface EnginePeers {
  readonly router: ModelRouterClient;
  readonly runner: ToolRunnerClient;
}

export interface ComposedEngine extends Composed {
  readonly host: SessionHost;
  readonly store: SessionStore;
  readonly watch: BeatWatch;
  /** Beats and listens for wake-ups, without taking up anything: the part of `start` that holding a session needs. */
  beat(): Promise<void>;
}

export async function composeEngineWorker(
  platform: Platform,
  peers: EnginePeers,
  settings: EngineWorkerSettings,
  isolate?: HostPorts["isolate"],
): Promise<ComposedEngine> {
  const { clock, random, logger, metrics, readiness, onFatal } = platform;
  const store = await openStore(platform.stores);
  const hints = new BusHints(platform.queue, platform.bus);
  const content = new ArtifactContent(platform.artifacts);
  const models = new RouterModelClient(peers.router);
  const tools = new RunnerToolClient(peers.runner, clock);
  const watch = new BeatWatch(WORKER_LEASE_MS, platform.alone);
  const worker = newId("wrk", clock.now(), random);
  const observer = observerOf(metrics);
  const ports = { clock, random, store, hints, models, tools, content, onFatal, watch, observer };
  const host = new SessionHost(
    isolate === undefined ? ports : { ...ports, isolate },
    { ...HOLDER_DEFAULTS, ...settings },
    worker,
  );
  const modelNames = new RouterModelNames(peers.router, clock);
  const agents = await openAgents(platform, settings);
  const service = engineService({
    ...ports,
    feed: hints,
    runs: new RunReader(store),
    agents,
    modelNames,
    knownMail: (session) => host.knownMail(session),
    local: host,
  });
  addGauges(platform, host);
  readiness.add("model-router", async () => void (await peers.router.ListModels({}, { timeoutMs: PEER_TIMEOUT_MS })));
  readiness.add("tool-runner", async () => void (await tools.catalogue()));

  let consumer: Consumer | null = null;
  const stops: (() => void)[] = [];
  const beat = async (): Promise<void> => {
    host.open();
    const write = (count: number): Promise<void> => store.writeBeat({ worker, count });
    stops.push(startBeating(clock, { everyMs: WORKER_BEAT_EVERY_MS }, write));
    const onWake = (text: string): void => {
      const { session, mail } = JSON.parse(text) as WakeMessage;
      host.wake(session, mail);
    };
    stops.push(await platform.bus.subscribe(workerChannel(worker), onWake));
  };
  return {
    host,
    store,
    watch,
    registrations: [serve(engineContract, service)],
    beat,
    async start() {
      await beat();
      consumer = platform.queue.consume(ACTIVATIONS_QUEUE, { concurrency: ACTIVATIONS_CONCURRENCY }, (job) =>
        host.activate(String(job["session"])),
      );
      stops.push(startSweeping({ clock, store, watch, host }, SWEEPER_DEFAULTS));
      logger.info({ worker }, "taking up sessions");
      stops.push(warnOfProblems(platform, agents.fixed, modelNames));
    },
    async drain(graceMs) {
      await consumer?.close();
      await host.drain(graceMs);
      for (const stop of stops) stop();
      await store.deleteBeat(worker).catch(() => undefined);
    },
  };
}

function addGauges({ metrics, queue }: Platform, host: SessionHost): void {
  metrics.gauge("mainspring_sessions_held", "Sessions in the memory of this worker.", () => host.size);
  metrics.gauge("mainspring_activations_waiting", "Jobs in the queue of activations.", () =>
    queue.depth(ACTIVATIONS_QUEUE).catch(() => Number.NaN),
  );
}

function observerOf(metrics: Platform["metrics"]): EngineObserver {
  const runs = metrics.counter("mainspring_runs_total", "Runs that ended, by how.", ["status"]);
  const steps = metrics.duration("mainspring_step_seconds", "From one model call of a run to the next.");
  const takeOvers = metrics.counter("mainspring_takeovers_total", "Sessions taken over from workers that died.");
  return {
    runEnded: (status) => runs.inc({ status }),
    stepTook: (durationMs) => steps.observe(durationMs / 1_000),
    tookOver: () => takeOvers.inc(),
  };
}

async function openAgents({ stores, logger }: Platform, { agentsDir }: EngineWorkerSettings): Promise<AgentRegistry> {
  const names = BUILT_IN_AGENTS.map(({ name }) => name);
  const own = agentsDir === undefined ? [] : await loadAgents(agentsDir, names, (value) => parseAgent(value));
  const fixed = [...BUILT_IN_AGENTS, ...own];
  logger.info({ agents: fixed.map(({ name }) => name) }, "agents");
  const store =
    stores.kind === "sqlite" ? await openSqliteAgentStore(stores.thread) : new MongoAgentStore(stores.connection);
  return new AgentRegistry(fixed, store);
}

/** Once the router answers: says which agents of files name a model that there is not. The server works without them. */
function warnOfProblems({ clock, logger }: Platform, agents: readonly Agent[], modelNames: ModelNames): () => void {
  const stopped = new AbortController();
  const warn = async (): Promise<void> => {
    await persist(clock, stopped.signal, () => modelNames.list());
    const problems = await agentProblems(modelNames);
    for (const agent of agents) {
      const problem = problems.of(agent);
      if (problem === "") continue;
      logger.warn({ agent: agent.name }, `the runs of the agent ${agent.name} will fail: ${problem}`);
    }
  };
  warn().catch((error: unknown) => {
    if (!stopped.signal.aborted) logger.warn({ error }, "the models of the agents could not be looked at");
  });
  return () => stopped.abort();
}

async function openStore(stores: Stores): Promise<SessionStore> {
  return stores.kind === "sqlite"
    ? openSqliteSessionStore(stores.thread)
    : new MongoSessionStore(stores.connection, stores.beats);
}
