/**
 * The invariants of the session log, looked at with every step. It sees what reaches the stores and what the outside
 * world sees; it never asks the code under test.
 */
import { isDeepStrictEqual } from "node:util";
import type { SessionEvent, ToolOutcome } from "../../services/engine-worker/src/domain/events.ts";
import { TERMINAL_TYPES } from "../../services/engine-worker/src/domain/events.ts";
import type { TranscriptItem } from "../../services/engine-worker/src/domain/items.ts";
import { project } from "../../services/engine-worker/src/domain/project.ts";
import type { Commit, Mail } from "../../services/engine-worker/src/domain/records.ts";
import type { SessionState } from "../../services/engine-worker/src/domain/state.ts";
import type { ToolJob } from "../../services/engine-worker/src/ports/hints.ts";
import type { Head, HeadPatch, Snapshot } from "../../services/engine-worker/src/ports/session-store.ts";
import { NEVER_MS } from "../../services/engine-worker/src/ports/session-store.ts";
import type { CallKey, CallOutcome, LedgerRow } from "../../services/tool-runner/src/ports/effect-ledger.ts";
import type { ToolCallRequest } from "../../services/tool-runner/src/ports/tool-executor.ts";
import { ledgerId, MemoryLedgerRows } from "./memory-ledger.ts";
import { MemorySessions } from "./memory-session-store.ts";

interface RunView {
  terminal: string | null;
  cancelling: boolean;
  effective: boolean;
  /** step/attempt of the model call that the log says is in flight. */
  model: string | null;
}

interface CallView {
  readonly run: string;
  attempt: number;
  recovery: string;
  settled: ToolOutcome | null;
  output: string;
}

export class Judge {
  readonly violations: string[] = [];
  readonly sessions: MemorySessions;
  readonly ledger: MemoryLedgerRows;
  /** Acknowledged posts: session/postId. */
  readonly acknowledged = new Set<string>();
  /** After the faults have stopped. */
  calm = false;
  readonly #tips = new Map<string, Commit>();
  readonly #runs = new Map<string, RunView>();
  readonly #calls = new Map<string, CallView>();
  readonly #disposed = new Map<string, number>();
  readonly #effects = new Map<string, number>();
  readonly #keys = new Map<string, string>();
  readonly #outcomes = new Map<string, string>();

  constructor() {
    this.sessions = new JudgedSessions(this);
    this.ledger = new JudgedLedger(this);
  }

  fail(text: string): void {
    if (this.violations.length < 20) this.violations.push(text);
  }

  committed(commit: Commit): void {
    const { session, n } = commit;
    const tip = this.#tips.get(session);
    if (n !== (tip?.n ?? 0) + 1) this.fail(`${session}: commit ${n} after ${tip?.n ?? 0}`);
    if (tip !== undefined && commit.epoch < tip.epoch)
      this.fail(`${session}/${n}: epoch ${commit.epoch} after ${tip.epoch}`);
    this.#tips.set(session, commit);
    for (const event of commit.events) this.#event(session, event);
    this.#cursor(commit, tip?.mailCursor ?? 0);
  }

  /** The commit disposes of exactly the mail between the cursor before and its own. */
  #cursor(commit: Commit, before: number): void {
    const disposed = commit.events.flatMap((event) => ("mail" in event.data ? [event.data.mail as number] : []));
    const expected = Array.from({ length: commit.mailCursor - before }, (_, index) => before + 1 + index);
    if (
      !isDeepStrictEqual(
        disposed.sort((a, b) => a - b),
        expected,
      )
    ) {
      this.fail(
        `${commit.session}/${commit.n}: cursor ${before} to ${commit.mailCursor} but disposed of [${disposed.join()}]`,
      );
    }
    for (const k of disposed) {
      const id = `${commit.session}/m/${k}`;
      this.#disposed.set(id, (this.#disposed.get(id) ?? 0) + 1);
      if (this.#disposed.get(id)! > 1) this.fail(`${id}: disposed of twice`);
      if (!this.sessions.mail.has(id)) this.fail(`${id}: disposed of but never posted`);
    }
  }

