/**
 * A distributed deployment of real processes on loopback: a gateway, two engine-workers, a model-router, two
 * tool-runners, two shards of memory and, where they are wanted, two eval-runners, over a Redis and a MongoDB-protocol
 * server of its own. Members can be killed, frozen and started again on their ports.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";
import { ADMIN_KEY, MainspringProcess, untilReady } from "./mainspring-process.ts";
import type { Environment } from "./mainspring-process.ts";
import { startMongo } from "./mongo.ts";
import { processesWith } from "./processes.ts";
import { api } from "./run-reader.ts";
import { startRedis } from "./redis.ts";
import type { TestServer } from "./server-process.ts";

export type MemberName =
  | "gateway"
  | "engine-worker-1"
  | "engine-worker-2"
  | "eval-runner-1"
  | "eval-runner-2"
  | "memory-brain-0"
  | "memory-brain-1"
  | "model-router"
  | "tool-runner-1"
  | "tool-runner-2";

interface Member {
  readonly service: string;
  readonly environment: Environment;
  process: MainspringProcess | null;
}

export interface DeploymentOptions {
  readonly toolsDir?: string;
  readonly environment?: Environment;
  /** Two eval-runners too. */
  readonly evals?: boolean;
}

export class Deployment {
  readonly url: string;
  readonly redis: TestServer;
  readonly mongo: TestServer;
  readonly #members: ReadonlyMap<MemberName, Member>;
  readonly #directory: string;

  private constructor(
    url: string,
    redis: TestServer,
    mongo: TestServer,
    members: Map<MemberName, Member>,
    directory: string,
  ) {
    this.url = url;
    this.redis = redis;
    this.mongo = mongo;
    this.#members = members;
    this.#directory = directory;
  }

  static async start(options: DeploymentOptions = {}): Promise<Deployment> {
    const [redis, mongo] = await Promise.all([startRedis(), startMongo()]);
    const directory = mkdtempSync(join(tmpdir(), "mainspring-deployment-"));
    const address = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
    const [gateway, router] = [await address(), await address()];
    const [engine1, engine2] = [await address(), await address()];
    const [runner1, runner2] = [await address(), await address()];
    const [shard0, shard1] = [await address(), await address()];
    const [eval1, eval2] = [await address(), await address()];
    const shared: Environment = {
      MAINSPRING_REDIS_URL: redis.url,
      MAINSPRING_MONGO_URL: `${mongo.url}/mainspring`,
      MAINSPRING_LOG_LEVEL: "info",
      MAINSPRING_DATA_DIR: join(directory, "data"),
      MAINSPRING_WORKSPACES: join(directory, "workspaces"),
      MAINSPRING_ADMIN_KEY: ADMIN_KEY,
      MAINSPRING_DRAIN_MS: "5000",
      MAINSPRING_ENGINE_WORKER_ADDR: `${engine1},${engine2}`,
      MAINSPRING_EVAL_RUNNER_ADDR: `${eval1},${eval2}`,
      MAINSPRING_GATEWAY_URL: `http://${gateway}`,
      MAINSPRING_MEMORY_BRAIN_ADDR: `${shard0},${shard1}`,
      MAINSPRING_MODEL_ROUTER_ADDR: router,
      MAINSPRING_TOOL_RUNNER_ADDR: `${runner1},${runner2}`,
      ...(options.toolsDir === undefined ? {} : { MAINSPRING_TOOLS_DIR: options.toolsDir }),
      ...options.environment,
    };
    const member = (service: string, own: Environment): Member => ({
      service,
      environment: { ...shared, ...own },
      process: null,
    });
    const shard = (number: string, listen: string): Member =>
      member("memory-brain", {
        MAINSPRING_DATA_DIR: join(directory, `memory-${number}`),
        MAINSPRING_MEMORY_SHARD: number,
        MAINSPRING_MEMORY_BRAIN_LISTEN: listen,
      });
    const members = new Map<MemberName, Member>([
      ["model-router", member("model-router", { MAINSPRING_MODEL_ROUTER_LISTEN: router })],
      ["memory-brain-0", shard("0", shard0)],
      ["memory-brain-1", shard("1", shard1)],
      ["tool-runner-1", member("tool-runner", { MAINSPRING_TOOL_RUNNER_LISTEN: runner1 })],
      ["tool-runner-2", member("tool-runner", { MAINSPRING_TOOL_RUNNER_LISTEN: runner2 })],
      ["engine-worker-1", member("engine-worker", { MAINSPRING_ENGINE_WORKER_LISTEN: engine1 })],
      ["engine-worker-2", member("engine-worker", { MAINSPRING_ENGINE_WORKER_LISTEN: engine2 })],
      ["gateway", member("gateway", { PORT: gateway.split(":")[1]! })],
    ]);
    if (options.evals === true) {
      members.set("eval-runner-1", member("eval-runner", { MAINSPRING_EVAL_RUNNER_LISTEN: eval1 }));
      members.set("eval-runner-2", member("eval-runner", { MAINSPRING_EVAL_RUNNER_LISTEN: eval2 }));
    }
    const deployment = new Deployment(`http://${gateway}`, redis, mongo, members, directory);
    await Promise.all([...members.keys()].map((name) => deployment.startMember(name)));
    await untilReady(deployment.url);
    return deployment;
  }

