export { composeEngineWorker } from "./compose.ts";
export type { ComposedEngine, EnginePeers } from "./compose.ts";
export type { EngineWorkerConfig, EngineWorkerSettings } from "./config.ts";