  #event(session: string, event: SessionEvent): void {
    if (event.run === undefined) return;
    const view = this.#runs.get(event.run) ?? { terminal: null, cancelling: false, effective: false, model: null };
    this.#runs.set(event.run, view);
    const late = event.type === "tool.late_outcome" || event.type === "input.void";
    if (view.terminal !== null && !late) this.fail(`${event.run}: ${event.type} after ${view.terminal}`);
    if (TERMINAL_TYPES.has(event.type)) view.terminal = event.type;
    switch (event.type) {
      case "run.cancelling":
        view.cancelling = true;
        break;
      case "run.cancel_effective":
        view.effective = true;
        break;
      case "model.requested":
        if (view.cancelling) this.fail(`${event.run}: model requested after cancel`);
        if (view.model !== null) this.fail(`${event.run}: two model calls in flight`);
        this.#turnIsAnswered(event.run);
        view.model = `${event.step}/${event.data.attempt}`;
        break;
      case "model.completed":
        if (view.model !== `${event.step}/${event.data.attempt}`)
          this.fail(`${event.run}: completion of ${event.step}/${event.data.attempt}, in flight ${view.model}`);
        view.model = null;
        for (const item of event.data.items) {
          if (item.type !== "function_call") continue;
          if (this.#calls.has(item.call_id)) this.fail(`${item.call_id}: requested twice`);
          this.#calls.set(item.call_id, { run: event.run, attempt: 0, recovery: "", settled: null, output: "" });
        }
        break;
      case "model.failed":
      case "model.abandoned":
        view.model = null;
        break;
      case "tool.dispatched":
        this.#dispatched(event.run, view, event.data);
        break;
      case "tool.settled":
        this.#settled(session, event.data);
        break;
      default:
        break;
    }
  }

