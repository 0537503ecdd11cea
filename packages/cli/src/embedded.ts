/** All services in one process: composed like in processes of their own, calling each other through one transport. */
import type { Fetch } from "@mainspring/client";
import {
  engineContract,
  evalRunnerContract,
  InProcessServer,
  memoryBrainContract,
  modelRouterContract,
  serveGrpc,
  toolRunnerContract,
} from "@mainspring/contracts";
import type { OnUnexpected } from "@mainspring/contracts";
import { composeEngineWorker } from "@mainspring/engine-worker";
import { composeEvalRunner } from "@mainspring/eval-runner";
import type { GatewayAddress } from "@mainspring/eval-runner";
import { composeGateway } from "@mainspring/gateway";
import type { ComposedGateway } from "@mainspring/gateway";
import { MainspringError } from "@mainspring/kernel";
import { composeMemoryBrain } from "@mainspring/memory-brain";
import { composeModelRouter } from "@mainspring/model-router";
import { openPlatform, watchHealth } from "@mainspring/service-kit";
import type { Composed, OpenedPlatform } from "@mainspring/service-kit";
import { composeToolRunner } from "@mainspring/tool-runner";
import type { ToolModule } from "@mainspring/tool-runner";

import { LOCAL_URL, localFetch } from "./local-fetch.ts";
import type { EmbeddedConfig, ServiceName } from "./server-config.ts";
import { deferredClient } from "./deferred-client.ts";

export interface Embedded {
  /** Where the public HTTP server answers; empty when it does not listen. */
  readonly url: string;
  /** The public API without a connection. */
  readonly fetch: Fetch;
  readonly adminKey: { readonly secret: string; readonly isNew: boolean };
  readonly logger: OpenedPlatform["logger"];
  /** `host:port` of each service that also serves gRPC. */
  readonly grpc: Readonly<Partial<Record<ServiceName, string>>>;
  /** Drains and closes everything, once. */
  stop(): Promise<void>;
}

interface Member {
  readonly name: ServiceName;
  readonly composed: Composed;
  readonly listen: string | undefined;
}

/** Services that take up work by themselves. */
const WORKERS: ReadonlySet<ServiceName> = new Set(["engine-worker", "tool-runner", "eval-runner"]);

export interface EmbeddedOptions {
  /** False: it answers and accepts posts, and takes up no run, no tool call and no cell. Default true. */
  readonly works?: boolean;
  /** False: it has no port; only this process talks to it. Default true. */
  readonly listens?: boolean;
  /** Tools beside those that ship and those of MAINSPRING_TOOLS_DIR. */
  readonly tools?: readonly ToolModule[];
}

/** Everything is closed again when it throws. Without Redis and MongoDB it holds the lock on the data directory. */
export async function startEmbedded(config: EmbeddedConfig, options: EmbeddedOptions = {}): Promise<Embedded> {
  const platform = await openPlatform("mainspring", config.gateway, false);
  try {
    return await startOn(platform, config, options);
  } catch (error) {
    await platform.lifecycle.close();
    throw error;
  }
}

async function startOn(platform: OpenedPlatform, config: EmbeddedConfig, options: EmbeddedOptions): Promise<Embedded> {
  const { works = true, listens = true } = options;
  const { logger, lifecycle, readiness, lock } = platform;
  const { drainMs } = config.gateway;
  let server: InProcessServer | null = null;
  const { members, gateway } = await compose(platform, config, () => server, options);
  const onUnexpected = (method: string, error: unknown): void =>
    logger.error({ method, error }, "a call failed unexpectedly");
  const inProcess = new InProcessServer(
    members.flatMap(({ composed }) => composed.registrations),
    { onUnexpected },
  );
  server = inProcess;
  lifecycle.onClose("calls between services", () => inProcess.drain(drainMs));
  const grpc = await listen(platform, members, { drainMs, onUnexpected });
  const started: Composed[] = [];
  const drain = async (): Promise<void> => {
    readiness.drain();
    for (const composed of started.toReversed()) await composed.drain(drainMs);
  };
  try {
    for (const { name, composed } of members) {
      if (!works && WORKERS.has(name)) continue;
      started.push(composed);
      await composed.start(grpc[name]);
    }
  } catch (error) {
    await drain();
    throw error;
  }
  const url = gateway.url();
  const doors = gateway.grpc() === null ? grpc : { ...grpc, gateway: gateway.grpc()! };
  if (listens) lock?.announce({ url, pid: process.pid });
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= drain().then(() => lifecycle.close()));
  return { url, fetch: localFetch(gateway.server), adminKey: gateway.adminKey, logger, grpc: doors, stop };
}

/** Services that were given an address also serve gRPC there. */
async function listen(
  platform: OpenedPlatform,
  members: readonly Member[],
  { drainMs, onUnexpected }: { readonly drainMs: number; readonly onUnexpected: OnUnexpected },
): Promise<Embedded["grpc"]> {
  const grpc: Partial<Record<ServiceName, string>> = {};
  const serving: ((ready: boolean) => void)[] = [];
  for (const { name: service, composed, listen: address } of members) {
    if (address === undefined || composed.registrations.length === 0) continue;
    const server = await serveGrpc(composed.registrations, { listen: address, onUnexpected });
    platform.lifecycle.onClose(`gRPC of ${service}`, () => server.drain(drainMs));
    for (const { name } of composed.registrations) serving.push((ready) => server.setServing(name, ready));
    grpc[service] = server.address;
  }
  watchHealth(platform, (ready) => {
    for (const tell of serving) tell(ready);
    for (const { composed } of members) composed.tellReady?.(ready);
  });
  return grpc;
}

async function compose(
  platform: OpenedPlatform,
  config: EmbeddedConfig,
  server: () => InProcessServer | null,
  { listens = true, tools = [] }: EmbeddedOptions,
): Promise<{ members: readonly Member[]; gateway: ComposedGateway }> {
  const router = deferredClient(modelRouterContract, server);
  const runner = deferredClient(toolRunnerContract, server);
  const engine = deferredClient(engineContract, server);
  const evals = deferredClient(evalRunnerContract, server);
  const { modelRouter, toolRunner, memoryBrain, engineWorker, evalRunner } = config;
  const memory = deferredClient(memoryBrainContract, server);
  const gateway = await composeGateway(platform, { engine, router, memory, evals }, config.gateway, listens);
  const members: Member[] = [
    { name: "model-router", composed: composeModelRouter(platform, modelRouter), listen: modelRouter.listen },
    {
      name: "tool-runner",
      composed: await composeToolRunner(platform, { engine, memory }, toolRunner, tools),
      listen: toolRunner.listen,
    },
    {
      name: "memory-brain",
      composed: await composeMemoryBrain(platform, memoryBrain),
      listen: memoryBrain.listen,
    },
    {
      name: "engine-worker",
      composed: await composeEngineWorker(platform, { router, runner }, engineWorker),
      listen: engineWorker.listen,
    },
    { name: "gateway", composed: gateway, listen: undefined },
    {
      name: "eval-runner",
      composed: await composeEvalRunner(platform, () => ownGateway(gateway, listens), evalRunner),
      listen: evalRunner.listen,
    },
  ];
  return { members, gateway };
}

/** Experiments go through the same door as everybody else. */
function ownGateway({ url, server, adminKey }: ComposedGateway, listens: boolean): GatewayAddress {
  const { secret: key } = adminKey;
  if (!listens) return { url: LOCAL_URL, key, fetch: localFetch(server) };
  if (url() === "") throw new MainspringError("unavailable", "this server does not listen yet");
  return { url: url(), key };
}
