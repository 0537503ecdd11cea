/**
 * `offline/extractive`, a model without a language model: it looks into the memory for what the user asks, reads that and
 * the conversation, and answers with the best passages and what they cite, or says that it found nothing. What it answers
 * is a pure function of the conversation. A message that begins with `remember` is kept instead.
 */
import type { FunctionCallOutputItem, Item, MessageItem } from "./items.ts";
import { isRecord } from "./items.ts";
import { rank, sentencesOf } from "./passages.ts";
import type { Passage } from "./passages.ts";

export const RECALL_TOOL = "memory_recall";
export const REMEMBER_TOOL = "memory_remember";
/** Passages of an answer. */
const ANSWERED_MAX = 3;
/** Longest question that is looked up, in characters. */
const QUERY_CHARS_MAX = 2_000;
const REMEMBER = /^\s*remember(?:\s+that\b|\s*:|\b)\s*/i;

export type ExtractiveStep =
  | { readonly kind: "call"; readonly tool: string; readonly args: string }
  | { readonly kind: "say"; readonly text: string };

/** The one step of this turn. `tools`: names that may be called. */
export function extractiveStep(items: readonly Item[], tools: readonly string[]): ExtractiveStep {
  const at = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  if (at < 0) return { kind: "say", text: "Ask me something: I answer from what I remember." };
  const question = (items[at] as MessageItem).text.trim();
  const results = items.slice(at + 1).filter((item) => item.type === "function_call_output");
  const isKept = REMEMBER.test(question);
  if (results.length === 0) {
    if (isKept && tools.includes(REMEMBER_TOOL)) return callOf(REMEMBER_TOOL, { text: keptText(question) });
    if (!isKept && tools.includes(RECALL_TOOL))
      return callOf(RECALL_TOOL, { query: question.slice(0, QUERY_CHARS_MAX) });
  }
  if (isKept) return { kind: "say", text: keptAnswer(results.at(-1)) };
  return { kind: "say", text: answer(question, results, items.slice(0, at)) };
}

function callOf(tool: string, args: Readonly<Record<string, unknown>>): ExtractiveStep {
  return { kind: "call", tool, args: JSON.stringify(args) };
}

function keptText(question: string): string {
  const text = question.replace(REMEMBER, "");
  return text === "" ? question : text;
}

function keptAnswer(result: FunctionCallOutputItem | undefined): string {
  if (result === undefined) return "I have no memory to keep that in.";
  const kept = parsed(result.output);
  if (kept === null || kept["remembered"] !== true) return `I could not keep that. ${result.output}`;
  const entities = Array.isArray(kept["entities"]) ? kept["entities"].map(String) : [];
  return `I will remember that.${entities.length === 0 ? "" : ` [${entities.join(", ")}]`}`;
}

function answer(question: string, results: readonly FunctionCallOutputItem[], before: readonly Item[]): string {
  const recalled: Passage[] = [];
  const problems: string[] = [];
  for (const { output } of results) {
    const found = parsed(output);
    if (found === null) problems.push(output);
    else recalled.push(...passagesOf(found["memories"]));
  }
  // What the memory gave was found for the question; what was said before has to share words with it.
  const best = rank(question, recalled, 0).slice(0, ANSWERED_MAX);
  if (best.length === 0) best.push(...rank(question, saidBefore(before), 1).slice(0, ANSWERED_MAX));
  if (best.length > 0) return best.map(({ text, source }) => `- ${text} [${source}]`).join("\n");
  if (problems.length > 0) return `I could not look into my memory. ${problems.join(" ")}`;
  return "I found nothing about that in my memory.";
}

function passagesOf(memories: unknown): Passage[] {
  if (!Array.isArray(memories)) return [];
  return memories.filter(isRecord).flatMap(({ text, name, entity }) => {
    const shown = typeof text === "string" && text !== "" ? text : name;
    if (typeof shown !== "string" || shown === "" || typeof entity !== "string") return [];
    return sentencesOf(shown).map((sentence) => ({ text: sentence, source: entity }));
  });
}

function saidBefore(items: readonly Item[]): Passage[] {
  return items.flatMap((item) => {
    if (item.type !== "message" || item.role === "assistant") return [];
    return sentencesOf(item.text).map((text) => ({ text, source: `said by ${item.role}` }));
  });
}

function parsed(output: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(output);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
