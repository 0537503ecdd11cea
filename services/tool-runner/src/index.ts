export { composeToolRunner, namesOfTools, whyNoSandbox } from "./compose.ts";
export type { ComposedToolRunner, ToolRunnerPeers } from "./compose.ts";
export { toolRunnerVariables } from "./config.ts";
export type { ToolRunnerConfig, ToolRunnerSettings } from "./config.ts";
export type { ToolModule, ToolModuleContext } from "./adapters/tools-directory.ts";
