/** Moves the session as far as it goes without waiting for anybody. */
import { assert } from "@mainspring/kernel";
import { dispatch, settle } from "./dispatch-calls.ts";
import type { Draft } from "./decision.ts";
import { ABANDONED_ATTEMPTS_MAX, CALLS_PER_TURN_MAX } from "./run-spec.ts";
import type { RunState, ToolCall } from "./state.ts";

/** Each turn of the loop emits an event or stops, and a commit has few: this only catches a loop of our own making. */
const TURNS_MAX = 1000;

/** True when the commit is full and there may be more to decide. */
export function advance(draft: Draft): boolean {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    if (!advanceOnce(draft)) return false;
    if (draft.isFull) return true;
  }
  assert(false, "advance does not come to rest");
}

/** True when something was decided and there may be more. */
function advanceOnce(draft: Draft): boolean {
  const { state } = draft;
  const run = state.run;
  if (run === null) return startNext(draft);
  if (draft.failure !== null) return fail(draft, draft.failure.code, draft.failure.message);
  if (run.cancelling) return finishCancel(draft, run);
  if (run.model !== null || run.retryAt > draft.env.now) return false;
  if (run.calls.length > 0) return advanceCalls(draft, run);
  if (run.step === 0) return requestModel(draft, run, 1);
  if (run.lostAttempts >= ABANDONED_ATTEMPTS_MAX) {
    return fail(draft, "unavailable", "the model call was interrupted too often");
  }
  if (run.lostAttempts > 0) return requestModel(draft, run, run.step);
  return endTurn(draft, run);
}

/** Starts the run that waits longest, when none is under way. False: there is none. */
export function startNext(draft: Draft): boolean {
  const next = draft.state.queue[0];
  if (next === undefined) return false;
  draft.emit("run.started", { input_id: next.inputId, trace: next.trace }, { run: next.run });
  draft.emitInRun("input.applied", { input_id: next.inputId });
  return true;
}

/** Requests the model once per step, with the steering inputs that came in the meantime. */
function requestModel(draft: Draft, run: RunState, step: number): boolean {
  if (step > run.spec.steps_max) {
    voidSteers(draft);
    draft.emitInRun("run.exhausted", { limit: "steps_max" });
    return true;
  }
  if (step !== run.step) applySteers(draft);
  const attempt = step === run.step ? run.lastAttempt + 1 : 1;
  draft.emit("model.requested", { attempt, model: run.spec.model }, { run: run.run, step });
  draft.effect({ type: "call_model", run: run.run, step, attempt });
  return true;
}

function advanceCalls(draft: Draft, run: RunState): boolean {
  const waiting = run.calls.filter((call) => call.status === "requested" && !call.client);
  if (waiting.length > 0) return dispatchWaiting(draft, run, waiting);
  if (run.calls.some((call) => call.status === "dispatched")) return false;
  const clientCalls = run.calls.filter((call) => call.client).map((call) => call.callId);
  if (clientCalls.length === 0) return requestModel(draft, run, run.step + 1);
  return complete(draft, "tool_calls", clientCalls);
}

/** Settles what may not run, dispatches together what may run together, and an exclusive call alone. */
function dispatchWaiting(draft: Draft, run: RunState, waiting: readonly ToolCall[]): boolean {
  let decided = false;
  for (const call of waiting) {
    const refusal = refusalOf(draft, run, call);
    if (refusal === null) continue;
    if (draft.isFull) return true;
    settle(draft, call, { outcome: "failed", output: refusal });
    decided = true;
  }
  const allowed = waiting.filter((call) => call.status === "requested");
  const open = run.calls.filter((call) => call.status === "dispatched");
  const shared = allowed.filter((call) => !isExclusive(draft, call));
  if (open.some((call) => isExclusive(draft, call))) return decided;
  for (const call of shared) dispatch(draft, call);
  if (shared.length > 0) return true;
  if (open.length === 0 && allowed.length > 0) {
    dispatch(draft, allowed[0]!);
    return true;
  }
  return decided;
}

function isExclusive(draft: Draft, call: ToolCall): boolean {
  return draft.env.tools.get(call.name)?.exclusive === true;
}

function refusalOf(draft: Draft, run: RunState, call: ToolCall): string | null {
  if (run.calls.indexOf(call) >= CALLS_PER_TURN_MAX) {
    return `Not run: one turn may make at most ${CALLS_PER_TURN_MAX} tool calls.`;
  }
  if (!run.spec.tools.includes(call.name)) {
    const names = [...run.spec.tools, ...run.spec.client_tools.map((tool) => tool.name)].join(", ");
    return `There is no tool named ${JSON.stringify(call.name)}. Available tools: ${names === "" ? "none" : names}.`;
  }
  if (!draft.env.tools.has(call.name)) return `The tool ${JSON.stringify(call.name)} is not available at present.`;
  return null;
}

/** The model ended its turn without calls: steering that came meanwhile goes on, else the run is complete. */
function endTurn(draft: Draft, run: RunState): boolean {
  if (draft.state.steers.length > 0) return requestModel(draft, run, run.step + 1);
  return complete(draft, draft.finish, []);
}

function complete(draft: Draft, finish: string, clientCalls: string[]): boolean {
  voidSteers(draft);
  draft.emitInRun("run.completed", { finish, client_calls: clientCalls });
  return true;
}

function fail(draft: Draft, code: string, message: string): boolean {
  draft.failure = null;
  voidSteers(draft);
  draft.emitInRun("run.failed", { code, message });
  return true;
}

function finishCancel(draft: Draft, run: RunState): boolean {
  if (run.calls.some((call) => call.status === "dispatched")) return false;
  if (!run.cancelEffective) draft.emitInRun("run.cancel_effective", {});
  voidSteers(draft);
  draft.emitInRun("run.cancelled", { reason: run.cancelReason });
  return true;
}

function applySteers(draft: Draft): void {
  for (const id of [...draft.state.steers]) draft.emitInRun("input.applied", { input_id: id });
}

function voidSteers(draft: Draft): void {
  for (const id of [...draft.state.steers]) draft.emitInRun("input.void", { input_id: id, reason: "run_ended" });
}
