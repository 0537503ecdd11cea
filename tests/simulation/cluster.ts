/** The real engine and runner code over the world: workers, runners, a model and clients. */
import { hashParts } from "@mainspring/kernel";
import { BeatWatch, silentLogger, startBeating } from "@mainspring/service-kit";
import type { Seeded } from "@mainspring/testkit";
import type { CallAttempt, CallReport } from "../../services/engine-worker/src/domain/decision.ts";
import { HOLDER_DEFAULTS } from "../../services/engine-worker/src/app/holder-ports.ts";
import { postToolResult } from "../../services/engine-worker/src/app/posts.ts";
import type { PostPorts } from "../../services/engine-worker/src/app/posts.ts";
import { readCall } from "../../services/engine-worker/src/app/read-session.ts";
import { SessionHost } from "../../services/engine-worker/src/app/session-host.ts";
import { startSweeping } from "../../services/engine-worker/src/app/sweeper.ts";
import type { Hints, ToolJob } from "../../services/engine-worker/src/ports/hints.ts";
import type { ToolClient } from "../../services/engine-worker/src/ports/tool-client.ts";
import { CallRunner } from "../../services/tool-runner/src/app/call-runner.ts";
import { cancelCalls, resolveCalls } from "../../services/tool-runner/src/app/call-states.ts";
import type { CallStatesPorts } from "../../services/tool-runner/src/app/call-states.ts";
import { RUNNER_SWEEP_DEFAULTS, startRunnerSweep } from "../../services/tool-runner/src/app/runner-sweep.ts";
import type { Engine } from "../../services/tool-runner/src/ports/engine.ts";
import type { Theme } from "./fault-points.ts";
import type { Judge } from "./judge.ts";
import type { MemoryLedgerRows } from "./memory-ledger.ts";
import { bindLedger } from "./memory-ledger.ts";
import type { MemorySessions } from "./memory-session-store.ts";
import { bindSessions } from "./memory-session-store.ts";
import { SIM_TOOLS, simExecutor, simModels } from "./sim-model-and-tools.ts";
import type { Process, World } from "./world.ts";
import { unavailable } from "./world.ts";

export interface WorkerProcess {
  readonly process: Process;
  readonly host: SessionHost;
  readonly posts: PostPorts;
}
export interface RunnerProcess {
  readonly process: Process;
  readonly runner: CallRunner;
  readonly states: CallStatesPorts;
}

const RPC_TIMEOUT_MS = 5_000;
const TENANT = "acme";

export class Cluster {
  readonly world: World;
  readonly rng: Seeded;
  readonly judge: Judge;
  readonly sessions: MemorySessions;
  readonly ledger: MemoryLedgerRows;
  readonly workers: WorkerProcess[] = [];
  readonly runners: RunnerProcess[] = [];
  /** What a queue is: it lives by itself and forgets nothing unless told to. */
  readonly redis: Process;
  readonly fatals: unknown[] = [];
  theme: Theme = "any";
  #born = 0;

  constructor(world: World, rng: Seeded, judge: Judge) {
    this.world = world;
    this.rng = rng;
    this.judge = judge;
    this.redis = world.spawn("redis", 0);
    this.sessions = judge.sessions;
    this.ledger = judge.ledger;
  }

  live<T extends { readonly process: Process }>(all: readonly T[]): T[] {
    return all.filter((one) => one.process.alive);
  }

  startWorker(skewMs: number): void {
    const { world } = this;
    const name = `wrk_${(this.#born += 1)}`;
    const process = world.spawn(name, skewMs);
    const clock = world.clockOf(process);
    const store = bindSessions(this.sessions, (op, apply) => world.op(process, op, apply));
    const hints = this.#hints(process);
    const watch = new BeatWatch(2_000);
    const onFatal = (error: unknown): void => void this.fatals.push(error);
    const content = { put: async () => "", get: async () => null };
    const models = simModels(this, process);
    const tools = this.#toolClient(process);
    const ports = { clock, random: this.rng, store, hints, models, tools, content, onFatal, watch };
    const settings = {
      ...HOLDER_DEFAULTS,
      sessionsMax: this.theme === "full workers" ? 1 : this.rng.pick([2, 100]),
      snapshotEveryCommits: this.rng.pick([1, 3]),
    };
    const host = new SessionHost(ports, settings, name);
    host.open();
    startBeating(clock, { everyMs: 500 }, (count) => store.writeBeat({ worker: name, count }));
    startSweeping({ clock, store, watch, host }, { sweepEveryMs: 2_000, watchEveryMs: 700, batch: 64 });
    this.workers.push({
      process,
      host,
      posts: { store, hints, clock, random: this.rng, local: host },
    });
  }

