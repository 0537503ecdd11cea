export { composeMemoryBrain } from "./compose.ts";
export type { MemoryBrainConfig, MemoryBrainSettings } from "./config.ts";
export { SpaceStore } from "./adapters/space-store/space-store.ts";
export type { RequestContext } from "./app/execute.ts";
export type { Authority, Principal } from "./app/mutate/transaction.ts";
