/** The report of an experiment as tables. */
import type { ExperimentView, ReportView } from "@mainspring/client";
import { brief, table } from "../output.ts";

const TEXT_CHARS = 80;
const FAILURES_SHOWN = 20;
const P_MEANS =
  "P: how likely a difference at least this large is where the subjects do not differ (two-sided, exact; the unit is the " +
  "task, whatever its repetitions).\n";

export function progressText({ status, progress }: ExperimentView): string {
  const { cells, passed, failed, errors } = progress;
  const parts = [`${passed} passed`, `${failed} failed`, ...(errors === 0 ? [] : [`${errors} without a result`])];
  return `${passed + failed + errors}/${cells} ${status}: ${parts.join(", ")}`;
}

export function reportText({ experiment, subjects, comparisons, failures, failures_omitted }: ReportView): string {
  const rows = subjects.map((each) => [
    each.subject,
    `${each.passed}/${each.passed + each.failed}`,
    percent(each.pass_rate),
    each.pass_rate_interval === null ? "-" : each.pass_rate_interval.map(percent).join(" to "),
    String(each.errors),
    String(each.missing),
    each.mean_duration_ms === null ? "-" : `${(each.mean_duration_ms / 1_000).toFixed(2)} s`,
    `${whole(each.mean_input_tokens)} / ${whole(each.mean_output_tokens)}`,
  ]);
  const heads = ["SUBJECT", "PASSED", "RATE", "95 %", "ERRORS", "MISSING", "MEAN TIME", "MEAN TOKENS IN / OUT"];
  return [
    `${experiment.name}  ${progressText(experiment)}  ${experiment.id}\n`,
    table(heads, rows),
    comparisonsText(comparisons),
    failuresText(failures, failures_omitted),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function comparisonsText(comparisons: ReportView["comparisons"]): string {
  const rows = comparisons.map((each) => [
    `${each.subject} against ${each.baseline}`,
    String(each.pairs),
    each.difference === null ? "-" : `${each.difference > 0 ? "+" : ""}${(each.difference * 100).toFixed(1)}`,
    String(each.only_baseline_passed),
    String(each.only_subject_passed),
    each.p_value === null ? "-" : each.p_value < 0.0001 ? "< 0.0001" : each.p_value.toFixed(4),
  ]);
  if (rows.length === 0) return "";
  return table(["COMPARED", "PAIRS", "POINTS", "ONLY BASELINE", "ONLY SUBJECT", "P"], rows) + P_MEANS;
}

function failuresText(failures: ReportView["failures"], omitted: number): string {
  const rows = failures
    .slice(0, FAILURES_SHOWN)
    .map(({ subject, task, repetition, outcome, text, error, run_id }) => [
      subject,
      task,
      String(repetition),
      outcome,
      run_id ?? "-",
      brief(error ?? text, TEXT_CHARS),
    ]);
  if (rows.length === 0) return "";
  const more = failures.length - rows.length + omitted;
  const heads = ["SUBJECT", "TASK", "REPETITION", "OUTCOME", "RUN", "ANSWER OR ERROR"];
  return table(heads, rows) + (more === 0 ? "" : `and ${more} more; see --json, or the attempts\n`);
}

function percent(rate: number | null): string {
  return rate === null ? "-" : `${(rate * 100).toFixed(1)} %`;
}

function whole(value: number | null): string {
  return value === null ? "-" : String(Math.round(value));
}
