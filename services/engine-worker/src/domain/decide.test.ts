import { runIdOf } from "@mainspring/kernel";
import { describe, expect, test } from "vitest";

import { decide } from "./decide.ts";
import type { DecideEnv, Decision, Outcome, ToolPolicy } from "./decision.ts";
import type { OutputItem } from "./items.ts";
import { applyCommit, project } from "./project.ts";
import type { Commit, Mail, MailKind } from "./records.ts";
import type { RunSpec } from "./run-spec.ts";
import type { SessionState } from "./state.ts";
import { initialState } from "./state.ts";

const SESSION = `ses_${"0".repeat(32)}`;
const TOOLS = new Map<string, ToolPolicy>([
  ["look", { recovery: "replay_safe", exclusive: false }],
  ["send", { recovery: "never_retry", exclusive: false }],
  ["shell", { recovery: "never_retry", exclusive: true }],
]);
const SPEC: RunSpec = {
  agent: "script",
  model: "m",
  instructions: "",
  tools: ["look", "send", "shell"],
  client_tools: [{ type: "function", name: "mine" }],
  params: {},
  steps_max: 3,
  echo: {},
};

/** A session driven by hand: every decision is committed, and the log is checked against the state. */
class Driven {
  state: SessionState = initialState();
  readonly commits: Commit[] = [];
  now = 1_000;
  #k = 0;

  mail(kind: MailKind, body: unknown): Mail {
    this.#k += 1;
    return { session: SESSION, k: this.#k, postId: `p${this.#k}`, kind, digest: "", body, at: this.now, trace: "" };
  }

  step(mail: readonly Mail[], outcomes: readonly Outcome[] = []): Decision {
    const env: DecideEnv = {
      now: this.now,
      worker: "w",
      epoch: 1,
      birth: { tenant: "t", agent: "script", title: "" },
      tools: TOOLS,
      partial: { items: [], chunks: [] },
    };
    const decision = decide(this.state, { mail, outcomes }, env);
    const commit = {
      session: SESSION,
      n: this.state.n + 1,
      commitId: "c",
      epoch: 1,
      worker: "w",
      at: this.now,
      trace: "",
    };
    const whole: Commit = { ...commit, events: decision.events, mailCursor: decision.mailCursor };
    applyCommit(this.state, { ...whole, events: [] });
    this.commits.push(structuredClone(whole));
    expect(project(structuredClone(this.commits))).toEqual(this.state);
    return decision;
  }

  start(id = "a", spec: Partial<RunSpec> = {}): Decision {
    return this.step([this.input("input", id, spec)], this.commits.length === 0 ? [ACTIVATED] : []);
  }

  input(kind: "input" | "steer", id: string, spec: Partial<RunSpec> = {}): Mail {
    const items = [{ type: "message" as const, role: "user" as const, text: id }];
    const run = runIdOf(SESSION, id);
    return this.mail(kind, { input_id: id, client_run_id: id, run, items, spec: { ...SPEC, ...spec } });
  }

  answer(...names: string[]): Decision {
    const run = this.state.run!;
    const items: OutputItem[] = names.map((name, index) => ({
      type: "function_call",
      call_id: `${run.step}:${name}:${index}`,
      name,
      arguments: "{}",
    }));
    const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0 };
    const { attempt } = run.model!;
    return this.step(
      [],
      [{ kind: "model_completed", step: run.step, attempt, items, usage, finish: "stop", servedBy: "m", chunks: [] }],
    );
  }

  result(callId: string, attempt = 1, late = false): Mail {
    const result = { call_id: callId, attempt, outcome: "completed", output: `of ${callId}`, output_ref: "" };
    return this.mail("tool_result", { ...result, output_bytes: 0, duration_ms: 1, late });
  }
}

const ACTIVATED: Outcome = { kind: "activated", takeover: false, partial: { items: [], chunks: [] } };
const types = (decision: Decision): string[] => decision.events.map((event) => event.type);
const effects = (decision: Decision): string[] => decision.effects.map((effect) => effect.type);

