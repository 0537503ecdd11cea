/**
 * The thread of one connection. The writer takes everything that arrived while it was writing, runs it in one SQLite
 * transaction and answers after the commit; it never waits for more to come.
 */
import { hash } from "node:crypto";
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from "node:worker_threads";
import { KipError, type JsonObject } from "@mainspring/kip";
import { SpaceEngine } from "../../app/engine.ts";
import { executeRequest } from "../../app/execute.ts";
import { deadlineAt, DEADLINE_MS_DEFAULT } from "../../app/session.ts";
import { runCall } from "../../app/space/calls.ts";
import { promote } from "../../app/write.ts";
import { standardPackages } from "../../schema/index.ts";
import type { Answer, Job, Reply, ThreadData, Verdict } from "./protocol.ts";
import { embedderOf } from "../embedders/embedder-of.ts";
import { SqliteGraphStore } from "./sqlite-graph-store.ts";

/** Most requests that one commit takes. */
const BATCH_MAX = 256;

/** How long the writer is idle before it indexes what waits. */
const INDEX_IDLE_MS = 25;

const port = parentPort as MessagePort;
const { file, spaceId, role, recorded, embedder } = workerData as ThreadData;
const store = new SqliteGraphStore(file, role !== "writer", embedderOf(embedder));
if (role === "writer") {
  if (!recorded) store.install(standardPackages);
  store.recoverWords();
}

const engine = new SpaceEngine({
  spaceId,
  store,
  digest: (text) => `sha256:${hash("sha256", text)}`,
  clock: monotonic(),
  report: (error) => process.emitWarning(error instanceof Error ? error : String(error), "SpaceError"),
});

/** Commit times never run backwards within a Space. */
function monotonic(): () => number {
  let last = store.lastCommitAt();
  return () => (last = Math.max(last, Date.now()));
}

type Dump = Generator<Uint8Array, void, undefined>;
let dump: Dump | undefined;

/** A dumper gives one frame at a time; a writer, whose connection must not stay in a transaction, all of them. */
function dumped(about: JsonObject | null): Uint8Array[] | undefined {
  if (role === "writer") return [...store.dump(spaceId, about)];
  dump ??= store.dump(spaceId, about);
  const next = dump.next();
  return next.done === true ? undefined : [next.value];
}

function valueOf(job: Exclude<Job, { readonly k: "execute" }>): unknown {
  const { clock } = engine;
  switch (job.k) {
    case "call":
      return runCall(
        { engine, records: store.records, context: job.context, now: clock() },
        job.name,
        job.input as never,
      );
    case "promote": {
      const { authority, caller } = job.context;
      const checkDeadline = deadlineAt(clock, clock() + DEADLINE_MS_DEFAULT);
      return promote(engine, { now: clock(), authority, caller, checkDeadline }, job.kind, job.from, job.to);
    }
    case "load":
      engine.forgetEnvironment();
      return store.load(job.bytes, job.snapshot);
    case "dump":
      return dumped(job.about);
    case "position":
      return store.position();
    case "isEmpty":
      return store.isEmpty();
    case "setPosition":
      store.setPosition(job.at);
      return null;
    case "apply":
      for (const { patch } of job.records) store.apply(patch);
      engine.forgetEnvironment();
      store.setPosition(job.records.at(-1)!);
      return null;
    case "record":
      store.install(standardPackages);
      engine.forgetEnvironment();
      return null;
    case "check":
      return store.check();
    case "flush":
      if (waits()) store.fillVectors();
      return null;
    case "close":
      return null;
  }
}

function run(job: Job): Answer {
  if (job.k === "execute") return { id: job.id, response: executeRequest(engine, job.request, job.context) };
  try {
    return { id: job.id, value: valueOf(job) };
  } catch (error) {
    if (!(error instanceof KipError)) engine.report(error);
    return { id: job.id, error: KipError.from(error).toObject() };
  }
}

/** The first job and those that wait behind it, up to the bound; none when it was told to end. */
function arrived(first: Job): Job[] {
  let jobs = [first];
  while (jobs.length < BATCH_MAX) {
    const message = receiveMessageOnPort(port)?.message as Job | Verdict | undefined;
    if (message === undefined) break;
    if (isJob(message)) jobs.push(message);
    else if (message.k === "cancel") jobs = without(jobs, message.ids);
    else {
      settle(message);
      return [];
    }
  }
  return jobs;
}

const isJob = (message: Job | Verdict): message is Job => "id" in message;
const without = (jobs: readonly Job[], ids: readonly number[]): Job[] => jobs.filter(({ id }) => !ids.includes(id));

interface Batch {
  readonly jobs: readonly Job[];
  readonly answers: readonly Answer[];
  readonly erased: boolean;
}

