/** The contracts by name. */
import type { ServiceDefinition } from "@grpc/grpc-js";

import type { ClientOf, Contract, HandlersOf } from "./contract.ts";
import type { EngineServiceDefinition, EngineServiceHandlers } from "./gen/mainspring/engine/v1/EngineService.ts";
import type {
  EvalRunnerServiceDefinition,
  EvalRunnerServiceHandlers,
} from "./gen/mainspring/eval_runner/v1/EvalRunnerService.ts";
import type {
  MemoryBrainServiceDefinition,
  MemoryBrainServiceHandlers,
} from "./gen/mainspring/memory_brain/v1/MemoryBrainService.ts";
import type {
  ModelRouterServiceDefinition,
  ModelRouterServiceHandlers,
} from "./gen/mainspring/model_router/v1/ModelRouterService.ts";
import type {
  ToolRunnerServiceDefinition,
  ToolRunnerServiceHandlers,
} from "./gen/mainspring/tool_runner/v1/ToolRunnerService.ts";
import { serviceDefinition } from "./package-definition.ts";

function contract<Handlers, Definition>(name: string): Contract<Handlers, Definition> {
  let definition: ServiceDefinition | undefined;
  return { name, definition: () => (definition ??= serviceDefinition(name)) };
}

export const engineContract = contract<EngineServiceHandlers, EngineServiceDefinition>(
  "mainspring.engine.v1.EngineService",
);
export const evalRunnerContract = contract<EvalRunnerServiceHandlers, EvalRunnerServiceDefinition>(
  "mainspring.eval_runner.v1.EvalRunnerService",
);
export const memoryBrainContract = contract<MemoryBrainServiceHandlers, MemoryBrainServiceDefinition>(
  "mainspring.memory_brain.v1.MemoryBrainService",
);
export const modelRouterContract = contract<ModelRouterServiceHandlers, ModelRouterServiceDefinition>(
  "mainspring.model_router.v1.ModelRouterService",
);
export const toolRunnerContract = contract<ToolRunnerServiceHandlers, ToolRunnerServiceDefinition>(
  "mainspring.tool_runner.v1.ToolRunnerService",
);

export type EngineHandlers = HandlersOf<typeof engineContract>;
export type EngineClient = ClientOf<typeof engineContract>;
export type EvalRunnerHandlers = HandlersOf<typeof evalRunnerContract>;
export type EvalRunnerClient = ClientOf<typeof evalRunnerContract>;
export type MemoryBrainHandlers = HandlersOf<typeof memoryBrainContract>;
export type MemoryBrainClient = ClientOf<typeof memoryBrainContract>;
export type ModelRouterHandlers = HandlersOf<typeof modelRouterContract>;
export type ModelRouterClient = ClientOf<typeof modelRouterContract>;
export type ToolRunnerHandlers = HandlersOf<typeof toolRunnerContract>;
export type ToolRunnerClient = ClientOf<typeof toolRunnerContract>;
