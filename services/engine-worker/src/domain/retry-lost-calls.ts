/** What becomes of calls whose result is overdue, by what the ledger reports: retried, settled, or given up as unknown. */
import type { CallReport, Draft, ToolResultBody } from "./decision.ts";
import { dispatch, settle } from "./dispatch-calls.ts";
import { TOOL_ATTEMPTS_MAX } from "./run-spec.ts";
import type { ToolCall } from "./state.ts";

const UNKNOWN_OUTPUT =
  "The outcome of this call is unknown: the process that ran it was lost. It may have taken effect. " +
  "Check before doing it again.";

/** Takes in what the ledger said. Reports of attempts that are no longer open say nothing. */
export function reportCalls(draft: Draft, reports: readonly CallReport[]): void {
  for (const report of reports) {
    const call = draft.state.run?.calls.find((candidate) => candidate.callId === report.callId);
    if (call === undefined || call.status !== "dispatched" || call.attempt !== report.attempt) continue;
    takeReport(draft, call, report);
  }
  const run = draft.state.run;
  if (run?.cancelling === true && !run.cancelEffective && everyOpenCallIsStopped(draft, reports)) {
    draft.emitInRun("run.cancel_effective", {});
  }
}

/** After `cancel_calls` each open call is either gone, or known to the ledger with its stop request. */
function everyOpenCallIsStopped(draft: Draft, reports: readonly CallReport[]): boolean {
  const open = draft.state.run!.calls.filter((call) => call.status === "dispatched");
  return open.every((call) =>
    reports.some(
      (report) => report.callId === call.callId && report.attempt === call.attempt && report.state === "started",
    ),
  );
}

function takeReport(draft: Draft, call: ToolCall, report: CallReport): void {
  const run = draft.state.run!;
  switch (report.state) {
    case "started":
      break;
    case "settled":
      settle(draft, call, report.result as ToolResultBody);
      break;
    case "cancelled":
      settle(draft, call, { outcome: "cancelled", output: "The call was cancelled before it started." });
      break;
    case "absent":
      if (!run.cancelling) {
        draft.effect({ type: "enqueue_tool", run: run.run, callId: call.callId, attempt: call.attempt });
      }
      break;
    case "lost":
      recover(draft, call);
      break;
  }
}

/** A started call whose runner died: what happens next is the tool's declared recovery mode. */
function recover(draft: Draft, call: ToolCall): void {
  const run = draft.state.run!;
  const repeatable = call.recovery === "replay_safe" || call.recovery === "idempotent";
  if (repeatable && !run.cancelling && call.attempt < TOOL_ATTEMPTS_MAX) dispatch(draft, call);
  else settle(draft, call, { outcome: "unknown", output: UNKNOWN_OUTPUT });
}
