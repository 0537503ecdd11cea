/** The description of the HTTP API, from the same schemas that read the requests. */
import { z } from "zod";

import { agentBody, cancelBody, createBody, keyBody, runBody } from "./bodies.ts";
import * as answers from "./openapi-schemas.ts";
import { EXPERIMENT_OPERATIONS } from "./openapi-experiments.ts";
import { SPACE_OPERATIONS } from "./openapi-spaces.ts";
import { chatBody } from "./chat-request.ts";
import { countBody, messagesBody } from "./messages-request.ts";
import { responsesBody } from "./responses-request.ts";

export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete" | "put";
  /** As in OpenAPI: `/v1/sessions/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 202 | 204;
  /** Absent: no content, or a shape that another document defines. */
  readonly answer?: z.ZodType;
  /** Media types of the answer; JSON when absent. */
  readonly types?: readonly string[];
  /** Errors come in the envelope of Spaces, and the body may be CBOR too. */
  readonly rpc?: boolean;
}

const PAGE = { limit: "Most entries of the page.", after: "Cursor: `next` of the page before." };
const JSON_OR_EVENTS = ["application/json", "text/event-stream"];
const OPENAI = "In the shapes of the OpenAI API.";
const ANTHROPIC = "In the shapes of the Anthropic API.";

const COMPATIBLE: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/responses",
    summary: `Runs a model or an agent. ${OPENAI}`,
    body: responsesBody,
    status: 200,
    types: JSON_OR_EVENTS,
  },
  {
    method: "get",
    path: "/v1/responses/{id}",
    summary: "A response as it stands, or with stream=true its events from any number on.",
    query: { stream: "`true` for the events.", starting_after: "Only events with a higher sequence_number." },
    status: 200,
    types: JSON_OR_EVENTS,
  },
  {
    method: "post",
    path: "/v1/responses/{id}/cancel",
    summary: "Cancels a background response and waits for its end.",
    status: 200,
  },
  {
    method: "get",
    path: "/v1/responses/{id}/input_items",
    summary: "What the response was asked with.",
    query: { order: "`asc` or `desc` (default)." },
    status: 200,
  },
  {
    method: "post",
    path: "/v1/chat/completions",
    summary: `Answers a conversation that the request brings along, by a model or an agent. ${OPENAI}`,
    body: chatBody,
    status: 200,
    types: JSON_OR_EVENTS,
  },
  {
    method: "post",
    path: "/v1/messages",
    summary: `Answers a conversation that the request brings along, by a model or an agent. ${ANTHROPIC}`,
    body: messagesBody,
    status: 200,
    types: JSON_OR_EVENTS,
  },
  {
    method: "post",
    path: "/v1/messages/count_tokens",
    summary: `About how many tokens the input has, from its size: nobody is asked. ${ANTHROPIC}`,
    body: countBody,
    status: 200,
  },
  { method: "get", path: "/v1/models", summary: "Models, labels and agents that `model` may name.", status: 200 },
  { method: "get", path: "/v1/models/{name}", summary: "One of them. The name may contain slashes.", status: 200 },
];

