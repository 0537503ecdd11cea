export { composeEvalRunner } from "./compose.ts";
export type { ComposedEvalRunner } from "./compose.ts";
export type { GatewayAddress } from "./adapters/http-gateway.ts";
export type { EvalRunnerConfig, EvalRunnerSettings } from "./config.ts";
