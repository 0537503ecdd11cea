/** The environment of eval-runner. */
import { commonVariables, httpListenVariable, kinds, listenVariable } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

const evalVariables = {
  evalConcurrency: {
    name: "MAINSPRING_EVAL_CONCURRENCY",
    description: "Cells of experiments that one eval-runner runs at once.",
    schema: kinds.integer(4, 1, 1_000),
  },
} as const satisfies Variables;

export const evalRunnerVariables = {
  ...commonVariables,
  ...evalVariables,
  listen: listenVariable("eval-runner"),
  httpListen: httpListenVariable("eval-runner"),
  gatewayUrl: {
    name: "MAINSPRING_GATEWAY_URL",
    description:
      "Gateway that an eval-runner of its own runs experiments against; in one process it is the server's own.",
    schema: kinds.url("http:", "https:"),
  },
  gatewayKey: {
    name: "MAINSPRING_GATEWAY_KEY",
    description: "Admin key for that gateway, which runs experiments for their tenants. Default: MAINSPRING_ADMIN_KEY.",
    schema: kinds.optionalText(),
    secret: true,
  },
  adminKey: {
    name: "MAINSPRING_ADMIN_KEY",
    description: "Key with every right; created at the first start and kept in the data directory when unset.",
    schema: kinds.optionalText(),
    secret: true,
  },
} as const satisfies Variables;

export type EvalRunnerConfig = ConfigOf<typeof evalRunnerVariables>;
/** What the composition needs: the same whether the service runs alone or with others. */
export type EvalRunnerSettings = ConfigOf<typeof evalVariables>;

/** The process's environment; nothing else of this service reads it. */
export function evalRunnerEnvironment(): Environment {
  return process.env;
}
