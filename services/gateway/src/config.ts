/** The environment of the gateway. */
import { addressVariable, commonVariables, kinds } from "@mainspring/service-kit";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit";

export const gatewayVariables = {
  ...commonVariables,
  port: {
    name: "PORT",
    description: "Port of the public HTTP server; 0 picks a free one.",
    schema: kinds.integer(8080, 0, 65_535),
  },
  host: { name: "HOST", description: "Address of the public HTTP server.", schema: kinds.text("127.0.0.1") },
  engineWorkerAddress: addressVariable("engine-worker"),
  modelRouterAddress: addressVariable("model-router"),
  adminKey: {
    name: "MAINSPRING_ADMIN_KEY",
    description: "Key with every right; created at the first start and kept in the data directory when unset.",
    schema: kinds.optionalText(),
    secret: true,
  },
  auth: {
    name: "MAINSPRING_AUTH",
    description: "`off` lets everybody in as the admin of the default tenant; on loopback only.",
    schema: kinds.choice(["on", "off"], "on"),
  },
} as const satisfies Variables;

export type GatewayConfig = ConfigOf<typeof gatewayVariables>;

/** The process's environment; nothing else of this service reads it. */
export function gatewayEnvironment(): Environment {
  return process.env;
}
