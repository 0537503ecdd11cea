export { composeModelRouter } from "./compose.ts";
export { modelRouterVariables, providerVariables } from "./config.ts";
export type { ModelRouterConfig } from "./config.ts";
