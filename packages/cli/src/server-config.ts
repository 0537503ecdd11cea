/** The environment of the services that the command starts in one process. */
import { engineWorkerVariables } from "@mainspring/engine-worker/config";
import type { EngineWorkerConfig } from "@mainspring/engine-worker";
import { evalRunnerVariables } from "@mainspring/eval-runner/config";
import type { EvalRunnerConfig } from "@mainspring/eval-runner";
import { gatewayVariables } from "@mainspring/gateway/config";
import type { GatewayConfig } from "@mainspring/gateway";
import { MainspringError } from "@mainspring/kernel";
import { memoryBrainVariables } from "@mainspring/memory-brain/config";
import type { MemoryBrainConfig } from "@mainspring/memory-brain";
import { modelRouterVariables } from "@mainspring/model-router/config";
import { readConfig } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variable, Variables } from "@mainspring/service-kit/settings";
import { toolRunnerVariables } from "@mainspring/tool-runner/config";

/** The services in the order in which they start; they drain in the reverse. */
export const SERVICES = {
  "model-router": modelRouterVariables,
  "tool-runner": toolRunnerVariables,
  "memory-brain": memoryBrainVariables,
  "engine-worker": engineWorkerVariables,
  gateway: gatewayVariables,
  "eval-runner": evalRunnerVariables,
} as const satisfies Record<string, Variables>;

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export interface EmbeddedConfig {
  readonly modelRouter: ConfigOf<typeof modelRouterVariables>;
  readonly toolRunner: ConfigOf<typeof toolRunnerVariables>;
  readonly memoryBrain: MemoryBrainConfig;
  readonly engineWorker: EngineWorkerConfig;
  readonly gateway: GatewayConfig;
  readonly evalRunner: EvalRunnerConfig;
}

const OF_SEPARATE_PROCESSES: ReadonlySet<string> = new Set([
  "MAINSPRING_ISOLATED_SESSION",
  "MAINSPRING_GATEWAY_URL",
  "MAINSPRING_GATEWAY_KEY",
]);

/** Variables of a service that say nothing when all services share a process. */
export function isOfSeparateProcesses({ name }: Pick<Variable<unknown>, "name">): boolean {
  return name.endsWith("_ADDR") || name.endsWith("_HTTP_LISTEN") || OF_SEPARATE_PROCESSES.has(name);
}

/** Throws `invalid_argument` with every problem of every service, each once. */
export function readEmbeddedConfig(environment: Environment): EmbeddedConfig {
  const problems = new Set<string>();
  const read = <V extends Variables>(variables: V): ConfigOf<V> => {
    try {
      return readConfig(variables, environment);
    } catch (error) {
      if (!(error instanceof MainspringError)) throw error;
      for (const line of error.message.split("\n")) problems.add(line);
      return {} as ConfigOf<V>;
    }
  };
  const config = {
    modelRouter: read(SERVICES["model-router"]),
    toolRunner: read(SERVICES["tool-runner"]),
    memoryBrain: read(SERVICES["memory-brain"]),
    engineWorker: read(SERVICES["engine-worker"]),
    gateway: read(SERVICES.gateway),
    evalRunner: read(SERVICES["eval-runner"]),
  };
  if (problems.size > 0) {
    throw new MainspringError("invalid_argument", [...problems].join("\n"), { reason: "invalid_configuration" });
  }
  return config;
}
