import type { BeliefQuestion, Claim, Mode } from "./claim.ts";

export type Exclusion =
  | "retracted"
  | "superseded"
  | "not_visible"
  | "misrecorded"
  | "mode"
  | "evidence_corrected"
  | "context";

const COUNTED: readonly Mode[] = ["observed", "stated", "inferred"];

/** Why a claim takes no part in the projection, or undefined where it does. Time is judged later. */
export function exclusionOf(claim: Claim, question: BeliefQuestion): Exclusion | undefined {
  if (!claim.visible) return "not_visible";
  if (claim.lifecycle !== "active") return claim.lifecycle;
  if (claim.misrecorded) return "misrecorded";
  if (!COUNTED.includes(claim.mode) && !question.includeHypothetical) return "mode";
  if (claim.evidenceCorrected) return "evidence_corrected";
  if (!claim.contexts.every((context) => question.contexts.includes(context))) return "context";
  return undefined;
}
