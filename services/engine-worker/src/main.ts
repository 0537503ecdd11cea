/** engine-worker as a process of its own. */
import { connectGrpc, modelRouterContract, toolRunnerContract } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { runService } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

import { composeEngineWorker } from "./compose.ts";
import type { ComposedEngine } from "./compose.ts";
import type { EngineWorkerConfig } from "./config.ts";
import { engineWorkerEnvironment, engineWorkerVariables } from "./config.ts";
import { runIsolated, startIsolated } from "./isolated.ts";

function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new MainspringError("invalid_argument", `${name} must be set: where is the service?`, {
    reason: "invalid_configuration",
  });
}

async function compose(platform: Platform, config: EngineWorkerConfig): Promise<ComposedEngine> {
  const router = connectGrpc(modelRouterContract, needed(config.modelRouterAddress, "MAINSPRING_MODEL_ROUTER_ADDR"));
  const runner = connectGrpc(toolRunnerContract, needed(config.toolRunnerAddress, "MAINSPRING_TOOL_RUNNER_ADDR"));
  platform.lifecycle.onClose("model-router client", () => router.close());
  platform.lifecycle.onClose("tool-runner client", () => runner.close());
  if (config.isolatedSession === undefined) {
    const isolate = (session: string): Promise<void> => startIsolated(session, engineWorkerEnvironment());
    return composeEngineWorker(platform, { router, runner }, config, isolate);
  }
  const session = config.isolatedSession;
  const engine = await composeEngineWorker(platform, { router, runner }, config);
  const start = async (): Promise<void> => {
    await engine.beat();
    await runIsolated(platform, engine, session);
    await engine.drain(config.drainMs);
    process.exit(0);
  };
  return { ...engine, start };
}

await runService({ name: "engine-worker", variables: engineWorkerVariables, compose }, engineWorkerEnvironment());
