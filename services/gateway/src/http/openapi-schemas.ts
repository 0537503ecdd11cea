/** What native routes answer, for the description of the API. A test holds the views to it. */
import { z } from "zod";

const time = z.iso.datetime();
const listOf = <T extends z.ZodType>(item: T, cursor: string) =>
  z.strictObject({
    object: z.literal("list"),
    data: z.array(item),
    next: z.string().nullable().describe(cursor),
  });
const PAGE = "Send it as `after` for the next page; null at the end.";

export const session = z.strictObject({
  id: z.string(),
  object: z.literal("session"),
  agent: z.string(),
  title: z.string(),
  status: z.enum(["idle", "running", "quarantined", "deleted"]),
  status_reason: z.string().optional(),
  last_run_id: z.string().nullable(),
  created_at: time,
  updated_at: time,
});

export const run = z.strictObject({
  id: z.string(),
  object: z.literal("run"),
  session_id: z.string(),
  response_id: z.string(),
  status: z.enum(["queued", "running", "waiting", "cancelling", "completed", "failed", "cancelled", "exhausted"]),
  client_run_id: z.string(),
  agent: z.string(),
  model: z.string(),
  steps: z.int(),
  usage: z.record(z.string(), z.number()),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  created_at: time,
  ended_at: time.nullable(),
  trace_id: z.string().nullable().describe("What `/v1/traces/{trace_id}` takes."),
});

const attribute = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number(), z.boolean()])),
]);
export const trace = z.strictObject({
  trace_id: z.string(),
  object: z.literal("trace"),
  spans: z.array(
    z.strictObject({
      span_id: z.string(),
      parent_span_id: z.string().nullable(),
      name: z.string(),
      kind: z.enum(["internal", "server", "client", "producer", "consumer"]),
      service: z.string(),
      started_at: time,
      start_ms: z.number().describe("Unix milliseconds with fractions."),
      duration_ms: z.number(),
      status: z.enum(["unset", "ok", "error"]),
      status_message: z.string().optional(),
      attributes: z.record(z.string(), attribute),
      events: z.array(z.strictObject({ name: z.string(), at_ms: z.number() })),
      links: z.array(z.strictObject({ trace_id: z.string(), span_id: z.string() })),
    }),
  ),
});

export const startedRun = z.strictObject({
  object: z.literal("run"),
  id: z.string(),
  session_id: z.string(),
  client_run_id: z.string(),
  status: z.literal("admitted"),
  mode: z.enum(["run", "steer"]),
});

export const cancelReceipt = z.strictObject({
  object: z.literal("run.cancel"),
  id: z.string(),
  receipt: z.enum(["accepted", "effective", "ended"]),
});

export const event = z.strictObject({
  seq: z.int().describe("Ordered and unique in its session; events of one commit differ in the last three digits."),
  type: z.string(),
  at: time,
  run_id: z.string().optional(),
  step: z.int().optional(),
  origin: z.enum(["user", "engine", "model", "tool"]),
  data: z.record(z.string(), z.unknown()),
});

export const key = z.strictObject({
  id: z.string(),
  object: z.literal("api_key"),
  tenant: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: time,
  revoked_at: time.nullable(),
});

export const createdKey = key.extend({ key: z.string().describe("The secret. It is shown here and never again.") });
export const sessions = listOf(session, PAGE);
export const runs = listOf(run, PAGE);
export const keys = listOf(key, PAGE);
export const events = listOf(event, PAGE).extend({ last_seq: z.int() });
export const agent = z.strictObject({
  object: z.literal("agent"),
  name: z.string(),
  description: z.string(),
  model: z.string(),
  tools: z.union([z.literal("*"), z.array(z.string())]),
  instructions: z.string(),
  memory: z.string().nullable().describe("Space that its tools memory_recall and memory_remember work on."),
  exported: z.boolean().describe("Whether others than admins may run it."),
  fixed: z.boolean().describe("Comes with the server: nobody changes it."),
  problem: z
    .string()
    .nullable()
    .describe("Why its runs would fail, such as a model that there is not; null when all is well."),
});
export const agents = listOf(agent, PAGE);

export const readiness = z.strictObject({
  status: z.enum(["ready", "not ready"]),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), problem: z.string() })),
});

export const problem = z.strictObject({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string().describe("Stable; what to do follows from it."),
  reason: z.string().optional().describe("Stable, narrower than the code."),
  param: z.string().optional().describe("The field at fault."),
});

export const openAiProblem = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

export const rpcProblem = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    data: z.strictObject({ code: z.string(), reason: z.string().optional(), param: z.string().optional() }),
  }),
});
