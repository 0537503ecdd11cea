export { composeModelRouter } from "./compose.ts";
export { modelRouterVariables, openAiVariables } from "./config.ts";
export type { ModelRouterConfig } from "./config.ts";
