/** The span of one tool call, in the words of OpenTelemetry's GenAI conventions. Arguments and output are not in it. */
import { openSpan, TENANT_ATTRIBUTE } from "@mainspring/service-kit";
import type { OpenSpan } from "@mainspring/service-kit";

import type { CallOutcome } from "../ports/effect-ledger.ts";

interface TracedCall {
  readonly session: string;
  readonly call: string;
  readonly attempt: number;
  readonly tenant: string;
  readonly tool: string;
  /** Traceparent of the activation that dispatched it, or empty. */
  readonly trace: string;
}

export function callSpan({ session, call, attempt, tenant, tool, trace }: TracedCall): OpenSpan {
  return openSpan("tool-runner", `execute_tool ${tool}`, {
    parent: trace,
    kind: "consumer",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": call,
      "gen_ai.conversation.id": session,
      "mainspring.attempt": attempt,
      [TENANT_ATTRIBUTE]: tenant,
    },
  });
}

export function endCallSpan(span: OpenSpan, { outcome }: CallOutcome): void {
  span.set({ "mainspring.outcome": outcome });
  span.end(outcome === "completed" ? undefined : `the call ended as ${outcome}`);
}
