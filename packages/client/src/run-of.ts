/** Which run is meant by an id that a person gives. */
import { MainspringError } from "@mainspring/kernel";

import type { ApiClient } from "./api-client.ts";
import type { SessionView } from "./views.ts";

/** A run's id as it is or as a response's; of a session, its last run. */
export async function runOf(client: ApiClient, given: string, signal: AbortSignal): Promise<string> {
  if (given.startsWith("ses_")) {
    const { last_run_id } = await client.get<SessionView>(`/v1/sessions/${given}`, { signal });
    if (last_run_id !== null) return last_run_id;
    throw new MainspringError("failed_precondition", `${given} has no run`);
  }
  const run = given.replace(/^resp_/, "run_");
  if (run.startsWith("run_")) return run;
  throw new MainspringError("invalid_argument", `${given} is no run; a run's id begins with run_ or resp_`);
}
