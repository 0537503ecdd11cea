/** Timers are state: when a session must be looked at again follows from its projected state alone. */
import type { SessionState, ToolCall } from "./state.ts";

/** First look at the ledger after a dispatch; doubles up to the maximum. */
export const CALL_CHECK_FIRST_MS = 5_000;
export const CALL_CHECK_MAX_MS = 60_000;
/** Retries of a model step after errors that may pass, beyond the router's own. */
export const MODEL_RETRIES_MAX = 10;
const MODEL_RETRY_FIRST_MS = 250;
const MODEL_RETRY_MAX_MS = 30_000;

/** Delay before the retry after `failures` earlier failures of the step. */
export function backoffOf(failures: number): number {
  return Math.min(MODEL_RETRY_MAX_MS, MODEL_RETRY_FIRST_MS * 2 ** Math.min(failures, 20));
}

/** The first check of a dispatched call strictly after `after`: 5 s, 15 s, 35 s, 75 s, then every 60 s. */
export function nextCallCheck(call: ToolCall, after: number): number {
  let at = call.dispatchedAt + CALL_CHECK_FIRST_MS;
  let delay = CALL_CHECK_FIRST_MS;
  while (at <= after && delay < CALL_CHECK_MAX_MS) {
    delay = Math.min(CALL_CHECK_MAX_MS, delay * 2);
    at += delay;
  }
  if (at > after) return at;
  return at + Math.ceil((after - at + 1) / CALL_CHECK_MAX_MS) * CALL_CHECK_MAX_MS;
}

/** Unix ms of the earliest timer strictly after `after`, or null when nothing is waited for. */
export function nextTimer(state: SessionState, after: number): number | null {
  const run = state.run;
  if (run === null) return null;
  const times = run.calls.filter((call) => call.status === "dispatched").map((call) => nextCallCheck(call, after));
  if (run.retryAt > 0) times.push(run.retryAt);
  return times.length === 0 ? null : Math.min(...times);
}

/** Dispatched calls with a check in (after, now]. */
export function callsDue(state: SessionState, after: number, now: number): ToolCall[] {
  const calls = state.run?.calls ?? [];
  return calls.filter((call) => call.status === "dispatched" && nextCallCheck(call, after) <= now);
}
