export { connectGrpc, MainspringGrpc } from "./connect.ts";
export type { GrpcOptions } from "./connect.ts";
export type { EngineApi, EvalsApi, GrpcCallSettings, MemoryApi } from "./services.ts";
