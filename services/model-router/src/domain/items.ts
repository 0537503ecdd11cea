/**
 * Items of a conversation as the stream carries them: the shapes of the OpenAI Responses API, with the text of a
 * message in `text` and its other content in `parts`.
 */
import { MainspringError } from "@mainspring/kernel";

export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "assistant" | "system" | "developer";
  readonly text: string;
  /** Content other than text, e.g. `{type: "input_image", image_url}`. */
  readonly parts?: readonly unknown[];
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly text: string;
  /** What its provider wants back with it. */
  readonly signature?: string;
  /** The provider keeps the text to itself. */
  readonly redacted?: boolean;
}

export interface FunctionCallItem {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  /** JSON text as the model wrote it; not known to be valid. */
  readonly arguments: string;
}

export interface FunctionCallOutputItem {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
}

export type Item = MessageItem | ReasoningItem | FunctionCallItem | FunctionCallOutputItem;

/** What a model produced: items that can be sent back as they are. */
export type OutputItem =
  | { readonly type: "message"; readonly role: "assistant"; readonly text: string }
  | ReasoningItem
  | FunctionCallItem;

const ROLES = new Set(["user", "assistant", "system", "developer"]);
const TEXT_FIELDS: Readonly<Record<Item["type"], readonly string[]>> = {
  message: ["text"],
  reasoning: ["text"],
  function_call: ["call_id", "name", "arguments"],
  function_call_output: ["call_id", "output"],
};

/** Throws `invalid_argument` that names the item at fault. */
export function parseItems(json: string): Item[] {
  const items = parseJson(json, "items_json");
  if (!Array.isArray(items)) throw invalid("items_json", "it must be a JSON array");
  items.forEach((item: unknown, index) => {
    const problem = problemOf(item);
    if (problem !== null) throw invalid(`items_json[${index}]`, problem);
  });
  return items as Item[];
}

/** An empty text stands for the fallback. Throws `invalid_argument`. */
export function parseJson(json: string, field: string, fallback?: unknown): unknown {
  if (json === "" && fallback !== undefined) return fallback;
  try {
    return JSON.parse(json);
  } catch {
    throw invalid(field, "it is not valid JSON");
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function invalid(param: string, problem: string): MainspringError {
  return new MainspringError("invalid_argument", `${param}: ${problem}`, { param });
}

function problemOf(item: unknown): string | null {
  if (!isRecord(item)) return "an item must be an object";
  const { type, role, parts } = item;
  if (typeof type !== "string" || !Object.hasOwn(TEXT_FIELDS, type)) {
    return `the type must be one of ${Object.keys(TEXT_FIELDS).join(", ")}`;
  }
  const missing = TEXT_FIELDS[type as Item["type"]].find((field) => typeof item[field] !== "string");
  if (missing !== undefined) return `a ${type} needs the text field ${missing}`;
  if (type !== "message") return null;
  if (typeof role !== "string" || !ROLES.has(role)) return `the role must be one of ${[...ROLES].join(", ")}`;
  return parts === undefined || Array.isArray(parts) ? null : "parts must be an array";
}
