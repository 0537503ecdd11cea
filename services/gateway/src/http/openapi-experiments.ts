/** The routes of experiments, for the description of the API. */
import { z } from "zod";

import type { Operation } from "./openapi.ts";

const time = z.iso.datetime();
const count = z.int().min(0);
const rate = z.number().nullable();

const verify = z.union([
  z.enum(["exact", "regex"]),
  z.strictObject({
    type: z.enum(["exact", "regex"]),
    trim: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
  }),
]);

/** The eval-runner looks closer: lengths, numbers, patterns. */
const definition = z.strictObject({
  name: z.string(),
  subjects: z.array(
    z.strictObject({
      name: z.string().optional().describe("Default: the model."),
      model: z.string().describe("A model, a label or agent/<name>."),
      instructions: z.string().optional(),
      params: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("Fields of POST /v1/responses such as temperature."),
    }),
  ),
  tasks: z.array(
    z.strictObject({ id: z.string(), input: z.string(), verify: verify.optional(), expected: z.string() }),
  ),
  repetitions: z.int().optional(),
  timeout_seconds: z.int().optional().describe("A run that takes longer fails its cell; default 600."),
});

const experimentBody = definition.extend({
  concurrency: z.int().min(1).max(1_000).optional().describe("Most cells at once."),
});

export const experiment = z.strictObject({
  object: z.literal("experiment"),
  id: z.string(),
  name: z.string(),
  status: z.enum(["running", "cancelling", "cancelled", "completed"]),
  round: z.int().describe("How often it was started."),
  concurrency: z.int().nullable(),
  progress: z.strictObject({
    cells: count,
    passed: count,
    failed: count,
    errors: count,
    running: count,
    waiting: count,
  }),
  created_at: time,
  ended_at: time.nullable(),
  definition: definition.optional().describe("With its defaults; not in lists."),
});

export const experimentAttempt = z.strictObject({
  object: z.literal("experiment.attempt"),
  cell_id: z.string(),
  subject: z.string(),
  task: z.string(),
  repetition: z.int(),
  number: z.int(),
  outcome: z.enum(["running", "passed", "failed", "error", "cancelled"]),
  selected: z.boolean().describe("Whether it is the result of its cell."),
  text: z.string().describe("At most 16,384 characters of the answer."),
  text_chars: z.int(),
  usage: z.strictObject({
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
  }),
  duration_ms: z.number(),
  response_id: z.string().nullable(),
  run_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  started_at: time,
  ended_at: time.nullable(),
});

export const experimentReport = z.strictObject({
  object: z.literal("experiment.report"),
  experiment,
  subjects: z.array(
    z.strictObject({
      subject: z.string(),
      model: z.string(),
      cells: count,
      passed: count,
      failed: count,
      errors: count,
      missing: count,
      pass_rate: rate.describe("Of the cells with a result."),
      pass_rate_interval: z.array(z.number()).length(2).nullable().describe("Wilson, 95 %."),
      mean_duration_ms: rate,
      mean_input_tokens: rate,
      mean_output_tokens: rate,
    }),
  ),
  comparisons: z.array(
    z.strictObject({
      baseline: z.string(),
      subject: z.string(),
      pairs: count,
      both_passed: count,
      only_baseline_passed: count,
      only_subject_passed: count,
      difference: rate,
      p_value: rate.describe("Exact paired test with the task as its unit; McNemar's with one repetition."),
    }),
  ),
  failures: z.array(
    z.strictObject({
      subject: z.string(),
      task: z.string(),
      repetition: z.int(),
      outcome: z.enum(["failed", "error"]),
      attempt: z.int(),
      text: z.string(),
      error: z.string().nullable(),
      run_id: z.string().nullable(),
      trace_id: z.string().nullable(),
    }),
  ),
  failures_omitted: count,
});

const listOf = (item: z.ZodType) =>
  z.strictObject({ object: z.literal("list"), data: z.array(item), next: z.string().nullable() });
const PAGE = { limit: "Most entries of the page.", after: "Cursor: `next` of the page before." };

export const EXPERIMENT_OPERATIONS: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/experiments",
    summary: "Runs an experiment. The same definition is the same experiment; what it lacks is run again.",
    body: experimentBody,
    status: 201,
    answer: experiment,
  },
  {
    method: "get",
    path: "/v1/experiments",
    summary: "Experiments, the latest first.",
    query: PAGE,
    status: 200,
    answer: listOf(experiment),
  },
  {
    method: "get",
    path: "/v1/experiments/{id}",
    summary:
      "One experiment, or with stream=true the experiment again whenever it has got further, until it has ended.",
    query: { stream: "`true` for the stream." },
    status: 200,
    answer: experiment,
    types: ["application/json", "text/event-stream"],
  },
  {
    method: "post",
    path: "/v1/experiments/{id}/cancel",
    summary: "Starts nothing further of an experiment and cancels its runs. What has a result keeps it.",
    status: 200,
    answer: experiment,
  },
  {
    method: "get",
    path: "/v1/experiments/{id}/report",
    summary: "Pass rates, comparisons with a baseline, and what failed, of what has a result so far.",
    query: { baseline: "Subject that the others are compared with; the first when absent." },
    status: 200,
    answer: experimentReport,
  },
  {
    method: "get",
    path: "/v1/experiments/{id}/attempts",
    summary: "Every attempt, by cell and number.",
    query: PAGE,
    status: 200,
    answer: listOf(experimentAttempt),
  },
];
