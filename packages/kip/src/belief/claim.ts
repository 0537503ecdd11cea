/**
 * What a belief is computed from. A claim is one Assertion as the store holds it, with its identities already resolved
 * (merges followed, evidence traced to its roots). The functions of this folder are pure: the same claims, question and
 * slot give the same answer in whatever order the claims were recorded.
 */

export type Stance = "support" | "reject" | "uncertain";
export type Mode = "observed" | "stated" | "inferred" | "predicted" | "hypothetical" | "imported";

/** A point in time that is known exactly, or only to lie within bounds. Timestamps order as text. */
export type TimePoint = string | { readonly earliest?: string; readonly latest?: string };

export interface Claim {
  readonly id: string;
  /** The proposition as an identity; the same tuple after merges is the same proposition. */
  readonly proposition: string;
  readonly actor: string;
  readonly stance: Stance;
  readonly mode: Mode;
  readonly confidence: number | undefined;
  readonly assertedAt: string;
  /** The start as written; undefined where none was. */
  readonly from: TimePoint | undefined;
  readonly until: TimePoint | undefined;
  readonly contexts: readonly string[];
  readonly lifecycle: "active" | "retracted" | "superseded";
  /** Archived, tombstoned and purged claims are not visible. */
  readonly visible: boolean;
  /** True where the host marked the recording itself as wrong. */
  readonly misrecorded: boolean;
  /** True where any cited Evidence was corrected. */
  readonly evidenceCorrected: boolean;
  /** Where the supporting evidence ultimately comes from; empty where nothing is cited. */
  readonly roots: readonly string[];
  readonly dependency: "current" | "needs_review" | "unverifiable";
}

/** One value of a slot: a proposition with the claims about it. */
export interface Candidate {
  readonly proposition: string;
  /** Values of one group exclude each other in a functional slot; undefined: the value excludes none. */
  readonly conflictGroup: string | undefined;
  readonly claims: readonly Claim[];
}

export interface BeliefQuestion {
  /** The instant of the world that is asked about. */
  readonly at: string;
  readonly contexts: readonly string[];
  readonly includeHypothetical: boolean;
  readonly policy: PolicyId;
  /** The subject of the slot: its own statements are own testimony. */
  readonly subject: string;
}

export const POLICIES = { "kip:structural": "1.0.0", "kip:memory-default": "1.0.0" } as const;
export type PolicyId = keyof typeof POLICIES;
export const POLICY_DEFAULT: PolicyId = "kip:memory-default";

/** A side whose every claim is given with less confidence than this is weak. */
export const WEAK_CONFIDENCE_BELOW = 0.5;

export type BeliefStatus = "accepted" | "rejected" | "contested" | "uncertain" | "insufficient";