  /** Where the replicas of a service are found. */
  addressOf(service: "engine-worker" | "model-router" | "tool-runner"): string {
    return this.#members.get("gateway")!.environment[`MAINSPRING_${service.toUpperCase().replace("-", "_")}_ADDR`]!;
  }

  get names(): MemberName[] {
    return [...this.#members.keys()];
  }

  /** Resolves when it serves. */
  async startMember(name: MemberName): Promise<void> {
    const member = this.#members.get(name)!;
    member.process = new MainspringProcess(name, [`services/${member.service}/src/main.ts`], member.environment);
    await member.process.line(new RegExp(`"service":"${member.service}","(?:address|url)":`));
  }

  /** SIGKILL, and started again. */
  async killAndRestart(name: MemberName): Promise<void> {
    await this.process(name).kill("SIGKILL");
    await this.startMember(name);
  }

  /** SIGTERM, waited for, and started again; resolves with its exit code. */
  async restart(name: MemberName): Promise<number | null> {
    const code = await this.process(name).kill("SIGTERM");
    await this.startMember(name);
    return code;
  }

  process(name: MemberName): MainspringProcess {
    return this.#members.get(name)!.process!;
  }

  /** The worker that took this run's session up last, by the session's log and the members' own words. */
  async holderOf(run: string): Promise<"engine-worker-1" | "engine-worker-2"> {
    const { session_id: session } = (await (await api(this.url, `/v1/runs/${run}`)).json()) as { session_id: string };
    const events = await api(this.url, `/v1/sessions/${session}/events?limit=1000`);
    const { data } = (await events.json()) as { data: { type: string; data: { worker?: string } }[] };
    const worker = data.findLast(({ type }) => type === "session.activated")?.data.worker;
    if (worker === undefined) throw new Error(`nobody took up ${run}`);
    const first = this.process("engine-worker-1").lines.some((line) => line.includes(worker));
    return first ? "engine-worker-1" : "engine-worker-2";
  }

  /** The last lines of each member, for a failure's report. */
  logs(): string {
    return this.names.map((name) => `--- ${name}\n${this.process(name).lines.slice(-15).join("\n")}`).join("\n");
  }

  async stop(): Promise<void> {
    await Promise.all(this.names.map(async (name) => this.#members.get(name)!.process?.kill("SIGKILL")));
    // Processes that the members started for single sessions.
    for (const pid of processesWith(`MAINSPRING_WORKSPACES=${join(this.#directory, "workspaces")}`))
      process.kill(pid, "SIGKILL");
    await Promise.all([this.redis.stop(), this.mongo.stop()]);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
