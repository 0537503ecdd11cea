/** What a command needs before it opens anything: settings, and where the running server is. Loads no drivers. */
export { commonVariables, flagOf, IN_MEMORY, kinds, readConfig } from "./config/config.ts";
export type { ConfigOf, Environment, Variable, Variables } from "./config/config.ts";
export { loadEnvFile } from "./config/env-file.ts";
export { runningServer } from "./lifecycle/data-lock.ts";
export { SAME_SIGNAL_MS } from "./lifecycle/lifecycle.ts";
