export { composeModelRouter } from "./compose.ts";
export type { ModelRouterConfig } from "./config.ts";
