/**
 * vitest's global set-up for projects that need Redis and MongoDB: one server of each for the whole run, whatever the
 * number of projects. Tests read them with `inject("servers")`; every suite uses a name of its own within a server.
 */
import type { TestProject } from "vitest/node";

import { canStartMongo, findMongo } from "./mongo.ts";
import { canStartRedis, findRedis } from "./redis.ts";
import type { TestServer } from "./server-process.ts";

export type ProvidedServer =
  | {
      readonly url: string;
      readonly description: string;
      /** Whether a test can start one of its own, to stop and freeze it. */
      readonly startable: boolean;
    }
  | { readonly url: null; readonly reason: string };

export interface ProvidedServers {
  readonly redis: ProvidedServer;
  readonly mongo: ProvidedServer;
}

declare module "vitest" {
  export interface ProvidedContext {
    servers: ProvidedServers;
  }
}

interface Run {
  users: number;
  readonly started: Promise<{ servers: TestServer[]; provided: ProvidedServers }>;
}

// Each project loads this module for itself, so what they share lies outside of it.
const KEY = Symbol.for("mainspring.test-servers");
const shared = globalThis as unknown as Record<symbol, Run | undefined>;

async function find(
  name: string,
  finder: () => Promise<TestServer>,
  isStartable: () => boolean,
  servers: TestServer[],
): Promise<ProvidedServer> {
  try {
    const server = await finder();
    servers.push(server);
    console.log(`tests use ${server.description}`);
    return { url: server.url, description: server.description, startable: isStartable() };
  } catch (error) {
    const reason = `${name} is not available: ${error instanceof Error ? error.message : String(error)}`;
    if (process.env["CI"] === "true") throw new Error(reason, { cause: error });
    console.error(`\n*** NOT TESTED: ${reason}\n`);
    return { url: null, reason };
  }
}

async function start(): Promise<{ servers: TestServer[]; provided: ProvidedServers }> {
  const servers: TestServer[] = [];
  const [redis, mongo] = await Promise.all([
    find("Redis", findRedis, canStartRedis, servers),
    find("MongoDB", findMongo, canStartMongo, servers),
  ]);
  return { servers, provided: { redis, mongo } };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared[KEY] ??= { users: 0, started: start() });
  run.users += 1;
  project.provide("servers", (await run.started).provided);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    shared[KEY] = undefined;
    for (const server of (await run.started).servers) await server.stop();
  };
}
