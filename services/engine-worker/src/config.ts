/** The environment of engine-worker. */
import {
  addressVariable,
  commonVariables,
  kinds,
  httpListenVariable,
  listenVariable,
} from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

export const engineWorkerVariables = {
  ...commonVariables,
  listen: listenVariable("engine-worker"),
  httpListen: httpListenVariable("engine-worker"),
  modelRouterAddress: addressVariable("model-router"),
  toolRunnerAddress: addressVariable("tool-runner"),
  sessionsMax: {
    name: "MAINSPRING_SESSIONS_MAX",
    description: "Sessions that one worker holds at once; more wait for another worker or for room.",
    schema: kinds.integer(1_000, 1, 100_000),
  },
  agentsDir: {
    name: "MAINSPRING_AGENTS_DIR",
    description: "Directory of further agents, one YAML file each.",
    schema: kinds.optionalText(),
  },
  hotWindowMs: {
    name: "MAINSPRING_HOT_WINDOW_MS",
    description: "How long a waiting session stays in its worker's memory before it parks, in milliseconds.",
    schema: kinds.integer(10_000, 0, 3_600_000),
  },
  isolatedSession: {
    name: "MAINSPRING_ISOLATED_SESSION",
    description: "Set by a worker for a process that takes up one session alone and ends after it.",
    schema: kinds.optionalText(),
  },
} as const satisfies Variables;

export type EngineWorkerConfig = ConfigOf<typeof engineWorkerVariables>;
export type EngineWorkerSettings = Pick<EngineWorkerConfig, "sessionsMax" | "hotWindowMs" | "agentsDir">;

/** The process's environment; nothing else of this service reads it. */
export function engineWorkerEnvironment(): Environment {
  return process.env;
}
