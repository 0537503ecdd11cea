/** tool-runner as a process of its own. */
import { connectGrpc, engineContract, memoryBrainContract } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { runService } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

import { composeToolRunner } from "./compose.ts";
import type { ComposedToolRunner } from "./compose.ts";
import { toolRunnerEnvironment, toolRunnerVariables } from "./config.ts";
import type { ToolRunnerConfig } from "./config.ts";

async function compose(platform: Platform, config: ToolRunnerConfig): Promise<ComposedToolRunner> {
  if (config.engineWorkerAddress === undefined) {
    throw new MainspringError(
      "invalid_argument",
      "MAINSPRING_ENGINE_WORKER_ADDR must be set: to whom are results reported?",
      { reason: "invalid_configuration" },
    );
  }
  const engine = connectGrpc(engineContract, config.engineWorkerAddress);
  platform.lifecycle.onClose("engine-worker client", () => engine.close());
  const { memoryBrainAddress } = config;
  const memory = memoryBrainAddress === undefined ? null : connectGrpc(memoryBrainContract, memoryBrainAddress);
  platform.lifecycle.onClose("memory-brain client", () => memory?.close());
  return composeToolRunner(platform, { engine, memory }, config);
}

await runService({ name: "tool-runner", variables: toolRunnerVariables, compose }, toolRunnerEnvironment());
