/** Beliefs for people: the values that there are, who claims each and when, and why one of them holds or none does. */
import type { Json, JsonObject, KipResponse } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import { brief } from "../output.ts";

/** Slots that are explained of one response; of further ones it says so. */
export const SLOTS_MAX = 10;
/** Claims that are shown for a value, and against it. */
const CLAIMS_MAX = 5;
/** Elements that are looked up for an explanation. */
const ELEMENTS_MAX = 200;
const LABEL_CHARS_MAX = 60;

export interface Operation {
  readonly command: string;
  readonly parameters?: JsonObject;
}

/** Sends operations that only read, each by itself. */
export type Ask = (operations: readonly Operation[]) => Promise<KipResponse>;

/** A sentence each, of what kip:memory-default and the projection know. */
const RULES: Readonly<Record<string, string>> = {
  task_scope: "what is said for the task comes before what is said in general",
  own_testimony: "what somebody says of themselves comes before hearsay",
  recency: "what is newer comes before what is older",
};
const REASONS: Readonly<Record<string, string>> = {
  slot_conflict: "only one value can hold, and no rule prefers one of them",
  direct_conflict: "some claim it and some deny it",
  outranked: "another value takes precedence",
  time_indeterminate: "it is not known whether it holds at this time",
  weak_confidence: "its claims are weak",
  stance_uncertain: "who claims it is not sure",
  no_basis: "nothing that counts claims it",
  needs_review: "what it was derived from has changed",
  unverifiable: "what it was derived from is gone",
};

/** The slots and single beliefs among the results; a slot of one candidate stands for a single one. */
export function slotsIn(result: Json): JsonObject[] {
  if (Array.isArray(result)) return result.flatMap(slotsIn);
  if (!isObject(result)) return [];
  if (Array.isArray(result["candidate_projections"])) return [result];
  const isBelief = isObject(result["proposition"] ?? null) && isObject(result["support"] ?? null);
  if (!isBelief || typeof result["status"] !== "string") return [];
  return [{ status: result["status"], candidate_projections: [result] }];
}

/** What to print below the results: nothing without beliefs. Rejects when the Space cannot be asked. */
export async function explainBeliefs(results: readonly Json[], ask: Ask): Promise<string> {
  const found = results.flatMap(slotsIn).filter((slot) => candidatesOf(slot).length > 0);
  const slots = found.slice(0, SLOTS_MAX);
  if (slots.length === 0) return "";
  const known = new Elements(ask);
  const candidates = slots.flatMap(candidatesOf);
  await known.load(candidates.flatMap((one) => [idOf(one["proposition"]), idOf(one["value"]), ...claimsOf(one)]));
  await known.load([...known.all()].flatMap(({ asserted_by: by, subject }) => [idOf(by), idOf(subject)]));
  const parts = slots.map((slot) => slotText(slot, known));
  const more = found.length - slots.length;
  return [...parts, ...(more === 0 ? [] : [`and ${more} more of such\n`])].join("\n");
}

const candidatesOf = ({ candidate_projections: candidates }: JsonObject): JsonObject[] =>
  Array.isArray(candidates) ? candidates.filter(isObject) : [];

function idOf(value: Json | undefined): string {
  const id = isObject(value ?? null) ? (value as JsonObject)["id"] : undefined;
  return typeof id === "string" ? id : "";
}

const wordOf = (value: Json | undefined): string => (typeof value === "string" ? brief(value, LABEL_CHARS_MAX) : "?");

function claimsOf(candidate: JsonObject): string[] {
  return ["support", "opposition"].flatMap((side) => assertionsOf(candidate, side).slice(0, CLAIMS_MAX));
}