  startRunner(skewMs: number): void {
    const { world } = this;
    const name = `tool_${(this.#born += 1)}`;
    const process = world.spawn(name, skewMs);
    const clock = world.clockOf(process);
    const ledger = bindLedger(this.ledger, (op, apply) => world.op(process, op, apply));
    const watch = new BeatWatch(5_000);
    const executor = simExecutor(this, process, name);
    const runner = new CallRunner(
      { clock, random: this.rng, ledger, engine: this.#engineClient(process), executor },
      name,
    );
    startRunnerSweep({ clock, ledger, watch, runner, logger: silentLogger }, RUNNER_SWEEP_DEFAULTS);
    const tellStop: CallStatesPorts["tellStop"] = (to, key) => {
      const target = this.runners.find((one) => one.runner.runner === to);
      if (target !== undefined) this.#message(target.process, "bus.stop", () => void target.runner.stopCall(key));
    };
    this.runners.push({ process, runner, states: { clock, ledger, watch, runner, tellStop } });
  }

  /** A message to one process; it may be lost, late or doubled. */
  #message(to: Process, name: string, deliver: () => void): void {
    this.world.op(to, name, deliver).catch(() => undefined);
    if (this.rng.chance(0.1)) this.world.op(to, name, deliver).catch(() => undefined);
  }

  #hints(process: Process): Hints {
    return {
      wakeWorker: (worker, session, _k, mail) => {
        const target = this.workers.find((one) => one.process.name === worker);
        if (target !== undefined) this.#message(target.process, "bus.wake", () => target.host.wake(session, mail));
      },
      requestActivation: (session) =>
        this.world.op(process, "queue.activations.add", () => {
          this.#message(this.redis, "queue.activations.deliver", () => {
            const workers = this.live(this.workers);
            if (workers.length > 0)
              this.rng
                .pick(workers)
                .host.activate(session)
                .catch((error) => this.fatals.push(error));
          });
        }),
      enqueueTool: (job) =>
        this.world.op(process, "queue.tools.add", () => {
          this.judge.enqueued(job);
          this.#message(this.redis, "queue.tools.deliver", () => this.#deliverTool(job));
        }),
      announceCommit: () => undefined,
      announceDelta: () => undefined,
      forgetDeltas: () => undefined,
    };
  }

  #deliverTool(job: ToolJob): void {
    const runners = this.live(this.runners);
    if (runners.length === 0) return;
    // Some jobs come without their arguments, so that the runner asks for them.
    const { args: _args, ...pointer } = job;
    const sent = this.rng.chance(0.3) ? pointer : job;
    this.rng
      .pick(runners)
      .runner.run(sent)
      .catch((error: unknown) => this.fatals.push(error));
  }

  /** A call between processes: it may not arrive, its target may die or sleep, its reply may be lost. */
  async rpc<P extends { readonly process: Process }, T>(
    from: Process,
    name: string,
    targets: readonly P[],
    handle: (target: P) => Promise<T>,
  ): Promise<T> {
    const target = await this.world.op(from, `rpc.${name}`, () => {
      const live = this.live(targets);
      if (live.length === 0) throw unavailable(name);
      return this.rng.pick(live);
    });
    const timeout = new Promise<never>((_resolve, reject) => {
      this.world.clockOf(from).after(RPC_TIMEOUT_MS, () => reject(unavailable(name)));
    });
    const result = await Promise.race([handle(target), timeout]);
    return this.world.op(from, `rpc.${name}.reply`, () => result);
  }

  #toolClient(process: Process): ToolClient {
    const ask = async (
      name: string,
      session: string,
      calls: readonly CallAttempt[],
      handle: typeof resolveCalls,
    ): Promise<CallReport[]> => {
      const keys = calls.map(({ callId, attempt }) => ({ session, call: callId, attempt }));
      const reports = await this.rpc(process, name, this.runners, (target) => handle(target.states, keys));
      return reports.map(({ key, state, outcome }) => ({
        callId: key.call,
        attempt: key.attempt,
        state,
        result:
          outcome === null
            ? null
            : {
                call_id: key.call,
                attempt: key.attempt,
                outcome: outcome.outcome,
                output: outcome.output,
                output_ref: "",
                output_bytes: 0,
                duration_ms: 0,
                late: false,
              },
      }));
    };
    const never = new AbortController().signal;
    return {
      catalogue: async () => SIM_TOOLS,
      resolve: (session, calls) => ask("resolveCalls", session, calls, resolveCalls),
      cancel: (session, calls) =>
        ask("cancelCalls", session, calls, (states, keys) => cancelCalls(states, keys, TENANT, never)),
    };
  }

  #engineClient(process: Process): Engine {
    return {
      getToolCall: (key) =>
        this.rpc(process, "getToolCall", this.workers, async (target) => {
          const call = await readCall(target.posts.store, key.session, key.call, key.attempt);
          return { name: call?.name ?? "", argumentsJson: call?.arguments ?? "", open: call?.open ?? false };
        }),
      postToolResult: (key, _tenant, outcome, late) =>
        this.rpc(process, "postToolResult", this.workers, async (target) => {
          await postToolResult(target.posts, {
            session: key.session,
            call_id: key.call,
            attempt: key.attempt,
            outcome: outcome.outcome,
            output: outcome.output,
            output_ref: "",
            output_bytes: 0,
            duration_ms: 0,
            late,
            trace: "",
            knownK: this.rng.chance(0.5) ? target.host.knownMail(key.session) : 0,
            knownHolder: this.rng.chance(0.5) ? this.rng.pick(this.workers).process.name : "",
          });
        }),
    };
  }

  /** A fingerprint of everything durable, for telling two runs of one seed apart. */
  fingerprint(): string {
    return hashParts([
      JSON.stringify([...this.sessions.commits.values()]),
      JSON.stringify([...this.ledger.rows.values()]),
    ]);
  }
}
