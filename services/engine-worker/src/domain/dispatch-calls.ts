/** Tool calls into the log: an attempt that begins, and how a call ended. */
import type { Draft } from "./decision.ts";
import type { ToolOutcome } from "./events.ts";
import type { ToolCall } from "./state.ts";

export interface SettledWith {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly output_ref?: string;
  readonly output_bytes?: number;
  readonly duration_ms?: number;
}

export function settle(draft: Draft, call: ToolCall, result: SettledWith, mail?: number): void {
  const { outcome, output, output_ref, output_bytes, duration_ms } = result;
  draft.emitInRun(
    "tool.settled",
    {
      call_id: call.callId,
      attempt: call.attempt,
      outcome,
      output,
      ...(output_ref === undefined || output_ref === "" ? {} : { output_ref }),
      ...(output_bytes === undefined || output_bytes === 0 ? {} : { output_bytes }),
      ...(duration_ms === undefined ? {} : { duration_ms }),
      ...(mail === undefined ? {} : { mail }),
    },
    "tool",
  );
}

/** Starts the next attempt of a call, in the log first. */
export function dispatch(draft: Draft, call: ToolCall): void {
  const run = draft.state.run!;
  const policy = draft.env.tools.get(call.name);
  const attempt = call.attempt + 1;
  draft.emitInRun("tool.dispatched", {
    call_id: call.callId,
    attempt,
    name: call.name,
    recovery: policy?.recovery ?? call.recovery,
  });
  draft.effect({ type: "enqueue_tool", run: run.run, callId: call.callId, attempt });
}
