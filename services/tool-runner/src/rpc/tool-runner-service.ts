/** The ToolRunner contract: messages in, use cases, messages out. */
import type { CallContext, ToolRunnerHandlers } from "@mainspring/contracts";
import type { CallRef__Output, CallState } from "@mainspring/contracts/tool-runner";
import { MainspringError } from "@mainspring/kernel";

import type { CallReport, CallStatesPorts } from "../app/call-states.ts";
import { cancelCalls, resolveCalls } from "../app/call-states.ts";
import type { Catalogue } from "../app/catalogue.ts";
import { KEYS_PER_READ_MAX } from "../ports/effect-ledger.ts";
import type { CallKey } from "../ports/effect-ledger.ts";

const ID_CHARS_MAX = 512;

export interface ToolRunnerPorts extends CallStatesPorts {
  readonly catalogue: Catalogue;
}

export function toolRunnerService(ports: ToolRunnerPorts): ToolRunnerHandlers {
  return {
    ListTools: async () => ({
      tools: ports.catalogue.list().map(({ name, description, parameters, recovery, exclusive }) => ({
        name,
        description,
        parameters_json: JSON.stringify(parameters),
        recovery,
        exclusive,
      })),
      catalogue_digest: ports.catalogue.digest,
    }),
    ResolveCalls: async ({ calls }, context) => {
      assertService(context);
      return { calls: (await resolveCalls(ports, keysOf(calls))).map(stateOf) };
    },
    CancelCalls: async ({ calls }, context) => {
      assertService(context);
      const reports = await cancelCalls(ports, keysOf(calls), context.principal.tenant, context.signal);
      return { calls: reports.map(stateOf) };
    },
  };
}

/** Calls are named by the engine, which knows whose they are. */
function assertService({ principal }: CallContext): void {
  if (principal.scopes.includes("service")) return;
  throw new MainspringError("permission_denied", "only a service of this deployment may call this");
}

function keysOf(calls: readonly CallRef__Output[]): CallKey[] {
  if (calls.length > KEYS_PER_READ_MAX) {
    throw new MainspringError("invalid_argument", `one request names at most ${KEYS_PER_READ_MAX} calls`);
  }
  return calls.map(({ session_id: session, call_id: call, attempt }) => {
    const fit = [session, call].every((id) => id !== "" && id.length <= ID_CHARS_MAX);
    if (!fit || attempt < 1) throw new MainspringError("invalid_argument", "a call is not named as it must be");
    return { session, call, attempt };
  });
}

function stateOf({ key, state, outcome }: CallReport): CallState {
  const call = { session_id: key.session, call_id: key.call, attempt: key.attempt };
  if (outcome === null) return { call, state };
  const { outcome: name, output, artifact, outputBytes, durationMs } = outcome;
  return {
    call,
    state,
    outcome: name,
    output,
    output_artifact: artifact,
    output_bytes: outputBytes,
    duration_ms: durationMs,
  };
}
