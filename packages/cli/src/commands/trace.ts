/** `mainspring trace`. */
import { runOf } from "@mainspring/client";
import type { ApiClient, RunView, TraceView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import type { Command } from "commander";

import { traceTree } from "../trace-tree.ts";
import { addClientFlags, examples, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

export function traceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("trace")
    .description("Shows what a run did through all services, as a tree with times.")
    .argument("<id>", "id of the run, run_… or resp_…, of a session, ses_…, whose last run it is, or of a trace")
    .option("--json", "the spans as JSON")
    .addHelpText(
      "after",
      examples("mainspring trace run_…", "mainspring trace ses_…", "mainspring trace run_… --json"),
    );
  addClientFlags(command).action((given: string, flags: { json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const id = await traceOf(client, given, signal);
      const trace = await client.get<TraceView>(`/v1/traces/${id}`, { signal });
      context.output.out(flags.json === true ? `${JSON.stringify(trace)}\n` : traceTree(trace.spans));
    }),
  );
}

async function traceOf(client: ApiClient, given: string, signal: AbortSignal): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(given)) return given;
  const { trace_id } = await client.get<RunView>(`/v1/runs/${await runOf(client, given, signal)}`, { signal });
  if (trace_id !== null) return trace_id;
  throw new MainspringError("not_found", `${given} was accepted without a trace`);
}
