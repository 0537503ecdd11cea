/** eval-runner as a process of its own. */
import { neededVariable, runService } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

import { composeEvalRunner } from "./compose.ts";
import type { ComposedEvalRunner } from "./compose.ts";
import { evalRunnerEnvironment, evalRunnerVariables } from "./config.ts";
import type { EvalRunnerConfig } from "./config.ts";

async function compose(platform: Platform, config: EvalRunnerConfig): Promise<ComposedEvalRunner> {
  const url = neededVariable(config.gatewayUrl, "MAINSPRING_GATEWAY_URL").replace(/\/+$/, "");
  const key = config.gatewayKey ?? config.adminKey ?? "";
  const composed = await composeEvalRunner(platform, () => ({ url, key }), config);
  platform.readiness.add("gateway", composed.pingGateway);
  return composed;
}

await runService({ name: "eval-runner", variables: evalRunnerVariables, compose }, evalRunnerEnvironment());