  #turnIsAnswered(run: string): void {
    for (const [id, call] of this.#calls) {
      if (call.run === run && call.settled === null) this.fail(`${id}: no result before the next model call`);
    }
  }

  #dispatched(run: string, view: RunView, data: { call_id: string; attempt: number; recovery: string }): void {
    const call = this.#calls.get(data.call_id);
    if (view.cancelling) this.fail(`${run}: dispatched after cancel`);
    if (call === undefined || call.settled !== null) return this.fail(`${data.call_id}: dispatched but not open`);
    if (data.attempt !== call.attempt + 1) this.fail(`${data.call_id}: attempt ${data.attempt} after ${call.attempt}`);
    if (call.attempt > 0 && call.recovery === "never_retry")
      this.fail(`${data.call_id}: a never_retry call was dispatched again`);
    call.attempt = data.attempt;
    call.recovery = data.recovery;
  }

  #settled(session: string, data: { call_id: string; attempt: number; outcome: ToolOutcome; output: string }): void {
    const call = this.#calls.get(data.call_id);
    if (call === undefined) return this.fail(`${data.call_id}: settled but never requested`);
    if (call.settled !== null) this.fail(`${data.call_id}: settled twice`);
    if (data.attempt !== call.attempt)
      this.fail(`${data.call_id}: result of attempt ${data.attempt}, current ${call.attempt}`);
    if (data.outcome === "cancelled" && call.attempt > 0) {
      // Only the ledger can say so: by a tombstone, or by what its runner settled.
      const row = this.ledger.rows.get(ledgerId({ session, call: data.call_id, attempt: data.attempt }));
      if (row?.state !== "cancelled" && row?.outcome?.outcome !== "cancelled") {
        this.fail(`${data.call_id}: cancelled without a tombstone`);
      }
    }
    const kept = this.#outcomes.get(ledgerId({ session, call: data.call_id, attempt: data.attempt }));
    if (data.outcome === "completed" && kept !== data.output) {
      this.fail(`${data.call_id}: settled with ${data.output}, its attempt came to ${kept}`);
    }
    call.settled = data.outcome;
    call.output = data.output;
  }

  /** A job is an effect: it may not leave before its dispatch is committed. */
  enqueued(job: ToolJob): void {
    const call = this.#calls.get(job.call);
    if (call === undefined || call.attempt < job.attempt)
      this.fail(`${job.call}: job of attempt ${job.attempt} before its commit`);
  }

  /** The model is shown only what is committed, and only when its request is. */
  modelStarted(requestId: string, items: readonly TranscriptItem[]): void {
    const [run, step, attempt] = requestId.split("/") as [string, string, string];
    const view = this.#runs.get(run);
    if (view === undefined) return this.fail(`${run}: model called for a run that the log does not know`);
    // An attempt that lost its session meanwhile costs a model call and is harmless; one never committed is not.
    const known = this.#requested(run, Number(step), Number(attempt));
    if (!known) this.fail(`${requestId}: model called before its request is committed`);
    for (const item of items) {
      if (item.type !== "function_call_output") continue;
      const call = this.#calls.get(item.call_id);
      if (call === undefined || call.settled === null || call.output !== item.output)
        this.fail(
          `${item.call_id}: the model sees ${JSON.stringify(item.output)}, committed is ${JSON.stringify(call)} in ${requestId}`,
        );
    }
  }

  #requested(run: string, step: number, attempt: number): boolean {
    for (const commit of this.sessions.commits.values()) {
      const found = commit.events.some(
        (event) =>
          event.type === "model.requested" &&
          event.run === run &&
          event.step === step &&
          event.data.attempt === attempt,
      );
      if (found) return true;
    }
    return false;
  }

  claimed(row: LedgerRow): void {
    const call = this.#calls.get(row.call);
    if (row.state !== "started") return;
    if (call === undefined || call.attempt < row.attempt)
      return this.fail(`${ledgerId(row)}: started before its dispatch is committed`);
    const run = this.#runs.get(call.run)!;
    if (run.effective || run.terminal === "run.cancelled")
      this.fail(`${ledgerId(row)}: started after the cancel was effective`);
  }

  ledgerSettled(key: CallKey, outcome: CallOutcome): void {
    this.#outcomes.set(ledgerId(key), outcome.output);
  }

  effect(request: ToolCallRequest, runner: string): void {
    const id = ledgerId(request);
    const count = (this.#effects.get(id) ?? 0) + 1;
    this.#effects.set(id, count);
    if (count > 1) this.fail(`${id}: its effect happened ${count} times`);
    const row = this.ledger.rows.get(id);
    if (row === undefined || row.runner !== runner) this.fail(`${id}: effect without a claim of its runner`);
    const key = this.#keys.get(request.call) ?? request.idempotencyKey;
    if (key !== request.idempotencyKey) this.fail(`${request.call}: the idempotency key changed`);
    this.#keys.set(request.call, key);
    if (request.attempt > 1 && (request.tool === "send" || request.tool === "move"))
      this.fail(`${id}: a never_retry effect again`);
  }

  mailed(mail: Mail): void {
    if (mail.kind !== "tool_result") return;
    const body = mail.body as { call_id: string; attempt: number; late: boolean; output: string };
    const row = this.ledger.rows.get(ledgerId({ session: mail.session, call: body.call_id, attempt: body.attempt }));
    const kept = body.late ? row?.lateOutcome : row?.outcome;
    if (kept === null || kept === undefined)
      this.fail(`${body.call_id}/${body.attempt}: its result was posted before it was settled`);
  }

  parked(head: Head): void {
    const state = this.#projected(head.session);
    if (state.run !== null && head.wakeAt === NEVER_MS) this.fail(`${head.session}: parked with a run and no timer`);
  }

  snapshotted(snapshot: Snapshot): void {
    const state = this.#projected(snapshot.session, snapshot.n);
    const kept: unknown = JSON.parse(snapshot.state);
    if (!isDeepStrictEqual(kept, JSON.parse(JSON.stringify(state))))
      this.fail(`${snapshot.session}: snapshot at ${snapshot.n} differs from the log`);
  }

  #projected(session: string, throughN = Infinity): SessionState {
    const commits: Commit[] = [];
    for (let n = 1; n <= throughN; n += 1) {
      const commit = this.sessions.commits.get(`${session}/${n}`);
      if (commit === undefined) break;
      commits.push(structuredClone(commit));
    }
    return project(commits);
  }

  /** Whether everything that was asked for has come to its end. */
  get finished(): boolean {
    const runsDone = [...this.#runs.values()].every((run) => run.terminal !== null);
    const mailDone = [...this.sessions.mail.keys()].every((id) => this.#disposed.has(id));
    return runsDone && mailDone;
  }

  /** Once nothing happens any more. */
  conclude(): void {
    for (const [run, view] of this.#runs) if (view.terminal === null) this.fail(`${run}: never ended`);
    for (const id of this.acknowledged) {
      const mail = this.sessions.posts.get(id);
      if (mail === undefined) this.fail(`${id}: acknowledged but not stored`);
      else if (!this.#disposed.has(`${mail.session}/m/${mail.k}`))
        this.fail(`${id}: acknowledged but never disposed of`);
    }
    for (const [id, call] of this.#calls) if (call.settled === null) this.fail(`${id}: has no result`);
  }
}

class JudgedSessions extends MemorySessions {
  readonly #judge: Judge;
  constructor(judge: Judge) {
    super();
    this.#judge = judge;
  }
  override insertCommit(commit: Commit): "inserted" | "duplicate" {
    const result = super.insertCommit(commit);
    if (result === "inserted") this.#judge.committed(structuredClone(commit));
    return result;
  }
  override insertMail(mail: Mail): "inserted" | "duplicate_post" | "duplicate_number" {
    const result = super.insertMail(mail);
    if (result === "inserted") this.#judge.mailed(mail);
    return result;
  }
  override casHead(session: string, expectedGen: number, patch: HeadPatch): boolean {
    const done = super.casHead(session, expectedGen, patch);
    if (done && patch.hold === null && patch.status !== "quarantined") this.#judge.parked(this.heads.get(session)!);
    return done;
  }
  override putSnapshot(snapshot: Snapshot): void {
    this.#judge.snapshotted(snapshot);
    super.putSnapshot(snapshot);
  }
}

class JudgedLedger extends MemoryLedgerRows {
  readonly #judge: Judge;
  constructor(judge: Judge) {
    super();
    this.#judge = judge;
  }
  override insert(row: LedgerRow): "inserted" | "duplicate" {
    const result = super.insert(row);
    if (result === "inserted") this.#judge.claimed(row);
    return result;
  }
  override settle(key: CallKey, runner: string, outcome: CallOutcome, settledAt: number): boolean {
    const done = super.settle(key, runner, outcome, settledAt);
    if (done) this.#judge.ledgerSettled(key, outcome);
    return done;
  }
}
