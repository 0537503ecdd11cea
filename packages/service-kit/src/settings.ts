/** What a command needs before it opens anything: settings, and where the running server is. Loads no drivers. */
export {
  addressVariable,
  commonVariables,
  flagOf,
  httpListenVariable,
  IN_MEMORY,
  kinds,
  listenVariable,
  readConfig,
} from "./config/config.ts";
export type { ConfigOf, Environment, Variable, Variables } from "./config/config.ts";
export { unknownVariables } from "./config/unknown-variables.ts";
export { loadEnvFile } from "./config/env-file.ts";
export { probeDirectory } from "./files/data-directory.ts";
export { isDataDirLocked, runningServer } from "./lifecycle/data-lock.ts";
export { SAME_SIGNAL_MS } from "./lifecycle/lifecycle.ts";
export type { Logger } from "./logs/logger.ts";