const NATIVE: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/sessions",
    summary: "Makes a session.",
    body: createBody,
    status: 201,
    answer: answers.session,
  },
  {
    method: "get",
    path: "/v1/sessions",
    summary: "Sessions, the latest first.",
    query: PAGE,
    status: 200,
    answer: answers.sessions,
  },
  { method: "get", path: "/v1/sessions/{id}", summary: "One session.", status: 200, answer: answers.session },
  {
    method: "delete",
    path: "/v1/sessions/{id}",
    summary: "Deletes a session: it vanishes from every read.",
    status: 204,
  },
  {
    method: "post",
    path: "/v1/sessions/{id}/reopen",
    summary: "Lets a quarantined session run again.",
    status: 200,
    answer: answers.session,
  },
  {
    method: "get",
    path: "/v1/sessions/{id}/events",
    summary:
      "A page of the log, or as an event stream the session as it happens. Last-Event-ID goes on behind an event.",
    query: { ...PAGE, run: "Only events of this run; a stream then ends with it.", stream: "`true` for the stream." },
    status: 200,
    answer: answers.events,
    types: JSON_OR_EVENTS,
  },
  {
    method: "get",
    path: "/v1/sessions/{id}/runs",
    summary: "Runs, the latest first.",
    query: PAGE,
    status: 200,
    answer: answers.runs,
  },
  {
    method: "post",
    path: "/v1/sessions/{id}/runs",
    summary: "Starts a run, queues it behind the one under way, or steers that.",
    body: runBody,
    status: 202,
    answer: answers.startedRun,
  },
  { method: "get", path: "/v1/runs/{id}", summary: "One run.", status: 200, answer: answers.run },
  {
    method: "post",
    path: "/v1/runs/{id}/cancel",
    summary: "Cancels a run; effective when nothing of it can start any more.",
    body: cancelBody,
    status: 200,
    answer: answers.cancelReceipt,
  },
  { method: "get", path: "/v1/agents", summary: "Agents that callers may name.", status: 200, answer: answers.agents },
  {
    method: "post",
    path: "/v1/agents",
    summary: "Defines an agent. Admins only. A repeat of the same definition is no conflict.",
    body: agentBody,
    status: 201,
    answer: answers.agent,
  },
  { method: "get", path: "/v1/agents/{name}", summary: "One agent.", status: 200, answer: answers.agent },
  {
    method: "put",
    path: "/v1/agents/{name}",
    summary: "Defines or replaces an agent. Admins only. Runs under way go on as they were started.",
    body: agentBody,
    status: 200,
    answer: answers.agent,
  },
  { method: "delete", path: "/v1/agents/{name}", summary: "Removes an agent. Admins only.", status: 204 },
  {
    method: "post",
    path: "/v1/keys",
    summary: "Makes an API key. Admins only.",
    body: keyBody,
    status: 201,
    answer: answers.createdKey,
  },
  {
    method: "get",
    path: "/v1/keys",
    summary: "API keys, the latest first. Admins only.",
    query: { limit: PAGE.limit },
    status: 200,
    answer: answers.keys,
  },
  { method: "delete", path: "/v1/keys/{id}", summary: "Revokes an API key. Admins only.", status: 204 },
  {
    method: "get",
    path: "/v1/artifacts/{digest}",
    summary: "A large output by its SHA-256.",
    status: 200,
    types: ["application/octet-stream"],
  },
  {
    method: "get",
    path: "/v1/traces/{trace_id}",
    summary: "The spans of a recent trace, by start, kept for a day unless OTEL_* variables send them to a collector.",
    status: 200,
    answer: answers.trace,
  },
];

const MACHINES: readonly Operation[] = [
  { method: "get", path: "/openapi.json", summary: "This document.", status: 200 },
  { method: "get", path: "/livez", summary: "The process runs.", status: 200 },
  {
    method: "get",
    path: "/readyz",
    summary: "Stores and peers answer; 503 when one does not.",
    status: 200,
    answer: answers.readiness,
  },
  { method: "get", path: "/health", summary: "The same as /readyz.", status: 200, answer: answers.readiness },
  { method: "get", path: "/metrics", summary: "Metrics for Prometheus.", status: 200, types: ["text/plain"] },
];

export const OPERATIONS: readonly Operation[] = [
  ...COMPATIBLE,
  ...NATIVE,
  ...EXPERIMENT_OPERATIONS,
  ...SPACE_OPERATIONS,
  ...MACHINES,
];

/** The document, OpenAPI 3.1. */
export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Mainspring", version: "0.1.0", description: "A durable, distributed runtime for AI agents." },
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
}

function described(operation: Operation): object {
  const { method, path, summary, query, body, status, answer, types, rpc = false } = operation;
  const isOpen = !path.startsWith("/v1") && !path.startsWith("/admin");
  const { errors, media } = errorsOf(operation);
  return {
    operationId: `${method}${path.replaceAll(/[/{}.]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    ...(isOpen ? { security: [] } : rpc ? { security: [{ bearer: [] }, {}] } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name!, "path", "")),
      ...Object.entries(query ?? {}).map(([name, about]) => parameter(name, "query", about)),
    ],
    ...(body === undefined ? {} : { requestBody: { content: bodyContent(schemaOf(body, "input"), rpc) } }),
    responses: {
      [status]: { description: "Done.", ...contentOf(status, answer, types ?? ["application/json"]) },
      default: { description: "What went wrong.", content: { [media]: { schema: schemaOf(errors, "output") } } },
    },
  };
}

function errorsOf({ path, rpc }: Operation): { readonly errors: z.ZodType; readonly media: string } {
  if (rpc === true) return { errors: answers.rpcProblem, media: "application/json" };
  const isCompatible = COMPATIBLE.some((operation) => operation.path === path);
  return isCompatible
    ? { errors: answers.openAiProblem, media: "application/json" }
    : { errors: answers.problem, media: "application/problem+json" };
}

function bodyContent(schema: object, rpc: boolean): object {
  return { "application/json": { schema }, ...(rpc ? { "application/cbor": { schema } } : {}) };
}

function contentOf(status: number, answer: z.ZodType | undefined, types: readonly string[]): object {
  if (status === 204) return {};
  const isText = (type: string): boolean => !["application/json", "application/cbor"].includes(type);
  const schema = answer === undefined ? {} : schemaOf(answer, "output");
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema: isText(type) ? { type: "string" } : schema }])),
  };
}

function parameter(name: string, place: "path" | "query", description: string): object {
  return { name, in: place, required: place === "path", description, schema: { type: "string" } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
