/** The gateway as a process of its own. */
import {
  connectGrpc,
  engineContract,
  evalRunnerContract,
  memoryBrainContract,
  modelRouterContract,
} from "@mainspring/contracts";
import { neededVariable, runService } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

import { composeGateway } from "./compose.ts";
import type { ComposedGateway } from "./compose.ts";
import type { GatewayConfig } from "./config.ts";
import { gatewayEnvironment, gatewayVariables } from "./config.ts";

async function compose(platform: Platform, config: GatewayConfig): Promise<ComposedGateway> {
  const { engineWorkerAddress, evalRunnerAddress, memoryBrainAddress, modelRouterAddress } = config;
  const engine = connectGrpc(engineContract, neededVariable(engineWorkerAddress, "MAINSPRING_ENGINE_WORKER_ADDR"));
  const router = connectGrpc(modelRouterContract, neededVariable(modelRouterAddress, "MAINSPRING_MODEL_ROUTER_ADDR"));
  const memory = connectGrpc(memoryBrainContract, neededVariable(memoryBrainAddress, "MAINSPRING_MEMORY_BRAIN_ADDR"));
  platform.lifecycle.onClose("engine-worker client", () => engine.close());
  platform.lifecycle.onClose("model-router client", () => router.close());
  platform.lifecycle.onClose("memory-brain client", () => memory.close());
  const evals = evalRunnerAddress === undefined ? null : connectGrpc(evalRunnerContract, evalRunnerAddress);
  platform.lifecycle.onClose("eval-runner client", () => evals?.close());
  const gateway = await composeGateway(platform, { engine, router, memory, evals }, config);
  return {
    ...gateway,
    async start() {
      await gateway.start();
      if (gateway.adminKey.isNew) process.stdout.write(`admin key (shown once): ${gateway.adminKey.secret}\n`);
      process.stdout.write(
        `${JSON.stringify({ service: "gateway", url: gateway.url(), grpc: gateway.grpc() ?? undefined })}\n`,
      );
    },
  };
}

await runService({ name: "gateway", variables: gatewayVariables, compose }, gatewayEnvironment());
