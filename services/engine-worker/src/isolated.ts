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

/** A process without its session ends after this long, whatever it waits for. */
const UNEMPLOYED_MAX_MS = 15_000;
/** And one with it after this long: what it has not committed by then is another's to try. */
const LIFE_MAX_MS = 15 * 60_000;

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
  const { host, store, watch } = engine;
  endAfter(UNEMPLOYED_MAX_MS, () => host.size === 0);
  endAfter(LIFE_MAX_MS, () => true);
  for (let look = 0; look < LOOKS_MAX && host.size === 0; look += 1) {
    await observeBeats({ clock, store, watch }).catch(() => []);
    await host.activate(session);
    await sleep(clock, WORKER_BEAT_EVERY_MS);
  }
  while (host.size > 0) await sleep(clock, WORKER_BEAT_EVERY_MS);
}

/** Ends the process then if it still is as it should not be; nothing is lost by that. */
function endAfter(delayMs: number, passes: () => boolean): void {
  const timer = setTimeout(() => {
    if (passes()) process.exit(75);
  }, delayMs);
  timer.unref();
}