/** The batch whose record is being written, and what came since. */
let sealed: Batch | undefined;
let queued: Job[] = [];

function failed(jobs: readonly Job[], error: unknown): Answer[] {
  engine.report(error);
  store.rollbackBatch();
  engine.forgetEnvironment();
  // The commit itself failed: whether it reached the disk is not known to the callers.
  const failure = new KipError("OutcomeUnknown", "the commit failed; look the outcome up by its idempotency key");
  return jobs.map((job) => ({ id: job.id, error: failure.toObject() }));
}

/** Runs the jobs. What they changed is committed, or first sealed to be recorded. */
function writeBatch(jobs: readonly Job[]): void {
  // Nothing else may touch the connection while a batch is open, and it stays open until its verdict.
  clearTimeout(idle);
  let answers: Answer[];
  try {
    if (jobs.some((job) => job.k === "record")) startRecording();
    store.beginBatch();
    answers = jobs.map(run);
    const { patch, erased } = store.recording ? store.sealBatch() : NOTHING;
    if (patch.length > 0) {
      sealed = { jobs, answers, erased };
      const record = { patch, erased, jobs: jobs.map(({ id }) => id) };
      reply({ answers: [], unindexed: store.unindexed > 0 || waits(), sealed: record });
      return;
    }
    store.commitBatch();
  } catch (error) {
    answers = failed(jobs, error);
  }
  finish(jobs, answers, false);
}

function startRecording(): void {
  store.recoverWords();
  store.recording = true;
}

const NOTHING = { patch: new Uint8Array(), erased: false };

const reply = (message: Reply): void => port.postMessage(message);

function finish(jobs: readonly Job[], answers: readonly Answer[], erased: boolean): void {
  indexSoon(jobs);
  reply({ answers, unindexed: store.unindexed > 0 || waits(), erased });
  if (jobs.some((job) => job.k === "close")) end();
  else if (queued.length > 0) writeBatch(queued.splice(0, BATCH_MAX));
}

function end(): void {
  store.close();
  port.close();
}

/** The batch that waited is committed, or undone: another holds the Space. */
function settle(verdict: Verdict): void {
  if (verdict.k === "cancel") {
    queued = without(queued, verdict.ids);
    return;
  }
  if (verdict.k === "end") {
    clearTimeout(idle);
    store.rollbackBatch();
    return end();
  }
  const { jobs, answers, erased } = sealed!;
  sealed = undefined;
  if (verdict.k === "lost") {
    store.rollbackBatch();
    engine.forgetEnvironment();
    finish(
      jobs,
      jobs.map(({ id }): Answer => ({ id, refused: true })),
      false,
    );
    return;
  }
  try {
    store.setPosition(verdict.at);
    store.commitBatch();
  } catch (error) {
    // It is in the log, and this copy does not have it: only a new start brings them together.
    engine.report(error);
    throw error;
  }
  finish(jobs, answers, erased);
}

function readJob(job: Job): Answer {
  if (role === "dumper") return run(job);
  try {
    return store.reading(() => run(job));
  } catch (error) {
    engine.report(error);
    return { id: job.id, error: KipError.from(error).toObject() };
  }
}

let idle: NodeJS.Timeout | undefined;

/** Whether vectors are missing, and this copy is where they are made. */
const waits = (): boolean => (!recorded || store.recording) && store.unfilled;

function indexIdle(): void {
  try {
    store.flushWords();
  } catch (error) {
    // They stay what they are, committed and not indexed; the next search or batch tries again.
    engine.report(error);
    store.rollbackBatch();
    return;
  }
  // Nobody waits for this answer. Vectors are content, so they are recorded as everything else.
  if (waits()) writeBatch([{ k: "flush", id: 0 }]);
}

/** Words and vectors wait until somebody searches or nobody has written for a moment. */
function indexSoon(jobs: readonly Job[]): void {
  const closing = jobs.some((job) => job.k === "close");
  if (closing || jobs.some((job) => job.k === "flush")) store.flushWords();
  if (!closing) scheduleIdle();
}

function scheduleIdle(): void {
  clearTimeout(idle);
  if (store.unindexed > 0 || waits()) idle = setTimeout(indexIdle, INDEX_IDLE_MS);
}

port.on("message", (first: Job | Verdict) => {
  if (!isJob(first)) return settle(first);
  if (sealed !== undefined) return void queued.push(first);
  const jobs = arrived(first);
  if (jobs.length === 0) return;
  if (role === "writer") return writeBatch(jobs);
  reply({ answers: jobs.map(readJob), unindexed: false });
  if (jobs.some((job) => job.k === "close")) end();
});
reply({ answers: [{ id: 0, value: null }], unindexed: false });
if (role === "writer") scheduleIdle();
