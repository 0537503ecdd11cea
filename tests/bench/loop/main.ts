/**
 * The loop's rows beside the fixed floor, measured in the same run. The server is a process of its own (or the processes
 * of a deployment); this one is its client.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { connectGrpc, engineContract } from "@mainspring/contracts";
import type { EngineClient } from "@mainspring/contracts";
import { openPlatform } from "@mainspring/service-kit";

import { Deployment } from "../../support/deployment.ts";
import { freePort } from "../../support/free-port.ts";
import { startUp } from "../../support/mainspring-process.ts";
import type { Row } from "../statistics.ts";
import { median, printRows } from "../statistics.ts";
import { cancelTimes, failoverTimes } from "./faults.ts";
import { measureFloor } from "./floor.ts";
import { acceptMs, continueParkedMs, lateAgainstEarly, roundMs, rounds, runsPerSecond, timeRun } from "./rows.ts";

const RESULT_BYTES = 2_000;
const HOUSEKEEPING_MS = 3_000;
const TOOLS = fileURLToPath(new URL("../tools", import.meta.url));

interface Targets {
  readonly roundMs: number;
  readonly runsPerSecond: number;
  readonly acceptMs: number;
}

export interface LoopOptions {
  readonly repetitions: number;
  /** Sessions known to the store when parked ones are continued. */
  readonly parked: number;
}

export async function benchEmbedded(options: LoopOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "mainspring-bench-"));
  const config = {
    logLevel: "error",
    dataDir: join(directory, "floor"),
    redisUrl: undefined,
    mongoUrl: undefined,
  } as const;
  const platform = await openPlatform("floor", config, false);
  const floor = await measureFloor(platform, options.repetitions, 200);
  await platform.lifecycle.close();
  const listen = `127.0.0.1:${await freePort()}`;
  const dataDir = join(directory, "data");
  const server = await startUp(dataDir, { MAINSPRING_ENGINE_WORKER_LISTEN: listen, MAINSPRING_TOOLS_DIR: TOOLS });
  const engine = connectGrpc(engineContract, listen);
  const targets = { roundMs: 1.5, runsPerSecond: 500, acceptMs: 3 };
  const rows = await commonRows(engine, median(floor), targets, options);
  const stored = await storedAgainstContent(engine, dataDir);
  const cancels = await cancelTimes(server.url, 20);
  rows.push(
    {
      what: "stored bytes of 500 rounds against their content",
      values: [stored],
      unit: "×",
      target: "≤ 3",
      met: stored <= 3,
    },
    {
      what: "cancel → tool process gone, slowest of 20",
      values: [Math.max(...cancels)],
      unit: "ms",
      target: "≤ 1000",
      met: Math.max(...cancels) <= 1_000,
    },
  );
  printRows("Loop, embedded", [floorRow(floor), ...rows]);
  engine.close();
  await server.process.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}

export async function benchDistributed(options: LoopOptions): Promise<void> {
  const deployment = await Deployment.start({ toolsDir: TOOLS });
  const mongoUrl = `${deployment.mongo.url}/floor`;
  const config = { logLevel: "error", dataDir: "memory", redisUrl: deployment.redis.url, mongoUrl } as const;
  const platform = await openPlatform("floor", config, true);
  const floor = await measureFloor(platform, options.repetitions, 100);
  await platform.lifecycle.close();
  const engine = connectGrpc(engineContract, deployment.addressOf("engine-worker"));
  const targets = { roundMs: 4, runsPerSecond: 250, acceptMs: 8 };
  const rows = await commonRows(engine, median(floor), targets, options);
  const failovers = await failoverTimes(deployment, 5);
  const slowest = Math.max(...failovers);
  rows.push({
    what: "worker killed → run progressing, slowest of 5",
    values: [slowest],
    unit: "ms",
    target: "≤ 4000",
    met: slowest <= 4_000,
  });
  printRows(`Loop, distributed, on ${deployment.mongo.description}`, [floorRow(floor), ...rows]);
  engine.close();
  await deployment.stop();
}

function floorRow(floor: readonly number[]): Row {
  return { what: "floor of one round", values: floor, unit: "ms", target: "", met: null };
}

async function commonRows(
  engine: EngineClient,
  floorMs: number,
  targets: Targets,
  options: LoopOptions,
): Promise<Row[]> {
  for (let warm = 0; warm < 30; warm += 1) await timeRun(engine, rounds(10));
  const repeat = async (measure: () => Promise<number>): Promise<number[]> => {
    const values: number[] = [];
    for (let repetition = 0; repetition < options.repetitions; repetition += 1) values.push(await measure());
    return values;
  };
  const round = await repeat(() => roundMs(engine, 200));
  const ratio = round.map((value) => value / floorMs);
  const accept = await repeat(() => acceptMs(engine, 100));
  const rate = await repeat(() => runsPerSecond(engine, 400));
  const late = await repeat(() => lateAgainstEarly(engine, floorMs));
  const parked = await continueParkedMs(engine, options.parked, 100);
  return [
    {
      what: "one tool round, p50",
      values: round,
      unit: "ms",
      target: `≤ ${targets.roundMs}`,
      met: median(round) <= targets.roundMs,
    },
    { what: "one tool round against the floor", values: ratio, unit: "×", target: "≤ 1.5", met: median(ratio) <= 1.5 },
    {
      what: "runs of three rounds, 16 in flight",
      values: rate,
      unit: "/s",
      target: `≥ ${targets.runsPerSecond}`,
      met: median(rate) >= targets.runsPerSecond,
    },
    {
      what: "accept → first model call, p50",
      values: accept,
      unit: "ms",
      target: `≤ ${targets.acceptMs}`,
      met: median(accept) <= targets.acceptMs,
      note: "with the client's own call",
    },
    {
      what: "a round at step 600 against step 20, floor off",
      values: late,
      unit: "×",
      target: "≤ 1.2",
      met: median(late) <= 1.2,
    },
    {
      what: `continue one of ${options.parked} parked sessions, p50`,
      values: [parked],
      unit: "ms",
      target: "≤ 50",
      met: parked <= 50,
      note: "to its end",
    },
  ];
}

/** Growth of the data directory by one run of 500 rounds, against its arguments and results. */
async function storedAgainstContent(engine: EngineClient, dataDir: string): Promise<number> {
  const bytes = RESULT_BYTES;
  const before = sizeOf(dataDir);
  const input = rounds(500, bytes);
  await timeRun(engine, input);
  // Bodies of consumed mail and delivered results are emptied behind the run.
  await pause(HOUSEKEEPING_MS);
  return (sizeOf(dataDir) - before) / (500 * bytes + input.length);
}

/**
 * Bytes of all files; of a database its used pages, those in its write-ahead log included. Traces are left out: they are
 * bounded by number and age, whatever the runs hold.
 */
function sizeOf(path: string): number {
  const stat = statSync(path);
  if (stat.isDirectory()) return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  if (path.endsWith("-wal") || path.endsWith("-shm") || path.endsWith("lock.db") || path.endsWith("traces.db"))
    return 0;
  if (!path.endsWith(".db")) return stat.size;
  const database = new DatabaseSync(path, { readOnly: true });
  const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
  const bytes = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  database.close();
  return bytes;
}
