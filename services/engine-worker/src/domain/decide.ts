/**
 * `decide(state, input, env) → commit + effects`: the whole agent loop, pure. It consumes mail, takes in what the
 * holder learned, and then advances the run as far as it goes without waiting. The state is moved forward in place;
 * whoever cannot write the commit drops it.
 *
 * The loop of one run:
 *     run.started → model.requested → model.completed ─┬─ no calls → run.completed
 *                        ↑                             └─ calls → tool.dispatched → tool.settled (all) ─┐
 *                        └──────────────────────────────────────────────────────────────────────────────┘
 */
import { assert } from "@mainspring/kernel";
import { advance } from "./advance.ts";
import type { DecideEnv, DecideInput, Decision, Outcome } from "./decision.ts";
import { Draft } from "./decision.ts";
import { consumeMail } from "./decide-mail.ts";
import { reportCalls } from "./retry-lost-calls.ts";
import { backoffOf, MODEL_RETRIES_MAX } from "./timers.ts";
import { ABANDONED_ATTEMPTS_MAX, TURN_ITEMS_MAX } from "./run-spec.ts";
import type { SessionState } from "./state.ts";

export function decide(state: SessionState, input: DecideInput, env: DecideEnv): Decision {
  const draft = new Draft(state, env);
  let cursor = state.cursor;
  for (const outcome of input.outcomes) takeOutcome(draft, outcome);
  for (const mail of input.mail) {
    assert(mail.k === cursor + 1, "mail out of order");
    consumeMail(draft, mail);
    cursor = mail.k;
  }
  const more = advance(draft);
  return { events: draft.events, mailCursor: cursor, effects: draft.effects, more };
}

function takeOutcome(draft: Draft, outcome: Outcome): void {
  switch (outcome.kind) {
    case "activated":
      activate(draft, outcome);
      break;
    case "model_completed":
      if (isCurrentAttempt(draft, outcome) && outcome.items.length > TURN_ITEMS_MAX) {
        const message = `the model's turn has ${outcome.items.length} items, more than ${TURN_ITEMS_MAX}`;
        const partial = { items: [], chunks: [] };
        failModel(draft, {
          ...outcome,
          kind: "model_failed",
          code: "resource_exhausted",
          message,
          retryable: false,
          partial,
        });
      } else if (isCurrentAttempt(draft, outcome)) {
        draft.emitInRun(
          "model.completed",
          {
            attempt: outcome.attempt,
            items: outcome.items,
            usage: outcome.usage,
            finish: outcome.finish,
            served_by: outcome.servedBy,
            chunks: outcome.chunks,
          },
          "model",
        );
        draft.finish = outcome.finish;
      }
      break;
    case "model_failed":
      if (isCurrentAttempt(draft, outcome)) failModel(draft, outcome);
      break;
    case "calls_reported":
      reportCalls(draft, outcome.reports);
      break;
  }
}

/** A completion counts only for the attempt that the log says is in flight; any other was abandoned before. */
function isCurrentAttempt(draft: Draft, outcome: { readonly step: number; readonly attempt: number }): boolean {
  const run = draft.state.run;
  return run !== null && run.step === outcome.step && run.model?.attempt === outcome.attempt;
}

function activate(draft: Draft, outcome: Extract<Outcome, { kind: "activated" }>): void {
  const { state, env } = draft;
  if (!state.created) draft.emit("session.created", { ...env.birth });
  draft.emit("session.activated", { epoch: env.epoch, worker: env.worker, takeover: outcome.takeover });
  // Nobody takes up a quarantined session unless an operator has released its head.
  if (state.quarantined) draft.emit("session.reopened", {}, { origin: "user" });
  const run = state.run;
  if (run === null) return;
  if (run.model !== null) {
    draft.emitInRun("model.abandoned", { attempt: run.model.attempt, reason: "worker_lost", ...outcome.partial });
  }
  const open = run.calls.filter((call) => call.status === "dispatched");
  if (open.length === 0) return;
  draft.effect({
    type: run.cancelling ? "cancel_calls" : "resolve_calls",
    calls: open.map(({ callId, attempt }) => ({ callId, attempt })),
  });
}

function failModel(draft: Draft, outcome: Extract<Outcome, { kind: "model_failed" }>): void {
  const run = draft.state.run!;
  const { attempt, code, message, partial } = outcome;
  const again = outcome.retryable && run.lostAttempts < Math.min(MODEL_RETRIES_MAX, ABANDONED_ATTEMPTS_MAX);
  if (again) {
    const retryAt = draft.env.now + backoffOf(run.lostAttempts);
    draft.emitInRun("model.failed", { attempt, code, message, retry_at: retryAt, ...partial }, "model");
    return;
  }
  draft.emitInRun("model.failed", { attempt, code, message, ...partial }, "model");
  draft.failure = { code, message };
}