describe("a run", () => {
  test("begins with one commit that carries its activation, its input and its first model request", () => {
    const session = new Driven();
    const decision = session.start();
    expect(types(decision)).toEqual([
      "session.created",
      "session.activated",
      "input.submitted",
      "run.queued",
      "run.started",
      "input.applied",
      "model.requested",
    ]);
    expect(decision.effects).toEqual([{ type: "call_model", run: runIdOf(SESSION, "a"), step: 1, attempt: 1 }]);
  });

  test("dispatches the calls of a turn with the completion, and asks the model again with the last result", () => {
    const session = new Driven();
    session.start();
    expect(types(session.answer("look", "send"))).toEqual(["model.completed", "tool.dispatched", "tool.dispatched"]);
    expect(types(session.step([session.result("1:send:1")]))).toEqual(["tool.settled"]);
    const last = session.step([session.result("1:look:0")]);
    expect(types(last)).toEqual(["tool.settled", "model.requested"]);
    expect(effects(last)).toEqual(["call_model"]);
    expect(types(session.answer())).toEqual(["model.completed", "run.completed"]);
  });

  test("runs an exclusive tool alone, after the others", () => {
    const session = new Driven();
    session.start();
    const first = session.answer("shell", "look", "shell");
    expect(first.effects).toMatchObject([{ callId: "1:look:1" }]);
    expect(session.step([session.result("1:look:1")]).effects).toMatchObject([{ callId: "1:shell:0" }]);
    expect(session.step([session.result("1:shell:0")]).effects).toMatchObject([{ callId: "1:shell:2" }]);
  });

  test("answers an unknown tool at once with the names that there are", () => {
    const session = new Driven();
    session.start();
    const decision = session.answer("nonsense");
    expect(types(decision)).toEqual(["model.completed", "tool.settled", "model.requested"]);
    expect(decision.events[1]!.data).toMatchObject({
      outcome: "failed",
      output: expect.stringContaining("look, send, shell"),
    });
  });

  test("ends with the caller's own functions as its output", () => {
    const session = new Driven();
    session.start();
    session.answer("mine", "look");
    const decision = session.step([session.result("1:look:1")]);
    expect(types(decision)).toEqual(["tool.settled", "run.completed"]);
    expect(decision.events[1]!.data).toEqual({ finish: "tool_calls", client_calls: ["1:mine:0"] });
  });

  test("is exhausted after its last allowed step", () => {
    const session = new Driven();
    session.start("a", { steps_max: 1 });
    session.answer("look");
    expect(types(session.step([session.result("1:look:0")]))).toEqual(["tool.settled", "run.exhausted"]);
  });

  test("waits for the run before it, in order", () => {
    const session = new Driven();
    session.start("a");
    expect(types(session.start("b"))).toEqual(["input.submitted", "run.queued"]);
    expect(types(session.answer())).toEqual([
      "model.completed",
      "run.completed",
      "run.started",
      "input.applied",
      "model.requested",
    ]);
  });
});

describe("limits", () => {
  test("a turn with more calls than a commit can settle is settled over several", () => {
    const session = new Driven();
    session.start();
    const first = session.answer(...Array.from({ length: 1_500 }, () => "look"));
    expect(first.events.length).toBeLessThan(1_000);
    let more = first.more;
    for (let turn = 0; more && turn < 10; turn += 1) more = session.step([]).more;
    const calls = session.state.run!.calls;
    expect(calls.filter((call) => call.status === "dispatched")).toHaveLength(64);
    expect(calls.filter((call) => call.status === "settled")).toHaveLength(1_436);
  });

  test("a turn beyond any measure fails the run", () => {
    const session = new Driven();
    session.start();
    const decision = session.answer(...Array.from({ length: 5_000 }, () => "look"));
    expect(types(decision)).toEqual(["model.failed", "run.failed"]);
  });

  test("a run that finds the queue full is told how it ended", () => {
    const session = new Driven();
    session.start("first");
    for (let index = 0; index < 64; index += 1) session.start(`waiting-${index}`);
    const decision = session.start("one too many");
    expect(types(decision)).toEqual(["input.void", "run.queued", "run.failed"]);
    expect(decision.events.at(-1)!.data).toMatchObject({ code: "resource_exhausted" });
    expect(session.state.queue).toHaveLength(64);
  });
});

describe("steering", () => {
  test("joins the next step and never splits a call from its result", () => {
    const session = new Driven();
    session.start();
    session.answer("look");
    expect(types(session.step([session.input("steer", "s")]))).toEqual(["input.submitted"]);
    expect(types(session.step([session.result("1:look:0")]))).toEqual([
      "tool.settled",
      "input.applied",
      "model.requested",
    ]);
  });

  test("that comes before the last answer keeps the run going", () => {
    const session = new Driven();
    session.start();
    session.step([session.input("steer", "s")]);
    expect(types(session.answer())).toEqual(["model.completed", "input.applied", "model.requested"]);
  });

  test("without a run starts one", () => {
    const session = new Driven();
    session.start();
    session.answer();
    expect(types(session.step([session.input("steer", "s")]))).toContain("run.started");
  });
});

