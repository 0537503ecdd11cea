/** A process for one session that has killed the workers before: takes it up when its holder is dead, and ends with it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { sleep } from "@mainspring/kernel";
import type { Environment, Platform } from "@mainspring/service-kit";

import { observeBeats } from "./app/sweeper.ts";
import type { ComposedEngine } from "./compose.ts";
import { WORKER_BEAT_EVERY_MS, WORKER_LEASE_MS } from "./compose.ts";

/** Looks at the beats until the session's holder can be known dead; twice the lease is ample. */
const LOOKS_MAX = Math.ceil((2 * WORKER_LEASE_MS) / WORKER_BEAT_EVERY_MS);

/** Starts the process. It is not waited for: the head of the session tells what becomes of it. */
export function startIsolated(session: string, environment: Environment): Promise<void> {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const env = { ...environment, MAINSPRING_ISOLATED_SESSION: session, MAINSPRING_ENGINE_WORKER_LISTEN: "127.0.0.1:0" };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main], { env: env as NodeJS.ProcessEnv, stdio: "ignore" });
    child.once("error", reject);
    child.once("spawn", () => resolve());
    child.unref();
  });
}

/** Resolves when the session is parked, lost or was never to be had. */
export async function runIsolated(platform: Platform, engine: ComposedEngine, session: string): Promise<void> {
  const { clock } = platform;
  for (let look = 0; look < LOOKS_MAX && engine.host.size === 0; look += 1) {
    await observeBeats({ clock, store: engine.store, watch: engine.watch }).catch(() => []);
    await engine.host.activate(session);
    await sleep(clock, WORKER_BEAT_EVERY_MS);
  }
  while (engine.host.size > 0) await sleep(clock, WORKER_BEAT_EVERY_MS);
}
