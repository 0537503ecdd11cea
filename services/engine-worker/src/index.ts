export { composeEngineWorker } from "./compose.ts";
export type { ComposedEngine, EnginePeers } from "./compose.ts";
export { engineWorkerVariables } from "./config.ts";
export type { EngineWorkerConfig, EngineWorkerSettings } from "./config.ts";
