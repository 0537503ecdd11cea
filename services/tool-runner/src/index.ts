export { composeToolRunner } from "./compose.ts";
export type { ComposedToolRunner, ToolRunnerPeers } from "./compose.ts";
export type { ToolRunnerConfig, ToolRunnerSettings } from "./config.ts";
export type { ToolModule, ToolModuleContext } from "./adapters/tools-directory.ts";
