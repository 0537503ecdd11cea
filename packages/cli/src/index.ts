export { createMainspring } from "./create-mainspring.ts";
export type { CreateOptions } from "./create-mainspring.ts";
export { readEmbeddedConfig } from "./server-config.ts";
export type { EmbeddedConfig } from "./server-config.ts";
export { startEmbedded } from "./embedded.ts";
export type { Embedded } from "./embedded.ts";
export { SERVICE_NAMES, SERVICES } from "./server-config.ts";
