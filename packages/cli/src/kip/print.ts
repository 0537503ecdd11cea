/** Responses and what stands behind them, written where results and remarks belong. */
import type { KipResponse } from "@mainspring/kip";
import { MainspringError } from "@mainspring/kernel";

import type { Output } from "../output.ts";
import { explainBeliefs, slotQueries } from "./beliefs.ts";
import { showResponse } from "./show.ts";
import type { SpaceSession } from "./space-session.ts";

/** A command that may only read refuses writes in the words of the route; what to do is the command's to say. */
export function tellHowToWrite({ error, results }: KipResponse, output: Output): void {
  const codes = [error?.code, ...results.map((result) => result.error?.code)];
  if (codes.includes("ReadonlyViolation")) output.err("start it with --write to let commands write\n");
}

/** Below the results: what stands behind the beliefs in them. It is an addition, so that it cannot be had is no failure. */
export async function printBeliefs({ results }: KipResponse, session: SpaceSession, output: Output): Promise<void> {
  const found = results.flatMap(({ result }) => (result === undefined ? [] : [result]));
  try {
    const text = await explainBeliefs(found, (operations) => session.ask(operations));
    if (text !== "") output.out(`\n${text}`);
  } catch (error) {
    output.err(`${output.dim(`who claims what could not be looked up: ${MainspringError.from(error).message}`)}\n`);
  }
}

/** The same for propositions by id: the slots that they are values of, each once. */
export async function printDoubts(ids: readonly string[], session: SpaceSession, output: Output): Promise<void> {
  if (ids.length === 0) return;
  try {
    const { results } = await session.ask(await slotQueries(ids, (operations) => session.ask(operations)));
    await printBeliefs({ results } as KipResponse, session, output);
  } catch (error) {
    output.err(`${output.dim(`who claims what could not be looked up: ${MainspringError.from(error).message}`)}\n`);
  }
}

/** Results to standard output, what surrounds them beside it. False when the command failed. */
export function printResponse(response: KipResponse, command: string, asJson: boolean, output: Output): boolean {
  const shown = showResponse(response, command);
  if (asJson) output.out(`${JSON.stringify(response)}\n`);
  else {
    output.out(shown.out);
    for (const note of shown.notes) output.err(`${shown.failed ? note : output.dim(note)}\n`);
  }
  return !shown.failed;
}
