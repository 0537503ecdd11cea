export { composeGateway } from "./compose.ts";
export type { ComposedGateway, GatewayPeers } from "./compose.ts";
export type { GatewayConfig } from "./config.ts";
