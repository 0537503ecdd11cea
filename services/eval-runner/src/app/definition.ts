/** Reads what an experiment is defined as. */
import { checkJson, MainspringError } from "@mainspring/kernel";
import { z } from "zod";

import type { Definition } from "../domain/experiment.ts";

export const DEFINITION_BYTES_MAX = 1024 * 1024;
export const CELLS_MAX = 2_000;
const SUBJECTS_MAX = 10;
const TASKS_MAX = 1_000;
const REPETITIONS_MAX = 100;
const NAME_CHARS_MAX = 100;
const INPUT_CHARS_MAX = 65_536;
const EXPECTED_CHARS_MAX = 16_384;
const PATTERN_CHARS_MAX = 1_000;
const TIMEOUT_S_MAX = 86_400;

const name = z
  .string({ error: "is required" })
  .min(1, "must not be empty")
  .max(NAME_CHARS_MAX, `must have at most ${NAME_CHARS_MAX} characters`)
  .regex(/^[^\p{C}]+$/u, "must be one line without control characters");

/** What a subject may ask of `POST /v1/responses` beside its model and instructions. */
const params = z.strictObject({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_output_tokens: z.int().optional(),
  parallel_tool_calls: z.boolean().optional(),
  tool_choice: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  text: z.unknown().optional(),
});

const subject = z
  .strictObject({
    name: name.optional(),
    model: z.string({ error: "is required: a model, a label or agent/<name>" }).min(1).max(256),
    instructions: z.string().max(INPUT_CHARS_MAX).default(""),
    params: params.default({}),
  })
  .transform((given) => ({ ...given, name: given.name ?? given.model }));

const kind = z.enum(["exact", "regex"], { error: "must be exact or regex" });
const options = z.strictObject({
  type: kind,
  trim: z.boolean().default(true),
  ignore_case: z.boolean().default(false),
});
const verify = z
  .union([kind, options], { error: "must be exact, regex, or {type, trim, ignore_case}" })
  .transform((given) => (typeof given === "string" ? options.parse({ type: given }) : given))
  .transform(({ type, trim, ignore_case: ignoreCase }) => ({ type, trim, ignoreCase }));

const task = z.strictObject({
  id: name,
  input: z.string({ error: "is required" }).min(1).max(INPUT_CHARS_MAX),
  verify: verify.default({ type: "exact", trim: true, ignoreCase: false }),
  expected: z.string({ error: "is required" }).max(EXPECTED_CHARS_MAX),
});

const definition = z.strictObject({
  name,
  subjects: z
    .array(subject, { error: "must be a list of two or more" })
    .min(2, "must be two or more")
    .max(SUBJECTS_MAX, `must be at most ${SUBJECTS_MAX}`),
  tasks: z
    .array(task, { error: "must be a list" })
    .min(1, "must not be empty")
    .max(TASKS_MAX, `must be at most ${TASKS_MAX}`),
  repetitions: z.int().min(1).max(REPETITIONS_MAX).default(1),
  timeout_seconds: z.int().min(1).max(TIMEOUT_S_MAX).default(600),
});

/** Throws `invalid_argument` that names the field. */
export function parseDefinition(json: string): Definition {
  if (Buffer.byteLength(json) > DEFINITION_BYTES_MAX) {
    throw invalid("", `the experiment takes more than ${DEFINITION_BYTES_MAX} bytes as JSON`);
  }
  const parsed = definition.safeParse(fromJson(json));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    const param = path.map(String).join(".");
    throw invalid(param, `${param === "" ? "the experiment" : param}: ${message}`);
  }
  const { timeout_seconds: timeoutSeconds, ...rest } = parsed.data;
  checkUnique("subjects", "name", rest.subjects.map((each) => each.name)); // prettier-ignore
  checkUnique("tasks", "id", rest.tasks.map(({ id }) => id)); // prettier-ignore
  const cells = rest.subjects.length * rest.tasks.length * rest.repetitions;
  if (cells > CELLS_MAX) {
    const factors = `${rest.subjects.length} subjects × ${rest.tasks.length} tasks × ${rest.repetitions} repetitions`;
    throw invalid("tasks", `${factors} are ${cells} cells; the limit is ${CELLS_MAX}`);
  }
  checkPatterns(rest.tasks);
  return { ...rest, timeoutSeconds };
}

function fromJson(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid("", "the experiment is not JSON");
  }
  return checkJson(value, "the experiment");
}

function checkUnique(list: string, field: string, values: readonly string[]): void {
  const index = values.findIndex((value, place) => values.indexOf(value) !== place);
  if (index < 0) return;
  throw invalid(
    `${list}.${index}.${field}`,
    `${list}.${index}.${field}: ${JSON.stringify(values[index])} is there twice`,
  );
}

/** Only reads them: what a match takes is seen when there is an answer. */
function checkPatterns(tasks: Definition["tasks"]): void {
  for (const [index, { verify: how, expected }] of tasks.entries()) {
    if (how.type !== "regex") continue;
    const param = `tasks.${index}.expected`;
    if (expected.length > PATTERN_CHARS_MAX) {
      throw invalid(param, `${param}: a pattern has at most ${PATTERN_CHARS_MAX} characters`);
    }
    try {
      RegExp(expected, "u");
    } catch (error) {
      throw invalid(param, `${param}: ${(error as Error).message}`);
    }
  }
}

function invalid(param: string, message: string): MainspringError {
  return new MainspringError("invalid_argument", message, {
    reason: "invalid_experiment",
    ...(param === "" ? {} : { param }),
  });
}