function assertionsOf(candidate: JsonObject, side: string): string[] {
  const { assertion_ids: ids } = (candidate[side] ?? {}) as JsonObject;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** Elements of the Space by id, each asked for once. */
class Elements {
  readonly #ask: Ask;
  readonly #found = new Map<string, JsonObject>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async load(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => id !== "" && !this.#found.has(id));
    const asked = wanted.slice(0, ELEMENTS_MAX - this.#found.size);
    if (asked.length === 0) return;
    const { results } = await this.#ask(asked.map(lookUp));
    for (const [index, { result }] of results.entries()) {
      const element = Array.isArray(result) ? result[0] : undefined;
      if (isObject(element ?? null)) this.#found.set(asked[index]!, element as JsonObject);
    }
  }

  get(id: string): JsonObject | undefined {
    return this.#found.get(id);
  }

  all(): Iterable<JsonObject> {
    return this.#found.values();
  }

  /** What it is called, with its id. */
  label(id: string): string {
    const { name, key } = this.get(id) ?? {};
    const called = [name, key].find((text): text is string => typeof text === "string" && text !== "");
    return called === undefined ? id : `${brief(called, LABEL_CHARS_MAX)} (${id})`;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  C: "{id: :id}",
  A: "ASSERTION {id: :id}",
  P: "PROPOSITION (id: :id)",
};

/** Ids begin with the letter of their kind. */
export function lookUp(id: string): Operation {
  return { command: `FIND(?x) WHERE { ?x ${KINDS[id[0] ?? ""] ?? KINDS["C"]} } LIMIT 1`, parameters: { id } };
}

/** Queries for the slots that these propositions are values of. */
export async function slotQueries(propositions: readonly string[], ask: Ask): Promise<Operation[]> {
  const { results } = await ask(propositions.slice(0, SLOTS_MAX).map(lookUp));
  const slots = new Map<string, Operation>();
  for (const { result } of results) {
    const { subject, predicate_ref: ref } = (Array.isArray(result) ? (result[0] ?? {}) : {}) as JsonObject;
    const id = idOf(subject);
    if (id === "" || typeof ref !== "string") continue;
    const command = `FIND(?slot) WHERE { ?slot BELIEF SLOT ({id: :subject}, ${JSON.stringify(ref)}) }`;
    slots.set(`${id} ${ref}`, { command, parameters: { subject: id } });
  }
  return [...slots.values()];
}

function slotText(slot: JsonObject, known: Elements): string {
  const candidates = candidatesOf(slot);
  const status = wordOf(slot["status"]);
  const { subject, predicate_ref: ref } = known.get(idOf(candidates[0]!["proposition"])) ?? {};
  const about = `${known.label(idOf(subject)) || "?"} ${wordOf(ref).replace(/^.*\//, "")}`;
  const values = candidates.map((candidate) => candidateText(candidate, known));
  return `${about}: ${status}${verdict(status, candidates, known)}\n${values.join("")}`;
}

function verdict(status: string, candidates: readonly JsonObject[], known: Elements): string {
  const accepted = candidates.filter((candidate) => candidate["status"] === "accepted");
  const rule = candidates.map(({ precedence }) =>
    isObject(precedence ?? null) ? (precedence as JsonObject)["rule"] : "",
  );
  const why = rule.map((name) => RULES[wordOf(name)] ?? "").find((text) => text !== "");
  if (accepted.length > 0) {
    const winners = accepted.map((candidate) => valueText(candidate, known)).join(", ");
    return `, it is ${winners}${why === undefined ? "" : `: ${why}`}`;
  }
  const reasons = reasonsOf(candidates.flatMap(uncertaintyOf));
  return `, no value holds${reasons === "" ? "" : `: ${reasons}`}${status === "rejected" ? ": it is denied" : ""}`;
}

function uncertaintyOf({ uncertainty }: JsonObject): string[] {
  const { reasons } = (uncertainty ?? {}) as JsonObject;
  return Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === "string") : [];
}

const reasonsOf = (reasons: readonly string[]): string =>
  [...new Set(reasons)].map((reason) => REASONS[reason] ?? reason.replaceAll("_", " ")).join("; ");

function valueText({ value }: JsonObject, known: Elements): string {
  const id = idOf(value);
  return id === "" ? brief(JSON.stringify(value ?? null), LABEL_CHARS_MAX) : known.label(id);
}

function candidateText(candidate: JsonObject, known: Elements): string {
  // What holds for the whole slot was said of it.
  const reasons = reasonsOf(uncertaintyOf(candidate).filter((reason) => reason !== "slot_conflict"));
  const head = `  ${valueText(candidate, known)}: ${wordOf(candidate["status"])}${reasons === "" ? "" : ` (${reasons})`}\n`;
  return head + sideText(candidate, "support", "", known) + sideText(candidate, "opposition", "denied: ", known);
}

function sideText(candidate: JsonObject, side: string, label: string, known: Elements): string {
  const ids = assertionsOf(candidate, side);
  const lines = ids.slice(0, CLAIMS_MAX).map((id) => `    ${label}${claimText(id, known)}\n`);
  const more = ids.length - lines.length;
  return lines.join("") + (more === 0 ? "" : `    ${label}and ${more} more\n`);
}

function claimText(id: string, known: Elements): string {
  const { asserted_by: by, mode, asserted_at: at, confidence } = known.get(id) ?? {};
  if (by === undefined) return id;
  const sure = typeof confidence === "number" ? `, confidence ${confidence}` : "";
  return `${wordOf(mode)} by ${known.label(idOf(by))} at ${wordOf(at)}${sure} [${id}]`;
}
