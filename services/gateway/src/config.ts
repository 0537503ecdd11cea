/** The environment of the gateway. */
import { addressVariable, commonVariables, kinds } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";
import { z } from "zod";

import { isPublicKey } from "./adapters/cwt.ts";

/** Texts separated by commas; none when unset. */
const list = () =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    );

export const gatewayVariables = {
  ...commonVariables,
  port: {
    name: "PORT",
    description: "Port of the public HTTP server; 0 picks a free one.",
    schema: kinds.integer(8080, 0, 65_535),
  },
  host: { name: "HOST", description: "Address of the public HTTP server.", schema: kinds.text("127.0.0.1") },
  grpcListen: {
    name: "MAINSPRING_GATEWAY_GRPC_LISTEN",
    description: "host:port of the public gRPC server; port 0 picks a free one, none without it.",
    schema: kinds.addresses(),
  },
  engineWorkerAddress: addressVariable("engine-worker"),
  modelRouterAddress: addressVariable("model-router"),
  memoryBrainAddress: addressVariable("memory-brain"),
  evalRunnerAddress: addressVariable("eval-runner"),
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
  publicKeys: {
    name: "ED25519_PUBKEYS",
    description:
      "Public keys whose CBOR Web Tokens give access to Spaces: 32 bytes as Base64 each, separated by commas.",
    schema: list().refine((keys) => keys.every(isPublicKey), "must be Ed25519 public keys, 32 bytes as Base64 each"),
  },
  managers: {
    name: "MANAGERS",
    description: "Subjects of CBOR Web Tokens that may manage Spaces, separated by commas.",
    schema: list(),
  },
  httpConcurrency: {
    name: "HTTP_MAX_CONCURRENCY",
    description: "Requests to Spaces that are served at once; further ones are answered 503.",
    schema: kinds.integer(1024, 1, 100_000),
  },
} as const satisfies Variables;

export type GatewayConfig = ConfigOf<typeof gatewayVariables>;

/** The process's environment; nothing else of this service reads it. */
export function gatewayEnvironment(): Environment {
  return process.env;
}
