/**
 * The floor of one round, with nothing around it: two commits, ledger start and settle, one post, one head update, one
 * job added and taken, one publish, one streamed call. The same adapters and servers as the loop that is measured.
 */
import { serve, serveGrpc, connectGrpc, InProcessServer, modelRouterContract } from "@mainspring/contracts";
import type { ModelRouterClient, ModelRouterHandlers } from "@mainspring/contracts";
import { newId, systemRandom } from "@mainspring/kernel";
import type { OpenedPlatform } from "@mainspring/service-kit";

import { MongoSessionStore } from "../../../services/engine-worker/src/adapters/mongo-session-store.ts";
import { openSqliteSessionStore } from "../../../services/engine-worker/src/adapters/sqlite-session-store.ts";
import { newHead } from "../../../services/engine-worker/src/app/posts.ts";
import type { Commit, Mail } from "../../../services/engine-worker/src/domain/records.ts";
import type { SessionStore } from "../../../services/engine-worker/src/ports/session-store.ts";
import { NEVER_MS } from "../../../services/engine-worker/src/ports/session-store.ts";
import { MongoEffectLedger } from "../../../services/tool-runner/src/adapters/mongo-effect-ledger.ts";
import { openSqliteEffectLedger } from "../../../services/tool-runner/src/adapters/sqlite-effect-ledger.ts";
import type { EffectLedger, LedgerRow } from "../../../services/tool-runner/src/ports/effect-ledger.ts";
import { median } from "../statistics.ts";

interface Parts {
  readonly platform: OpenedPlatform;
  readonly sessions: SessionStore;
  readonly ledger: EffectLedger;
  readonly router: ModelRouterClient;
  readonly close: () => Promise<void>;
}

/** Median milliseconds of `rounds` rounds, once per repetition. */
export async function measureFloor(platform: OpenedPlatform, repetitions: number, rounds: number): Promise<number[]> {
  const parts = await open(platform);
  const medians: number[] = [];
  await repeat(parts, rounds);
  for (let repetition = 0; repetition < repetitions; repetition += 1) medians.push(median(await repeat(parts, rounds)));
  await parts.close();
  return medians;
}

async function open(platform: OpenedPlatform): Promise<Parts> {
  const { stores } = platform;
  const embedded = stores.kind === "sqlite";
  const sessions = embedded
    ? await openSqliteSessionStore(stores.thread)
    : new MongoSessionStore(stores.connection, stores.beats);
  const ledger = embedded
    ? await openSqliteEffectLedger(stores.thread)
    : new MongoEffectLedger(stores.connection, stores.beats);
  const echo: ModelRouterHandlers = {
    ListModels: async () => ({ models: [] }),
    async *Converse(requests) {
      for await (const request of requests)
        yield { attempt: request.generate?.attempt ?? 0, completed: { items_json: "[]" } };
    },
  };
  const registration = serve(modelRouterContract, echo);
  if (embedded) {
    const server = new InProcessServer([registration]);
    return { platform, sessions, ledger, router: server.connect(modelRouterContract), close: () => server.drain(0) };
  }
  const server = await serveGrpc([registration], { listen: "127.0.0.1:0" });
  const router = connectGrpc(modelRouterContract, server.address);
  const close = async (): Promise<void> => {
    router.close();
    await server.drain(0);
  };
  return { platform, sessions, ledger, router, close };
}

async function repeat({ platform, sessions, ledger, router }: Parts, rounds: number): Promise<number[]> {
  const session = newId("ses", Date.now(), systemRandom);
  const ports = { store: sessions, hints: null as never, clock: platform.clock, random: systemRandom };
  await sessions.insertHead(newHead(ports, session, "t", "script", ""));
  const queue = `floor-${session}`;
  let taken: () => void = () => undefined;
  const consumer = platform.queue.consume(queue, { concurrency: 1 }, async () => taken());
  let heard: () => void = () => undefined;
  const leave = await platform.bus.subscribe(session, () => heard());
  const call = router.Converse();
  const answers = call.responses[Symbol.asyncIterator]();
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const started = performance.now();
    await sessions.insertCommit(commit(session, 2 * round - 1));
    const job = new Promise<void>((resolve) => (taken = resolve));
    await platform.queue.add(queue, { session, call: `call_${round}`, attempt: 1 });
    await job;
    const row = ledgerRow(session, round);
    await ledger.insert(row);
    await ledger.settle(row, row.runner, OUTCOME, 1);
    await sessions.insertMail(mail(session, round));
    await sessions.bumpHead(session, { wakeAt: NEVER_MS, mailHint: round, updatedAt: 1 });
    const wake = new Promise<void>((resolve) => (heard = resolve));
    platform.bus.publish(session, "{}");
    await wake;
    await sessions.insertCommit(commit(session, 2 * round));
    await call.send({ generate: { attempt: round } });
    await answers.next();
    times.push(performance.now() - started);
  }
  call.end();
  leave();
  await consumer.close();
  return times;
}

const OUTCOME = { outcome: "completed", output: "ok", artifact: "", outputBytes: 2, durationMs: 0 } as const;

function commit(session: string, n: number): Commit {
  const data = { call_id: "call", attempt: 1, name: "noop", recovery: "replay_safe" as const };
  const event = {
    seq: n * 1000,
    type: "tool.dispatched" as const,
    at: 1,
    run: "run",
    step: n,
    origin: "engine" as const,
    data,
  };
  const rest = { epoch: 1, worker: "w", mailCursor: n, at: 1, trace: "" };
  return { session, n, commitId: newId("cmt", Date.now(), systemRandom), events: [event, event], ...rest };
}

function mail(session: string, k: number): Mail {
  return { session, k, postId: `tool/${k}`, kind: "tool_result", digest: "", body: OUTCOME, at: 1, trace: "" };
}

function ledgerRow(session: string, round: number): LedgerRow {
  const key = { session, call: `call_${round}`, attempt: 1 };
  const rest = { tool: "noop", stopRequested: false, outcome: null, lateOutcome: null, startedAt: 1, settledAt: 0 };
  return { ...key, state: "started", runner: "r", claimId: "c", tenant: "t", trace: "", ...rest };
}
