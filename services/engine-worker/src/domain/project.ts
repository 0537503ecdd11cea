/**
 * `project`: the control state as a fold over the log. The state is changed in place (the caller owns it);
 * a state from a snapshot and the commits after it equals the state from all commits.
 */
import { assert } from "@mainspring/kernel";
import type { EventOf, SessionEvent, UsageCount } from "./events.ts";
import { isKnownType } from "./events.ts";
import type { FunctionCallItem } from "./items.ts";
import type { Commit } from "./records.ts";
import { CALLS_PER_TURN_MAX } from "./run-spec.ts";
import type { RunState, SessionState, ToolCall } from "./state.ts";
import { initialState } from "./state.ts";

export function project(commits: readonly Commit[], from: SessionState = initialState()): SessionState {
  for (const commit of commits) applyCommit(from, commit);
  return from;
}

export function applyCommit(state: SessionState, commit: Commit): void {
  assert(commit.n === state.n + 1, `commit ${commit.n} after ${state.n}`);
  for (const event of commit.events) applyEvent(state, event);
  state.n = commit.n;
  state.epoch = Math.max(state.epoch, commit.epoch);
  state.cursor = Math.max(state.cursor, commit.mailCursor);
}

export function applyEvent(state: SessionState, event: SessionEvent): void {
  if (!isKnownType(event.type)) {
    state.skippedEvents += 1;
    return;
  }
  state.lastAt = event.at;
  if (event.type.startsWith("session.")) applySession(state, event);
  else if (event.type.startsWith("run.")) applyRun(state, event);
  else if (event.type.startsWith("input.")) applyInput(state, event);
  else if (event.type.startsWith("model.")) applyModel(state, event);
  else if (event.type.startsWith("tool.")) applyTool(state, event);
}

function applySession(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "session.created":
      state.created = true;
      state.tenant = event.data.tenant;
      state.agent = event.data.agent;
      state.title = event.data.title;
      break;
    case "session.activated":
      state.epoch = Math.max(state.epoch, event.data.epoch);
      break;
    case "session.quarantined":
      state.quarantined = true;
      break;
    case "session.reopened":
      state.quarantined = false;
      break;
    case "session.deleted":
      state.deleted = true;
      break;
    default:
      break;
  }
}

function applyInput(state: SessionState, event: SessionEvent): void {
  if (event.type === "input.submitted" && event.data.mode === "steer") state.steers.push(event.data.input_id);
  if (event.type === "input.applied" || event.type === "input.void") {
    const id = event.data.input_id;
    state.steers = state.steers.filter((steer) => steer !== id);
  }
}

function applyRun(state: SessionState, event: SessionEvent): void {
  const run = state.run;
  switch (event.type) {
    case "run.queued":
      state.queue.push({
        run: event.run!,
        inputId: event.data.input_id,
        spec: event.data.spec,
        trace: event.data.trace,
      });
      break;
    case "run.started":
      startRun(state, event);
      break;
    case "run.cancelling":
      if (run !== null) {
        run.cancelling = true;
        run.cancelReason = event.data.reason;
        run.retryAt = 0;
      }
      break;
    case "run.cancel_effective":
      if (run !== null) run.cancelEffective = true;
      break;
    case "run.completed":
    case "run.failed":
    case "run.cancelled":
    case "run.exhausted":
      endRun(state, event);
      break;
    default:
      break;
  }
}

function startRun(state: SessionState, event: EventOf<"run.started">): void {
  const index = state.queue.findIndex((queued) => queued.run === event.run);
  assert(index >= 0 && state.run === null, `run.started of a run that is not queued, or while another runs`);
  const queued = state.queue.splice(index, 1)[0]!;
  state.clientCalls = [];
  state.run = {
    run: queued.run,
    inputId: queued.inputId,
    spec: queued.spec,
    trace: event.data.trace,
    startedAt: event.at,
    cancelling: false,
    cancelEffective: false,
    cancelReason: "",
    step: 0,
    lostAttempts: 0,
    lastAttempt: 0,
    model: null,
    retryAt: 0,
    calls: [],
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  };
}

function endRun(state: SessionState, event: SessionEvent): void {
  state.queue = state.queue.filter((queued) => queued.run !== event.run);
  if (state.run?.run === event.run) {
    if (event.type === "run.completed") state.clientCalls = [...event.data.client_calls];
    state.run = null;
  }
  state.lastRun = { run: event.run!, status: event.type.slice("run.".length) };
}

function applyModel(state: SessionState, event: SessionEvent): void {
  const run = state.run;
  if (run === null || run.run !== event.run) return;
  switch (event.type) {
    case "model.requested":
      requestModel(run, event);
      break;
    case "model.completed":
      run.model = null;
      run.lostAttempts = 0;
      run.usage = addUsage(run.usage, event.data.usage);
      run.calls = event.data.items
        .filter((item) => item.type === "function_call")
        .map((item, index) => newCall(run, item, index));
      break;
    case "model.failed":
      run.model = null;
      run.lostAttempts += 1;
      run.retryAt = event.data.retry_at ?? 0;
      break;
    case "model.abandoned":
      run.model = null;
      run.lostAttempts += 1;
      break;
    default:
      break;
  }
}

function requestModel(run: RunState, event: EventOf<"model.requested">): void {
  assert(run.model === null, "a model call is in flight already");
  if (event.step !== run.step) run.lostAttempts = 0;
  run.step = event.step!;
  run.lastAttempt = event.data.attempt;
  run.model = { attempt: event.data.attempt, requestedAt: event.at };
  run.retryAt = 0;
  run.calls = [];
}

function newCall(run: RunState, item: FunctionCallItem, index: number): ToolCall {
  return {
    callId: item.call_id,
    name: item.name,
    arguments: item.arguments,
    argumentsRef: item.arguments_ref ?? "",
    client: index < CALLS_PER_TURN_MAX && run.spec.client_tools.some((tool) => tool.name === item.name),
    status: "requested",
    attempt: 0,
    recovery: "never_retry",
    dispatchedAt: 0,
  };
}

function applyTool(state: SessionState, event: SessionEvent): void {
  if (event.type !== "tool.dispatched" && event.type !== "tool.settled") return;
  const call = state.run?.calls.find((candidate) => candidate.callId === event.data.call_id);
  if (call === undefined || state.run?.run !== event.run) return;
  if (event.type === "tool.dispatched") {
    call.status = "dispatched";
    call.attempt = event.data.attempt;
    call.recovery = event.data.recovery;
    call.dispatchedAt = event.at;
    return;
  }
  call.status = "settled";
  call.arguments = "";
  call.argumentsRef = "";
}

function addUsage(a: UsageCount, b: UsageCount): UsageCount {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  };
}
