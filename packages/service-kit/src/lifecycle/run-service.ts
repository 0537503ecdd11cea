/** Runs one service in a process of its own: open the platform, compose, serve gRPC, start, drain on a signal. */
import { serveGrpc } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import type { ConfigOf, Environment, Variables } from "../config/config.ts";
import { readConfig, shownConfig } from "../config/config.ts";
import { loadEnvFile } from "../config/env-file.ts";
import { unknownVariables } from "../config/unknown-variables.ts";
import { createLogger } from "../logs/logger.ts";
import type { LogLevel } from "../logs/logger.ts";
import type { Composed, Platform } from "./compose.ts";
import { endOnStray, stopOnSignals } from "./lifecycle.ts";
import type { PlatformConfig } from "./open-platform.ts";
import { serveMachines } from "./http-machines.ts";
import { openPlatform } from "./open-platform.ts";
import { watchHealth } from "./watch-health.ts";

export interface ServiceDefinition<V extends Variables> {
  readonly name: string;
  readonly variables: V;
  readonly compose: (platform: Platform, config: ConfigOf<V>) => Promise<Composed> | Composed;
}

interface RunsAlone {
  readonly listen: string | undefined;
  /** The gateway has an HTTP server anyway. */
  readonly httpListen?: string | undefined;
  readonly drainMs: number;
}

/** Exits with 78 (EX_CONFIG) and the reasons when the configuration is wrong. */
export async function runService<V extends Variables>(
  service: ServiceDefinition<V>,
  environment: Environment,
): Promise<void> {
  try {
    const given = loadEnvFile(environment);
    const config = readConfig(service.variables, given) as ConfigOf<V> & PlatformConfig & RunsAlone;
    warnOfUnknown(given, service.name, config.logLevel);
    await serveAlone(service, config);
  } catch (error) {
    if (!(error instanceof MainspringError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.reason === "invalid_configuration" ? 78 : 1);
  }
}

/** What is misspelt is not read; who wrote it has to learn that from something. */
export function warnOfUnknown(environment: Environment, service: string, level: LogLevel): void {
  const logger = createLogger(service, level);
  for (const sentence of unknownVariables(environment)) logger.warn({}, sentence);
}

async function serveAlone<V extends Variables>(
  service: ServiceDefinition<V>,
  config: ConfigOf<V> & PlatformConfig & RunsAlone,
): Promise<void> {
  const platform = await openPlatform(service.name, config, true);
  const { logger, lifecycle, readiness } = platform;
  endOnStray(logger);
  const composed = await service.compose(platform, config);
  const http = config.httpListen === undefined ? undefined : await serveMachines(platform, config.httpListen);
  let address: string | undefined;
  if (composed.registrations.length === 0) {
    watchHealth(platform, (ready) => composed.tellReady?.(ready));
  } else {
    const server = await serveGrpc(composed.registrations, {
      listen: config.listen ?? "127.0.0.1:0",
      onUnexpected: (method, error) => logger.error({ method, error }, "a call failed unexpectedly"),
    });
    address = server.address;
    lifecycle.onClose("gRPC", () => server.drain(config.drainMs));
    watchHealth(platform, (ready) => {
      for (const { name } of composed.registrations) server.setServing(name, ready);
    });
    logger.info({ address: server.address, config: shownConfig(service.variables, config) }, "serving gRPC");
    process.stdout.write(`${JSON.stringify({ service: service.name, address: server.address, http })}\n`);
  }
  await composed.start(address);
  stopOnSignals(logger, async () => {
    readiness.drain();
    await composed.drain(config.drainMs);
    await lifecycle.close();
  });
}
