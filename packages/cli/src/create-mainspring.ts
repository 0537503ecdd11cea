/** All of Mainspring in this process, for programs: the interface of `@mainspring/client`, without a port. */
import { Mainspring } from "@mainspring/client";
import { warnOfUnknown } from "@mainspring/service-kit";
import type { Environment } from "@mainspring/service-kit/settings";
import type { ToolModule } from "@mainspring/tool-runner";

import { startEmbedded } from "./embedded.ts";
import { LOCAL_URL } from "./local-fetch.ts";
import { readEmbeddedConfig } from "./server-config.ts";

export interface CreateOptions {
  /** Where everything is kept; `memory` (default) keeps nothing. One process at a time. */
  readonly dataDir?: string;
  /** Further variables, as in docs/configuration.md, e.g. OPENAI_API_KEY. The environment of the process is not read. */
  readonly variables?: Environment;
  /** Tools beside those that ship, as modules of MAINSPRING_TOOLS_DIR export them. They may call the result. */
  readonly tools?: readonly ToolModule[];
}

/** `close` drains and ends it. Rejects with `invalid_argument` for a wrong configuration. */
export async function createMainspring({ dataDir = "memory", variables = {}, tools = [] }: CreateOptions = {}) {
  const defaults = { MAINSPRING_LOG_LEVEL: "warn" };
  const config = readEmbeddedConfig({ ...defaults, ...variables, MAINSPRING_DATA_DIR: dataDir });
  warnOfUnknown(variables, "mainspring", config.gateway.logLevel);
  const embedded = await startEmbedded(config, { listens: false, tools });
  const { secret: key } = embedded.adminKey;
  return new Mainspring({ url: LOCAL_URL, key, fetch: embedded.fetch, onClose: () => embedded.stop() });
}
