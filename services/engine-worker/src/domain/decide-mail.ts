/**
 * Mail into events. Each post consumed gets exactly one event that carries its number: its disposition.
 */
import { startNext } from "./advance.ts";
import type { CancelBody, InputBody, ToolResultBody } from "./decision.ts";
import type { Draft } from "./decision.ts";
import { settle } from "./dispatch-calls.ts";
import type { Mail } from "./records.ts";
import { PENDING_STEERS_MAX, QUEUED_RUNS_MAX } from "./run-spec.ts";

export function consumeMail(draft: Draft, mail: Mail): void {
  switch (mail.kind) {
    case "input":
    case "steer":
      takeInput(draft, mail, mail.body as InputBody);
      break;
    case "cancel":
      takeCancel(draft, mail, mail.body as CancelBody);
      break;
    case "tool_result":
      takeToolResult(draft, mail, mail.body as ToolResultBody);
      break;
    case "delete":
      takeDelete(draft, mail);
      break;
  }
}

function discard(draft: Draft, mail: Mail, reason: string): void {
  draft.emit("mail.void", { mail: mail.k, post_id: mail.postId, kind: mail.kind, reason });
}

const REFUSALS = {
  deleted: { reason: "session_deleted", code: "not_found", message: "the session was deleted" },
  full: {
    reason: "queue_full",
    code: "resource_exhausted",
    message: `the session has ${QUEUED_RUNS_MAX} runs waiting already`,
  },
} as const;

function takeInput(draft: Draft, mail: Mail, body: InputBody): void {
  const { state } = draft;
  const refusal = state.deleted ? REFUSALS.deleted : state.queue.length >= QUEUED_RUNS_MAX ? REFUSALS.full : null;
  if (refusal !== null) {
    const { input_id, client_run_id, spec } = body;
    draft.emit("input.void", { mail: mail.k, input_id, reason: refusal.reason }, { run: body.run });
    // Whoever waits for the run is told how it ended.
    draft.emit("run.queued", { input_id, client_run_id, spec, trace: mail.trace }, { run: body.run, origin: "user" });
    draft.emit("run.failed", { code: refusal.code, message: refusal.message }, { run: body.run });
    return;
  }
  // A run that was posted just before is under way for whoever steers after it.
  if (mail.kind === "steer" && state.run === null) startNext(draft);
  const steered =
    mail.kind === "steer" && state.run !== null && !state.run.cancelling && state.steers.length < PENDING_STEERS_MAX
      ? state.run
      : null;
  const mode = steered === null ? "run" : "steer";
  draft.emit(
    "input.submitted",
    { mail: mail.k, input_id: body.input_id, mode, items: [...body.items] },
    { run: steered?.run ?? body.run, origin: "user" },
  );
  if (steered !== null) return;
  const { input_id, client_run_id, spec } = body;
  draft.emit("run.queued", { input_id, client_run_id, spec, trace: mail.trace }, { run: body.run, origin: "user" });
}

function takeCancel(draft: Draft, mail: Mail, body: CancelBody): void {
  const { state } = draft;
  const queued = state.queue.find((candidate) => candidate.run === body.run);
  if (queued !== undefined) {
    draft.emit("input.void", { input_id: queued.inputId, reason: "run_cancelled" }, { run: queued.run });
    draft.emit("run.cancelled", { reason: body.reason, mail: mail.k }, { run: queued.run, origin: "user" });
    return;
  }
  if (state.run?.run !== body.run) return discard(draft, mail, "run_ended");
  if (state.run.cancelling) return discard(draft, mail, "already_cancelling");
  beginCancel(draft, body.reason, mail.k);
}

/** From here on nothing of the run is started. */
function beginCancel(draft: Draft, reason: string, mail?: number): void {
  const run = draft.state.run!;
  draft.emitInRun("run.cancelling", { reason, ...(mail === undefined ? {} : { mail }) }, "user");
  if (run.model !== null) {
    draft.emitInRun("model.abandoned", { attempt: run.model.attempt, reason: "cancelled", ...draft.env.partial });
    draft.effect({ type: "abort_model" });
  }
  for (const call of run.calls.filter((candidate) => candidate.status === "requested" && !candidate.client)) {
    settle(draft, call, { outcome: "cancelled", output: "The call was cancelled before it started." });
  }
  const open = run.calls.filter((call) => call.status === "dispatched");
  if (open.length > 0) {
    draft.effect({ type: "cancel_calls", calls: open.map(({ callId, attempt }) => ({ callId, attempt })) });
  }
}

function takeToolResult(draft: Draft, mail: Mail, body: ToolResultBody): void {
  const call = draft.state.run?.calls.find((candidate) => candidate.callId === body.call_id);
  const current = call?.status === "dispatched" && call.attempt === body.attempt;
  if (call !== undefined && current && !body.late) {
    settle(draft, call, body, mail.k);
    return;
  }
  const superseded = call !== undefined && body.attempt < call.attempt;
  if (!body.late && !superseded) return discard(draft, mail, "call_closed");
  const { call_id, attempt, outcome, output, output_ref } = body;
  draft.emit(
    "tool.late_outcome",
    { call_id, attempt, outcome, output, mail: mail.k, ...(output_ref === "" ? {} : { output_ref }) },
    { origin: "tool", ...(draft.state.run === null ? {} : { run: draft.state.run.run }) },
  );
}

function takeDelete(draft: Draft, mail: Mail): void {
  const { state } = draft;
  if (state.deleted) return discard(draft, mail, "already_deleted");
  draft.emit("session.deleted", { mail: mail.k }, { origin: "user" });
  for (const queued of [...state.queue]) {
    draft.emit("input.void", { input_id: queued.inputId, reason: "session_deleted" }, { run: queued.run });
    draft.emit("run.cancelled", { reason: "session deleted" }, { run: queued.run });
  }
  if (state.run !== null && !state.run.cancelling) beginCancel(draft, "session deleted");
}
