/** `mainspring eval`: experiments. */
import { Experiments } from "@mainspring/client";
import type { ExperimentView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import type { Command } from "commander";

import { readExperiment } from "../eval/experiment-file.ts";
import { progressText, reportText } from "../eval/report-table.ts";
import { brief, table } from "../output.ts";
import { addClientFlags, examples, EXIT, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const PAGE_MAX = 100;
const NAME_CHARS = 60;
const CONCURRENCY_MAX = 1_000;
/** Progress is told when this share of the cells has been added. */
const PROGRESS_SHARE = 0.1;

export function evalCommand(program: Command, context: CommandContext): void {
  const evals = program
    .command("eval")
    .description("Runs experiments: subjects × tasks × repetitions, with a report that compares the subjects.")
    .addHelpText(
      "after",
      examples("mainspring eval run examples/experiment.yaml", "mainspring eval list", "mainspring eval report exp_…"),
    );
  runCommand(evals, context);
  listCommand(evals, context);
  reportCommand(evals, context);
  cancelCommand(evals, context);
}

function runCommand(evals: Command, context: CommandContext): void {
  const command = evals
    .command("run")
    .description(
      "Runs an experiment and prints its report. The same file again runs only what is missing. Exit code 1 when a cell got no result.",
    )
    .argument("<file>", "the experiment, YAML or JSON")
    .option("--concurrency <n>", "cells at once (default: as many as the server runs)", wholeNumber(1, CONCURRENCY_MAX))
    .option("--json", "the report as JSON")
    .addHelpText(
      "after",
      examples(
        "mainspring eval run examples/experiment.yaml",
        "mainspring eval run experiment.yaml --concurrency 2",
        "mainspring eval run experiment.yaml --json > report.json",
      ),
    );
  addClientFlags(command).action((file: string, flags: { concurrency?: number; json?: boolean }) =>
    withClient(
      command,
      context,
      async (client, signal) => {
        const { output, exit } = context;
        const { concurrency } = flags;
        const experiments = new Experiments(client);
        const limit = concurrency === undefined ? {} : { concurrency };
        const { id } = await experiments.run(await readExperiment(file), { signal, ...limit });
        output.err(`${output.dim(`experiment ${id}`)}\n`);
        const experiment = await follow(experiments, id, context, signal).catch((error: unknown) => {
          if (signal.aborted) output.err(`left; it goes on in the server: mainspring eval report ${id}\n`);
          throw error;
        });
        await printReport(experiments, id, "", flags.json === true, context, signal);
        if (experiment.status !== "completed" || experiment.progress.errors > 0) exit(EXIT.failed);
      },
      "works",
    ),
  );
}

/** Tells the progress until the experiment has ended. */
async function follow(
  experiments: Experiments,
  id: string,
  { output }: CommandContext,
  signal: AbortSignal,
): Promise<ExperimentView> {
  let toldDone = -Infinity;
  for await (const seen of experiments.follow(id, { signal })) {
    const { cells, passed, failed, errors } = seen.progress;
    const done = passed + failed + errors;
    const hasEnded = seen.status === "completed" || seen.status === "cancelled";
    if (hasEnded || done - toldDone >= cells * PROGRESS_SHARE) output.err(`${output.dim(progressText(seen))}\n`);
    if (hasEnded) return seen;
    if (done - toldDone >= cells * PROGRESS_SHARE) toldDone = done;
  }
  throw new MainspringError("internal", "the experiment was followed, and its end never seen");
}

async function printReport(
  experiments: Experiments,
  id: string,
  baseline: string,
  asJson: boolean,
  { output }: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const report = await experiments.report(id, { signal, ...(baseline === "" ? {} : { baseline }) });
  output.out(asJson ? `${JSON.stringify(report)}\n` : reportText(report));
}

function listCommand(evals: Command, context: CommandContext): void {
  const command = evals
    .command("list")
    .description("Lists experiments, the latest first.")
    .option("--limit <n>", "how many", wholeNumber(1, PAGE_MAX), 20)
    .option("--after <cursor>", "go on after a page, with the cursor that it ended with", "")
    .option("--json", "one JSON object a line")
    .addHelpText("after", examples("mainspring eval list", "mainspring eval list --json"));
  addClientFlags(command).action((flags: { limit: number; after: string; json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const { output } = context;
      const { limit, after } = flags;
      const page = { limit, ...(after === "" ? {} : { after }) };
      const { data, next } = await new Experiments(client).list({ ...page, signal });
      if (flags.json === true) for (const each of data) output.out(`${JSON.stringify(each)}\n`);
      else if (data.length === 0) output.err("there are no experiments yet; `mainspring eval run` makes one\n");
      else {
        const rows = data.map((each) => [each.id, progressText(each), each.created_at, brief(each.name, NAME_CHARS)]);
        output.out(table(["EXPERIMENT", "PROGRESS", "CREATED", "NAME"], rows));
      }
      if (next !== null) output.err(`${output.dim(`more: --after ${next}`)}\n`);
    }),
  );
}

function reportCommand(evals: Command, context: CommandContext): void {
  const command = evals
    .command("report")
    .description("Prints the report of an experiment, of what has a result so far.")
    .argument("<id>", "id of the experiment, exp_…")
    .option("--baseline <subject>", "subject that the others are compared with (default: the first)", "")
    .option("--json", "the report as JSON")
    .addHelpText("after", examples("mainspring eval report exp_…", "mainspring eval report exp_… --baseline small"));
  addClientFlags(command).action((id: string, { baseline, json }: { baseline: string; json?: boolean }) =>
    withClient(command, context, (client, signal) =>
      printReport(new Experiments(client), id, baseline, json === true, context, signal),
    ),
  );
}

function cancelCommand(evals: Command, context: CommandContext): void {
  const command = evals
    .command("cancel")
    .description("Cancels an experiment and its runs. Results that are there stay; `eval run` goes on with the rest.")
    .argument("<id>", "id of the experiment, exp_…")
    .option("--json", "the experiment as JSON")
    .addHelpText("after", examples("mainspring eval cancel exp_…"));
  addClientFlags(command).action((id: string, { json }: { json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const experiment = await new Experiments(client).cancel(id, { signal });
      context.output.out(json === true ? `${JSON.stringify(experiment)}\n` : `${progressText(experiment)}\n`);
    }),
  );
}
