export {
  ANONYMOUS,
  MESSAGE_BYTES_MAX,
  onBehalfOf,
  STREAM_BUFFER_BYTES_MAX,
  STREAM_BUFFER_MESSAGES_MAX,
} from "./contract.ts";
export type {
  CallContext,
  CallOptions,
  ClientOf,
  Connected,
  Contract,
  DuplexCall,
  HandlersOf,
  Principal,
} from "./contract.ts";
export { connectGrpc, GrpcConnection } from "./grpc-client.ts";
export { serveGrpc } from "./grpc-server.ts";
export type { GrpcServer, GrpcServerOptions } from "./grpc-server.ts";
export { InProcessServer } from "./in-process.ts";
export type { InProcessOptions } from "./in-process.ts";
export { serve } from "./registration.ts";
export type { OnUnexpected, Registration, Serving } from "./registration.ts";
export {
  engineContract,
  evalRunnerContract,
  memoryBrainContract,
  modelRouterContract,
  toolRunnerContract,
} from "./services.ts";
export type {
  EngineClient,
  EngineHandlers,
  EvalRunnerClient,
  EvalRunnerHandlers,
  MemoryBrainClient,
  MemoryBrainHandlers,
  ModelRouterClient,
  ModelRouterHandlers,
  ToolRunnerClient,
  ToolRunnerHandlers,
} from "./services.ts";
export { fromErrorDetail, toErrorDetail } from "./wire-error.ts";
export { openSpan, parseTraceparent, takeChosenSpanId, TENANT_ATTRIBUTE } from "./tracing.ts";
export type { OpenSpan, SpanOptions } from "./tracing.ts";
