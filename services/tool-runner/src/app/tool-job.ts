/** Jobs and stop requests as they travel: what cannot be read is no job of ours. */
import { MainspringError } from "@mainspring/kernel";
import type { Job } from "@mainspring/service-kit";

import type { CallKey } from "../ports/effect-ledger.ts";
import type { ToolJob } from "./call-runner.ts";

export const TOOLS_QUEUE = "tools";

/** Channel on which a runner is told to stop calls. */
export function runnerChannel(runner: string): string {
  return `runner:${runner}`;
}

/** Throws `invalid_argument` for a job without its parts. */
export function toolJobOf(job: Job): ToolJob {
  const text = (name: string): string => {
    const value = job[name];
    if (typeof value === "string") return value;
    throw new MainspringError("invalid_argument", `a job of ${TOOLS_QUEUE} has no ${name}`);
  };
  const { attempt, args, memory, agent, caller, trace, holder, k } = job;
  if (typeof attempt !== "number")
    throw new MainspringError("invalid_argument", `a job of ${TOOLS_QUEUE} has no attempt`);
  return {
    session: text("session"),
    run: text("run"),
    call: text("call"),
    attempt,
    tenant: text("tenant"),
    tool: text("tool"),
    trace: typeof trace === "string" ? trace : "",
    holder: typeof holder === "string" ? holder : "",
    k: typeof k === "number" ? k : 0,
    ...(typeof args === "string" ? { args } : {}),
    ...(typeof memory === "string" ? { memory } : {}),
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof caller === "string" ? { caller } : {}),
  };
}

export function stopMessage({ session, call, attempt }: CallKey): string {
  return JSON.stringify({ session, call, attempt });
}

/** Null for what is no stop request. */
export function stopRequestOf(message: string): CallKey | null {
  try {
    const { session, call, attempt } = JSON.parse(message) as Partial<CallKey>;
    if (typeof session !== "string" || typeof call !== "string" || typeof attempt !== "number") return null;
    return { session, call, attempt };
  } catch {
    return null;
  }
}
