/** Beliefs for people: the values that there are, who claims each and when, and why one of them holds or none does. */
import type { Json, JsonObject } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import { brief } from "../output.ts";
import { CLAIMS_MAX, Elements, idOf, LABEL_CHARS_MAX, lookUp, SLOTS_MAX } from "./elements.ts";
import type { Ask, Operation } from "./elements.ts";

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
  const silent = candidates.filter((one) => claimsOf(one).length === 0).map((one) => idOf(one["proposition"]));
  await known.loadClaims(silent);
  await known.load([...known.all()].flatMap(({ asserted_by: by, subject }) => [idOf(by), idOf(subject)]));
  const parts = slots.map((slot) => slotText(slot, known));
  const more = found.length - slots.length;
  return [...parts, ...(more === 0 ? [] : [`and ${more} more of such\n`])].join("\n");
}

const candidatesOf = ({ candidate_projections: candidates }: JsonObject): JsonObject[] =>
  Array.isArray(candidates) ? candidates.filter(isObject) : [];

const wordOf = (value: Json | undefined): string => (typeof value === "string" ? brief(value, LABEL_CHARS_MAX) : "?");

function claimsOf(candidate: JsonObject): string[] {
  return ["support", "opposition"].flatMap((side) => assertionsOf(candidate, side).slice(0, CLAIMS_MAX));
}

function assertionsOf(candidate: JsonObject, side: string): string[] {
  const { assertion_ids: ids } = (candidate[side] ?? {}) as JsonObject;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
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
  const sides = sideText(candidate, "support", "", known) + sideText(candidate, "opposition", "denied: ", known);
  const silent = known.silentClaims(idOf(candidate["proposition"]));
  return head + sides + silent.map((id) => `    ${silentText(id, known)}\n`).join("");
}

/** A claim that does not count, and why not. */
function silentText(id: string, known: Elements): string {
  const { stance, lifecycle, _system: system } = known.get(id) ?? {};
  const { status, superseded_by: by } = (lifecycle ?? {}) as JsonObject;
  const { updated_at: at, updated_tx: tx } = (system ?? {}) as JsonObject;
  const when = `at ${wordOf(at)} (${wordOf(tx)})`;
  const end =
    status === "superseded"
      ? `replaced by ${idOf(by) || "another claim"} ${when}`
      : status === "retracted"
        ? `retracted ${when}`
        : "does not count: another time or task, corrected evidence, or a later word of the same person";
  return `${stance === "reject" ? "denied: " : ""}${claimText(id, known)}: ${end}`;
}

function sideText(candidate: JsonObject, side: string, label: string, known: Elements): string {
  const ids = assertionsOf(candidate, side);
  const lines = ids.slice(0, CLAIMS_MAX).map((id) => `    ${label}${claimText(id, known)}\n`);
  const more = ids.length - lines.length;
  return lines.join("") + (more === 0 ? "" : `    ${label}and ${more} more\n`);
}

function claimText(id: string, known: Elements): string {
  const { asserted_by: by, mode, asserted_at: at, confidence, evidence } = known.get(id) ?? {};
  if (by === undefined) return id;
  const cited = (Array.isArray(evidence) ? evidence : []).map(idOf).filter((text) => text !== "");
  const shown = cited.slice(0, CLAIMS_MAX).join(", ") + (cited.length > CLAIMS_MAX ? ", …" : "");
  const sure = typeof confidence === "number" ? `, confidence ${confidence}` : "";
  return `${wordOf(mode)} by ${known.label(idOf(by))} at ${wordOf(at)}${sure} [${id}${shown === "" ? "" : `, on ${shown}`}]`;
}