describe("a cancel", () => {
  test("stops the model, starts nothing more, and ends the run", () => {
    const session = new Driven();
    session.start();
    const decision = session.step([session.mail("cancel", { run: runIdOf(SESSION, "a"), reason: "enough" })]);
    expect(types(decision)).toEqual(["run.cancelling", "model.abandoned", "run.cancel_effective", "run.cancelled"]);
    expect(effects(decision)).toEqual(["abort_model"]);
  });

  test("waits for what runs, and settles at once what does not", () => {
    const session = new Driven();
    session.start();
    session.answer("look", "shell");
    const decision = session.step([session.mail("cancel", { run: runIdOf(SESSION, "a"), reason: "enough" })]);
    expect(types(decision)).toEqual(["run.cancelling", "tool.settled"]);
    expect(decision.effects).toEqual([{ type: "cancel_calls", calls: [{ callId: "1:look:0", attempt: 1 }] }]);
    const started = { callId: "1:look:0", attempt: 1, state: "started", result: null } as const;
    expect(types(session.step([], [{ kind: "calls_reported", reports: [started] }]))).toEqual(["run.cancel_effective"]);
    expect(types(session.step([session.result("1:look:0")]))).toEqual(["tool.settled", "run.cancelled"]);
  });

  test("of a queued run ends it without a start", () => {
    const session = new Driven();
    session.start("a");
    session.start("b");
    const decision = session.step([session.mail("cancel", { run: runIdOf(SESSION, "b"), reason: "no" })]);
    expect(types(decision)).toEqual(["input.void", "run.cancelled"]);
  });

  test("that comes too late is told so", () => {
    const session = new Driven();
    session.start();
    session.answer();
    const decision = session.step([session.mail("cancel", { run: runIdOf(SESSION, "a"), reason: "no" })]);
    expect(decision.events[0]!.data).toMatchObject({ reason: "run_ended" });
  });
});

describe("a lost call", () => {
  const lost = (callId: string, attempt: number): Outcome => ({
    kind: "calls_reported",
    reports: [{ callId, attempt, state: "lost", result: null }],
  });

  test("runs again when its tool allows it, and the late outcome of the first try is only shown", () => {
    const session = new Driven();
    session.start();
    session.answer("look");
    expect(session.step([], [lost("1:look:0", 1)]).effects).toMatchObject([{ type: "enqueue_tool", attempt: 2 }]);
    expect(types(session.step([session.result("1:look:0", 1, true)]))).toEqual(["tool.late_outcome"]);
    expect(types(session.step([session.result("1:look:0", 2)]))).toEqual(["tool.settled", "model.requested"]);
  });

  test("is unknown when its tool must not be repeated, and the model is told", () => {
    const session = new Driven();
    session.start();
    session.answer("send");
    const decision = session.step([], [lost("1:send:0", 1)]);
    expect(decision.events[0]!.data).toMatchObject({
      outcome: "unknown",
      output: expect.stringContaining("may have taken effect"),
    });
    expect(effects(decision)).toEqual(["call_model"]);
  });

  test("that the ledger never saw is enqueued again, whatever its mode", () => {
    const session = new Driven();
    session.start();
    session.answer("send");
    const report = { callId: "1:send:0", attempt: 1, state: "absent", result: null } as const;
    const decision = session.step([], [{ kind: "calls_reported", reports: [report] }]);
    expect(decision.events).toEqual([]);
    expect(effects(decision)).toEqual(["enqueue_tool"]);
  });
});

describe("a model call", () => {
  test("that was in flight with a worker that died is closed and begun anew", () => {
    const session = new Driven();
    session.start();
    const decision = session.step([], [{ ...ACTIVATED, takeover: true } as Outcome]);
    expect(types(decision)).toEqual(["session.activated", "model.abandoned", "model.requested"]);
    expect(session.state.run!.model!.attempt).toBe(2);
  });

  test("that failed for a while is tried again later, and fails the run when it will not pass", () => {
    const session = new Driven();
    session.start();
    const failed = (retryable: boolean, attempt: number): Outcome => ({
      kind: "model_failed",
      step: 1,
      attempt,
      code: "unavailable",
      message: "busy",
      retryable,
      partial: { items: [], chunks: [] },
    });
    expect(types(session.step([], [failed(true, 1)]))).toEqual(["model.failed"]);
    expect(types(session.step([]))).toEqual([]);
    session.now += 1_000;
    expect(types(session.step([]))).toEqual(["model.requested"]);
    expect(types(session.step([], [failed(false, 2)]))).toEqual(["model.failed", "run.failed"]);
  });

  test("of an attempt that is no longer current says nothing", () => {
    const session = new Driven();
    session.start();
    session.step([], [{ ...ACTIVATED, takeover: true } as Outcome]);
    const usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
    const stale: Outcome = {
      kind: "model_completed",
      step: 1,
      attempt: 1,
      items: [],
      usage,
      finish: "stop",
      servedBy: "",
      chunks: [],
    };
    expect(session.step([], [stale]).events).toEqual([]);
  });
});
